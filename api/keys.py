"""`/api/v1/keys/current`: the calling key, and its replacement."""

from datetime import timedelta
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.authentication import client_of
from accounts.inputs import InputSerializer, validated
from accounts.models import ApiKey, Scope
from accounts.services import KeyNotActive, rotate_api_key
from accounts.views import ApplicationView
from api.outputs import Problem

MOST_HOURS = 24 * 30


class RotateInput(InputSerializer):
    """How long the old key remains valid."""

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
