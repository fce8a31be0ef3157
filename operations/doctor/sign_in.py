"""Probe of the sign-in: whether the provider answers as one, and whether anybody could enter."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import User

from accounts.models import Application
from accounts.oidc.provider import ProviderUnavailable, discovery, signing_keys
from accounts.oidc.rights import EVERY, Grant
from operations.doctor.findings import Finding, error, ok, warning

PART = "sign-in"
_PAGE = "docs/how-to/sign-in.md"


@dataclass(frozen=True, slots=True)
class SignIn:
    """The settings that can shut people out or let too many in."""

    grants: Collection[Grant]
    applications: Collection[str]
    client_secret: str
    second_factor_required: bool
    levels: Collection[str]
    local_login: bool
    break_glass_user: str
    break_glass_works: bool


def sign_in() -> Iterator[Finding]:
    """What is wrong with the provider and its settings. Raises django.db.Error."""
    if not settings.OIDC_ISSUER:
        yield ok(PART, "names and passwords alone (no OIDC_ISSUER)")
        return
    yield from _provider()
    yield from weak_sign_in(_settings())


def weak_sign_in(setup: SignIn) -> Iterator[Finding]:
    """The findings about the settings alone."""
    if not setup.grants:
        yield error(
            PART, "OIDC_GROUPS maps no group: nobody may enter.", f"Map your groups ({_PAGE})."
        )
    unknown = {g.application for g in setup.grants} - {EVERY} - set(setup.applications)
    if unknown:
        yield warning(
            PART,
            f"OIDC_GROUPS names applications that are not there: {', '.join(sorted(unknown))}.",
            "Correct the slugs, or create the applications.",
        )
    if setup.second_factor_required and not setup.levels:
        yield warning(
            PART,
            "SECOND_FACTOR_REQUIRED holds for passwords here, not for sign-ins at the provider.",
            "Demand a second factor there, and set OIDC_ACR_VALUES.",
        )
    if not setup.client_secret:
        yield warning(
            PART,
            "OIDC_CLIENT_SECRET is not set: the provider knows us by our address alone.",
            "Make the client confidential at the provider and set its secret.",
        )
    yield from _emergency(setup)


def _emergency(setup: SignIn) -> Iterator[Finding]:
    if setup.break_glass_user and not setup.break_glass_works:
        yield error(
            PART,
            f"BREAK_GLASS_USER {setup.break_glass_user!r} is no active superuser with a password.",
            "Make one with `manage.py createsuperuser`, or unset it.",
        )
    if not setup.local_login and not setup.break_glass_user:
        yield warning(
            PART,
            "Nobody can log in while the provider is down.",
            "Set BREAK_GLASS_USER to a superuser whose password lies in a safe.",
        )


def _provider() -> Iterator[Finding]:
    try:
        document, keys = discovery(), signing_keys()
    except ProviderUnavailable as problem:
        yield error(
            PART,
            f"{settings.OIDC_ISSUER}: {problem}",
            f"Check OIDC_ISSUER (exactly as the provider writes it) and the network ({_PAGE}).",
        )
        return
    yield ok(PART, f"{settings.OIDC_ISSUER} answers, with {keys} keys")
    if "S256" not in document.get("code_challenge_methods_supported", ["S256"]):
        yield warning(
            PART, "The provider does not support PKCE (S256).", "Switch it on for this client."
        )
    if not document.get("end_session_endpoint"):
        yield warning(
            PART,
            "The provider offers no sign-out: people stay signed in there.",
            "Keep SESSION_SECONDS short there too.",
        )


def _settings() -> SignIn:
    name = settings.BREAK_GLASS_USER
    user = User.objects.filter(username=name, is_active=True, is_superuser=True).first()
    return SignIn(
        grants=settings.OIDC_GROUPS,
        applications=list(Application.objects.values_list("slug", flat=True)),
        client_secret=settings.OIDC_CLIENT_SECRET,
        second_factor_required=settings.SECOND_FACTOR_REQUIRED,
        levels=settings.OIDC_ACR_VALUES,
        local_login=settings.LOCAL_LOGIN,
        break_glass_user=name,
        break_glass_works=user is not None and user.has_usable_password(),
    )
