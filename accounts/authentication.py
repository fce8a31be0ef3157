"""`Authorization: Bearer wd_…` (or `X-API-Key`): identifies the caller and its application."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.core import signing
from django.db import connection
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts import keys
from accounts.models import Scope
from accounts.services import touch_api_key

PROBE_MARK = "wdprobe."
_PROBING_LASTS = timedelta(minutes=10)
_TOUCH_EVERY = timedelta(minutes=1)
_HELP = "Send `Authorization: Bearer <key>`; create a key with `manage.py create_api_key`."
# Runs for every call: plain SQL, since building it through the ORM took longer than running it.
_FIND = """
SELECT k.id, k.prefix, k.secret_sha256, k.scopes, k.expires_at, k.revoked_at, k.last_used_at,
       a.id, a.slug, a.rate_limit_per_minute, a.checks_per_day, a.checks_per_month,
       a.claims_per_month,
       clock_timestamp()
FROM accounts_apikey AS k JOIN accounts_application AS a ON a.id = k.application_id
WHERE k.prefix = %s
"""
APPLICATION = "watchdog.application"
"""The member of a request's META that names the application of its key, for the metrics."""


@dataclass(frozen=True, slots=True)
class Client:
    """The calling application, and the scopes of its key."""

    application_id: UUID
    slug: str
    rate_limit_per_minute: int | None
    key_prefix: str
    scopes: frozenset[str]
    checks_per_day: int | None = None
    checks_per_month: int | None = None
    claims_per_month: int | None = None
    is_probe: bool = False
    is_authenticated: bool = True
    is_active: bool = True

    @property
    def pk(self) -> str:
        """The caller's name, under the attribute that libraries use for users."""
        return f"{self.slug}/{self.key_prefix}"

    def __str__(self) -> str:
        return f"api_key:{self.key_prefix}"


@dataclass(frozen=True, slots=True)
class _Key:
    id: int
    secret_sha256: str
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    now: datetime
    client: Client


def client_of(request: Request) -> Client:
    """Return the calling client. Raises TypeError on a view with another authentication."""
    if not isinstance(request.user, Client):
        raise TypeError("this view was not called with an API key")
    return request.user


class ApiKeyAuthentication(BaseAuthentication):
    """Looks the key up by its prefix and compares the hash of its secret."""

    def authenticate(self, request: Request) -> tuple[Client, str]:
        """Return the client; raise AuthenticationFailed (401) with what is wrong."""
        token = _token(request)
        if token is None:
            raise AuthenticationFailed(f"No API key was sent. {_HELP}")
        if token.startswith(PROBE_MARK):
            return _probing_client(token), PROBE_MARK
        parts = keys.split(token)
        if parts is None or "\x00" in token:
            raise AuthenticationFailed(f"This is not a WATCHDOG API key. {_HELP}")
        prefix, secret = parts
        key = _find(prefix)
        if key is None or not keys.matches(secret, key.secret_sha256):
            raise AuthenticationFailed(f"This API key is unknown. {_HELP}")
        if key.revoked_at is not None:
            raise AuthenticationFailed("This API key has been revoked.")
        if key.expires_at is not None and key.expires_at <= key.now:
            raise AuthenticationFailed("This API key has expired.")
        request.META[APPLICATION] = key.client.slug
        if key.last_used_at is None or key.last_used_at < key.now - _TOUCH_EVERY:
            touch_api_key(key.id, now=key.now, older_than=key.now - _TOUCH_EVERY)
        return key.client, key.client.key_prefix

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge that accompanies a 401."""
        return 'Bearer realm="watchdog"'


def probe_token(application_id: UUID) -> str:
    """Return the token with which a run of probes calls the API for some minutes."""
    return PROBE_MARK + signing.dumps(str(application_id), salt=PROBE_MARK)


def _probing_client(token: str) -> Client:
    """Return the client of a run of probes, named by a token that this installation signed."""
    try:
        signed_id = signing.loads(
            token.removeprefix(PROBE_MARK), salt=PROBE_MARK, max_age=_PROBING_LASTS
        )
    except signing.BadSignature as error:
        raise AuthenticationFailed("This is no token for probes, or an old one.") from error
    scopes = frozenset({str(Scope.CHECKS_WRITE), str(Scope.CHECKS_READ)})
    return Client(UUID(signed_id), "", None, "probe", scopes, is_probe=True)


def _token(request: Request) -> str | None:
    header = request.headers.get("Authorization", "")
    scheme, _, value = header.partition(" ")
    if scheme.lower() == "bearer" and value.strip():
        return str(value.strip())
    return request.headers.get("X-API-Key") or None


def _find(prefix: str) -> _Key | None:
    with connection.cursor() as cursor:
        cursor.execute(_FIND, [prefix])
        row = cursor.fetchone()
    if row is None:
        return None
    id_, prefix, secret, scopes, expires, revoked, used_at, *application, now = row
    application_id, slug, limit, *quotas = application
    granted_scopes = frozenset(json.loads(scopes))
    client = Client(application_id, slug, limit, prefix, granted_scopes, *quotas)
    return _Key(id_, secret, expires, revoked, used_at, now, client)
