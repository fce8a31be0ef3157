"""`/api/v1/keys/current` and `/api/v1/usage`: the calling key and its application's usage."""

import csv
from dataclasses import asdict
from datetime import timedelta
from io import StringIO
from typing import Any

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.authentication import client_of
from accounts.components import Schema, component
from accounts.inputs import InputSerializer, validated
from accounts.models import ApiKey, Scope
from accounts.services import KeyNotActive, rotate_api_key
from accounts.views import ApplicationView
from analysis.selectors.usage import COLUMNS, MOST_DAYS, DailyUse, usage_of
from api.outputs import Problem

MOST_HOURS = 24 * 30


class RotateInput(InputSerializer):
    """The period for which the old key remains valid."""

    overlap_hours = serializers.IntegerField(min_value=1, max_value=MOST_HOURS, default=24)


class KeyOutput(serializers.Serializer[Any]):
    """A key without its secret."""

    prefix = serializers.CharField()
    name = serializers.CharField()
    owner = serializers.CharField(source="owner.username", allow_null=True, default=None)
    scopes = serializers.ListField(child=serializers.CharField())
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)


class NewKeyOutput(KeyOutput):
    """The new key with its token, which is shown once, and when the old key expires."""

    key = serializers.CharField()
    replaced_expires_at = serializers.DateTimeField()


class CurrentKeyView(ApplicationView):
    @extend_schema(operation_id="get_current_key", responses={200: KeyOutput})
    def get(self, request: Request) -> Response:
        """Return scopes, owner, expiry and last use of this key."""
        return Response(KeyOutput(_current(request)).data)


class RotateKeyView(ApplicationView):
    """Replaces the calling key."""

    write_scope = Scope.KEYS_ROTATE
    problems = {KeyNotActive: (409, "key_replaced")}

    @extend_schema(
        operation_id="rotate_current_key",
        request=RotateInput,
        responses={201: NewKeyOutput, 409: Problem},
    )
    def post(self, request: Request) -> Response:
        """Replace this key. Both are valid until the old one expires. The token is shown once."""
        overlap = timedelta(hours=validated(RotateInput, request.data)["overlap_hours"])
        old = _current(request)
        new_key, token = rotate_api_key(old, overlap=overlap, by=str(request.user))
        old.refresh_from_db()
        document = KeyOutput(new_key).data | {"key": token, "replaced_expires_at": old.expires_at}
        return Response(document, status=201, headers={"Cache-Control": "no-store"})


def _current(request: Request) -> ApiKey:
    keys = ApiKey.objects.select_related("owner", "application")
    return keys.get(prefix=client_of(request).key_prefix)


# `GET /api/v1/usage`: the application's usage by day, as JSON or CSV.

_DAYS = 30


class UsageFilters(InputSerializer):
    """The first and last day (UTC). Default: the last 30 days."""

    first = serializers.DateField(required=False)
    last = serializers.DateField(required=False)
    format = serializers.ChoiceField(choices=("json", "csv"), required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require the days in order, and not too many."""
        attrs = attrs.copy()
        last = attrs.setdefault("last", timezone.now().date())
        first = attrs.setdefault("first", last - timedelta(days=_DAYS - 1))
        if not timedelta(0) <= last - first < timedelta(days=MOST_DAYS):
            raise serializers.ValidationError(
                {"first": [f"Must not be after `last`; at most {MOST_DAYS} days."]}
            )
        return attrs


UsageOutput = component(DailyUse, "One day on which checks were submitted.", name="UsageOutput")


class UsageList(Schema):
    """The days on which checks were submitted, oldest first."""

    results = UsageOutput(many=True)


class CSVRenderer(BaseRenderer):
    """Renders rows with a header line; a problem document unchanged."""

    media_type, format = "text/csv", "csv"

    def render(self, data: Any, *_: Any, **__: Any) -> bytes:
        if "results" not in data:
            return JSONRenderer().render(data)
        out = StringIO()
        writer = csv.DictWriter(out, COLUMNS)
        writer.writeheader()
        writer.writerows(data["results"])
        return out.getvalue().encode()


class UsageView(ApplicationView):
    renderer_classes = (JSONRenderer, CSVRenderer)

    @extend_schema(
        operation_id="get_usage",
        parameters=[
            OpenApiParameter("first", OpenApiTypes.DATE),
            OpenApiParameter("last", OpenApiTypes.DATE),
            OpenApiParameter("format", str, enum=["json", "csv"]),
        ],
        responses={(200, "application/json"): UsageList, (200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request) -> Response:
        """Return checks and claims by day (UTC); empty days are left out."""
        data = validated(UsageFilters, request.query_params)
        days = usage_of(self.application_id, data["first"], data["last"])
        return Response({"results": [asdict(item) for item in days]})
