"""Pages by cursor: stable while rows are added."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

Row = TypeVar("Row", bound=Model)


class Page(serializers.Serializer[Any]):
    """One page of a list; `next` and `previous` are URLs or null."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


class NewestFirst(CursorPagination):
    """Ids are UUIDv7, so that one unique column gives both the order and the tie-break."""

    ordering: str | tuple[str, ...] = "-id"
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200

    def decode_cursor(self, request: Request) -> Any:
        """The place in the list; ValidationError where the cursor is not one of ours."""
        try:
            return super().decode_cursor(request)
        except NotFound as error:
            raise ValidationError(
                {"cursor": ["Not valid: use the one in `next` or `previous`."]}
            ) from error

    def get_page_size(self, request: Request) -> int | None:
        """`page_size`, at most 200; ValidationError where it is no number above 0."""
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
        """The page of the rows that the view's request asks for, each as its document."""
        page = self.paginate_queryset(rows, view.request, view=view) or []
        return self.get_paginated_response([document(row) for row in page])
