"""Checks the sign-in: whether the provider works, and whether anybody could enter."""

from collections.abc import Iterator, Set

from django.conf import settings
from django.contrib.auth.models import User

from accounts.models import Application
from accounts.oidc.provider import ProviderUnavailable, discovery, signing_keys
from accounts.oidc.rights import EVERY
from operations.doctor.findings import Finding, error, ok, warning

PART = "sign-in"
_PAGE = "docs/how-to/sign-in.md"


def sign_in() -> Iterator[Finding]:
    """Report problems of the provider and its settings. Raises django.db.Error."""
    if not settings.OIDC_ISSUER:
        yield ok(PART, "names and passwords alone (no OIDC_ISSUER)")
        return
    yield from _provider()
    slugs = Application.objects.values_list("slug", flat=True)
    name = settings.BREAK_GLASS_USER
    user = User.objects.filter(username=name, is_active=True, is_superuser=True).first()
    yield from weak_sign_in(
        set(slugs), break_glass_works=user is not None and user.has_usable_password()
    )


def weak_sign_in(applications: Set[str], *, break_glass_works: bool) -> Iterator[Finding]:
    """Report settings that could lock people out or let too many in."""
    if not settings.OIDC_GROUPS:
        yield error(
            PART, "OIDC_GROUPS maps no group: nobody may enter.", f"Map your groups ({_PAGE})."
        )
    unknown = {g.application for g in settings.OIDC_GROUPS} - {EVERY} - applications
    if unknown:
        yield warning(
            PART,
            f"OIDC_GROUPS names applications that are not there: {', '.join(sorted(unknown))}.",
            "Correct the slugs, or create the applications.",
        )
    if settings.SECOND_FACTOR_REQUIRED and not settings.OIDC_ACR_VALUES:
        yield warning(
            PART,
            "SECOND_FACTOR_REQUIRED holds for passwords here, not for sign-ins at the provider.",
            "Demand a second factor there, and set OIDC_ACR_VALUES.",
        )
    if not settings.OIDC_CLIENT_SECRET:
        yield warning(
            PART,
            "OIDC_CLIENT_SECRET is not set: the provider knows us by our address alone.",
            "Make the client confidential at the provider and set its secret.",
        )
    if settings.BREAK_GLASS_USER and not break_glass_works:
        yield error(
            PART,
            f"BREAK_GLASS_USER {settings.BREAK_GLASS_USER!r} is no active superuser with a "
            "password.",
            "Make one with `manage.py createsuperuser`, or unset it.",
        )
    if not settings.LOCAL_LOGIN and not settings.BREAK_GLASS_USER:
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
