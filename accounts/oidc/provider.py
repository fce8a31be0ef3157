"""The protocol with the provider: authorization code with PKCE (RFC 7636), by Authlib.

Authlib makes state and nonce, reads the provider's discovery document and keys, asks for the keys
again when a token names one that it does not know, and checks signature, nonce, time, `azp` and
`at_hash`. Issuer and audience are checked because we ask for it here. Sources: OpenID Connect
Core 1.0, Discovery 1.0, RP-Initiated Logout 1.0, Back-Channel Logout 1.0.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Any

from authlib.integrations.django_client import DjangoOAuth2App, OAuth, OAuthError
from authlib.oauth2.claims import JWTClaims
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from joserfc.errors import JoseError
from requests.exceptions import RequestException

from accounts.oidc.rights import groups_in
from accounts.session_store import LONGEST_ID

LEEWAY = timedelta(seconds=60)
_RENEWED_AFTER_S = 600
_CALL_SECONDS = 5.0
_SIGNATURES = frozenset(
    f"{kind}{bits}" for kind in ("RS", "PS", "ES") for bits in (256, 384, 512)
) | {"EdDSA", "Ed25519"}
_LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"
_LONGEST_LOGOUT_S = 86_400
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


class ProviderUnavailable(Exception):
    """Raised if the provider does not answer properly; the message is for operators."""


class SignInRefused(Exception):
    """Raised for an invalid sign-in response; the message is for operators."""


class LogoutRefused(Exception):
    """Raised for an invalid logout token; the message is for operators."""


@dataclass(frozen=True, slots=True)
class LogoutNotice:
    """The sessions that the provider ends: the one of `sid`, or all of the subject.

    Either may be empty. `expires_at` is in seconds since 1970.
    """

    issuer: str
    subject: str
    sid: str
    jti: str
    expires_at: float


@dataclass(frozen=True, slots=True)
class Identity:
    """A person authenticated by the provider. `subject` never changes; all else may."""

    issuer: str
    subject: str
    name: str
    email: str = ""
    given_name: str = ""
    family_name: str = ""
    groups: tuple[str, ...] = ()
    id_token: str = ""
    sid: str = ""


class _Provider(DjangoOAuth2App):  # type: ignore[misc]  # Authlib has no types
    """Authlib's client, refusing documents of another issuer and shared-key signatures."""

    def load_server_metadata(self) -> dict[str, Any]:
        """Return the validated discovery document. Raises ProviderUnavailable, RequestException."""
        metadata: dict[str, Any] = super().load_server_metadata()
        if problem := problem_of(metadata):
            self.server_metadata.pop("_loaded_at", None)
            raise ProviderUnavailable(problem)
        algorithms = metadata.get("id_token_signing_alg_values_supported", ["RS256"])
        metadata["id_token_signing_alg_values_supported"] = sorted(
            _SIGNATURES.intersection(algorithms)
        )
        return metadata

    def _get_oauth_client(self, **metadata: Any) -> Any:
        """Return a session that authenticates us by a method that the provider supports."""
        ways = metadata.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        way = "client_secret_basic" if "client_secret_basic" in ways else "client_secret_post"
        method = way if self.client_secret else "none"
        return super()._get_oauth_client(**metadata | {"token_endpoint_auth_method": method})


def problem_of(document: Mapping[str, Any]) -> str:
    """Return the error of a discovery document in words, or ""."""
    if document.get("issuer") != settings.OIDC_ISSUER:
        return f"the provider calls itself {document.get('issuer')!r}, not {settings.OIDC_ISSUER!r}"
    absent = [name for name in ENDPOINTS if not document.get(name)]
    return f"the provider names no {' and no '.join(absent)}" if absent else ""


def discovery() -> Mapping[str, Any]:
    """Return the provider's discovery document. Raises ProviderUnavailable."""
    try:
        return dict(_provider().load_server_metadata())
    except (RequestException, ValueError) as error:
        raise ProviderUnavailable(_error_text(error)) from error


def signing_keys() -> int:
    """Return the number of the provider's signing keys. Raises ProviderUnavailable."""
    try:
        return len(_provider().fetch_jwk_set(force=True)["keys"])
    except (RequestException, ValueError, KeyError, TypeError) as error:
        raise ProviderUnavailable(_error_text(error)) from error


def begin(request: HttpRequest, callback: str) -> HttpResponse:
    """Redirect to the provider; state, nonce and verifier are stored in the session.

    Raises ProviderUnavailable.
    """
    parameters = (
        {"acr_values": " ".join(settings.OIDC_ACR_VALUES)} if settings.OIDC_ACR_VALUES else {}
    )
    try:
        answer: HttpResponse = _provider().authorize_redirect(request, callback, **parameters)
    except (RequestException, ValueError) as error:
        raise ProviderUnavailable(_error_text(error)) from error
    return answer


def finish(request: HttpRequest) -> Identity:
    """Return the person whom the provider sent back. Raises SignInRefused, ProviderUnavailable."""
    try:
        token = _provider().authorize_access_token(
            request, claims_options=_required_claims(), leeway=LEEWAY.seconds
        )
        claims = token.get("userinfo")
        if claims is None:
            raise SignInRefused("the provider sent no ID token")
        return _identity(_with_groups(claims, token), str(token["id_token"]))
    except (OAuthError, JoseError) as error:
        raise SignInRefused(_error_text(error)) from error
    except (RequestException, ValueError, KeyError) as error:
        raise ProviderUnavailable(_error_text(error)) from error


