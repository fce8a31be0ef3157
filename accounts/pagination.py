"""Cursor pagination: stable while rows are added."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

Row = TypeVar("Row", bound=Model)
PAGING = [OpenApiParameter(name, str) for name in ("cursor", "page_size")]


class Page(serializers.Serializer[Any]):
    """One page of a list; `next` and `previous` are URLs or null."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


class NewestFirst(CursorPagination):
    """A page ordered by UUIDv7 ids: one unique column gives both order and tie-break."""

    ordering: str | tuple[str, ...] = "-id"
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200

    def decode_cursor(self, request: Request) -> Any:
        """Return the position in the list. Raises ValidationError for an invalid cursor."""
        try:
            return super().decode_cursor(request)
        except NotFound as error:
            raise ValidationError(
                {"cursor": ["Not valid: use the one in `next` or `previous`."]}
            ) from error

    def get_page_size(self, request: Request) -> int | None:
        """Return `page_size`, at most 200. Raises ValidationError unless it is a number above 0."""
        query_param = request.query_params.get("page_size")
        if query_param is not None and not (
            query_param.isascii() and query_param.isdigit() and int(query_param) > 0
        ):
            raise ValidationError(
                {"page_size": [f"Must be a number from 1 to {self.max_page_size}."]}
            )
        return super().get_page_size(request)

    def respond(
        self, rows: QuerySet[Row], view: APIView, document: Callable[[Row], Any]
    ) -> Response:
        """Return the requested page of the rows, each as its document."""
        page = self.paginate_queryset(rows, view.request, view=view) or []
        return self.get_paginated_response([document(row) for row in page])
