"""`Authorization: Bearer wd_…` (or `X-API-Key`): who is calling, and for which application."""

from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts import keys
from accounts.models import ApiKey, Application
from accounts.services import touch_api_key

_TOUCH_EVERY = timedelta(minutes=1)
_HELP = "Send `Authorization: Bearer <key>`; `manage.py create_api_key` makes one."


@dataclass(frozen=True, slots=True)
class Client:
    """The application that calls, and the key it calls with."""

    application: Application
    key: ApiKey
    is_authenticated: bool = True
    is_active: bool = True

    @property
    def pk(self) -> str:
        """Named like a user's, for libraries that log or count by it."""
        return f"{self.application.slug}/{self.key.prefix}"

    def __str__(self) -> str:
        return f"api_key:{self.key.prefix}"


class ApiKeyAuthentication(BaseAuthentication):
    """Looks the key up by its prefix and compares the hash of its secret."""

    def authenticate(self, request: Request) -> tuple[Client, ApiKey]:
        """Return the client; raise AuthenticationFailed (401) with what is wrong."""
        token = _token(request)
        if token is None:
            raise AuthenticationFailed(f"No API key was sent. {_HELP}")
        key = _find(token)
        now = timezone.now()
        if key.revoked_at is not None:
            raise AuthenticationFailed("This API key was revoked.")
        if key.expires_at is not None and key.expires_at <= now:
            raise AuthenticationFailed("This API key has expired.")
        if key.last_used_at is None or key.last_used_at < now - _TOUCH_EVERY:
            touch_api_key(key, now=now, older_than=now - _TOUCH_EVERY)
        return Client(key.application, key), key

    def authenticate_header(self, request: Request) -> str:
        """The challenge that goes with a 401."""
        return 'Bearer realm="watchdog"'


def _token(request: Request) -> str | None:
    header = request.headers.get("Authorization", "")
    scheme, _, value = header.partition(" ")
    if scheme.lower() == "bearer" and value.strip():
        return str(value.strip())
    return request.headers.get("X-API-Key") or None


def _find(token: str) -> ApiKey:
    parts = keys.split(token)
    if parts is None or "\x00" in token:
        raise AuthenticationFailed(f"That is not an API key of WATCHDOG. {_HELP}")
    prefix, secret = parts
    key = ApiKey.objects.select_related("application").filter(prefix=prefix).first()
    if key is None or not keys.matches(secret, key.secret_sha256):
        raise AuthenticationFailed(f"That API key is unknown. {_HELP}")
    return key