def logout_notice(token: str) -> LogoutNotice:
    """Parse a logout token. Raises LogoutRefused, ProviderUnavailable."""
    required = {name: {"essential": True} for name in ("iat", "exp", "jti")}
    try:
        claims = _provider().parse_id_token(
            {"id_token": token}, None, _required_claims() | required, JWTClaims, LEEWAY.seconds
        )
    except RequestException as error:
        raise ProviderUnavailable(_error_text(error)) from error
    except (JoseError, ValueError, KeyError, TypeError) as error:
        raise LogoutRefused(_error_text(error)) from error
    if problem := _logout_problem(claims):
        raise LogoutRefused(problem)
    return LogoutNotice(
        issuer=settings.OIDC_ISSUER,
        subject=_id(claims, "sub"),
        sid=_id(claims, "sid"),
        jti=_id(claims, "jti"),
        expires_at=float(claims["exp"]),
    )


def _logout_problem(claims: Mapping[str, Any]) -> str:
    """Return why these signed claims are no logout token, or ""."""
    events = claims.get("events")
    if not isinstance(events, dict) or not isinstance(events.get(_LOGOUT_EVENT), dict):
        return "the token tells of no logout"
    if "nonce" in claims:
        return "a logout token has no nonce"  # an ID token has one
    if not _id(claims, "jti"):
        return "the token has no usable jti"
    if not _id(claims, "sub") and not _id(claims, "sid"):
        return "the token names nobody"
    is_long = claims["exp"] > time.time() + _LONGEST_LOGOUT_S
    return "the token is valid for more than a day" if is_long else ""


def sign_out_url(id_token: str, back: str) -> str:
    """Return the provider's sign-out URL, or "" if it offers none or is unavailable."""
    try:
        if not discovery().get("end_session_endpoint"):
            return ""
    except ProviderUnavailable:
        return ""
    sign_out = _provider().create_logout_url(
        post_logout_redirect_uri=back, id_token_hint=id_token, client_id=settings.OIDC_CLIENT_ID
    )
    return str(sign_out["url"])


def _with_groups(claims: Mapping[str, Any], token: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the claims, with those of the userinfo endpoint if the token lacks the groups."""
    where = discovery().get("userinfo_endpoint")
    if groups_in(claims, settings.OIDC_GROUPS_CLAIM) is not None or not where:
        return claims
    further = _provider().userinfo(token=token)
    if further.get("sub") != claims.get("sub"):
        raise SignInRefused("the userinfo endpoint tells of somebody else")
    return {**further, **claims}


def _identity(claims: Mapping[str, Any], id_token: str) -> Identity:
    level = claims.get("acr")
    if settings.OIDC_ACR_VALUES and level not in settings.OIDC_ACR_VALUES:
        raise SignInRefused(f"signed in at level {level!r}, which OIDC_ACR_VALUES does not list")
    subject = claims.get("sub")
    if not isinstance(subject, str) or not subject:
        raise SignInRefused("the ID token names nobody")
    # An address that nobody has verified may be another person's.
    email = _text(claims, "email") if claims.get("email_verified", True) is True else ""
    return Identity(
        issuer=str(claims["iss"]),
        subject=subject,
        name=_text(claims, settings.OIDC_NAME_CLAIM) or email or subject,
        email=email,
        given_name=_text(claims, "given_name"),
        family_name=_text(claims, "family_name"),
        groups=groups_in(claims, settings.OIDC_GROUPS_CLAIM) or (),
        id_token=id_token,
        sid=_id(claims, "sid"),
    )


def _required_claims() -> dict[str, dict[str, Any]]:
    """Return the claims that every token of the provider must have."""
    return {
        "iss": {"essential": True, "value": settings.OIDC_ISSUER},
        "aud": {"essential": True, "value": settings.OIDC_CLIENT_ID},
    }


def _id(claims: Mapping[str, Any], name: str) -> str:
    """Return an identifier as the provider writes it, or "" if it cannot be stored."""
    value = claims.get(name)
    is_usable = isinstance(value, str) and len(value) <= LONGEST_ID and "\x00" not in value
    return str(value) if is_usable else ""


def _text(claims: Mapping[str, Any], name: str) -> str:
    value = claims.get(name)
    return value.strip() if isinstance(value, str) else ""


def _error_text(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _provider() -> _Provider:
    """Return the client, renewed every ten minutes so that withdrawn keys are forgotten."""
    return _new_provider(
        settings.OIDC_ISSUER,
        settings.OIDC_CLIENT_ID,
        settings.OIDC_CLIENT_SECRET,
        " ".join(settings.OIDC_SCOPES),
        _CALL_SECONDS,
        int(time.monotonic() // _RENEWED_AFTER_S),
    )


@lru_cache(maxsize=1)
def _new_provider(
    issuer: str, client_id: str, secret: str, scopes: str, seconds: float, _: int
) -> _Provider:
    provider: _Provider = OAuth().register(
        "oidc",
        client_cls=_Provider,
        client_id=client_id,
        client_secret=secret,
        server_metadata_url=f"{issuer.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={
            "scope": scopes,
            "code_challenge_method": "S256",
            "default_timeout": seconds,
            "leeway": 5,  # seconds before its end in which a token is not sent any more
        },
    )
    return provider
