"""Checks of the audit trail and API keys."""

from collections.abc import Iterator, Set
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import F, Max, Q
from django.utils import timezone

from accounts.models import ApiKey, Application
from accounts.oidc.provider import ProviderUnavailable, discovery, signing_keys
from accounts.oidc.rights import EVERY
from audit.models import TrailEntry, TrailSeal
from audit.signing import SigningKeyError, key_name, trusted_keys
from operations.doctor.findings import Finding, error, ok, warning

SEALED_WITHIN = timedelta(minutes=5)
SOON = timedelta(days=14)
_ONE_JOB = timedelta(days=1)
"""Keys of a shorter lifetime, such as that of `make run`'s check, are meant to end soon."""
_MOST_NAMED = 5


def trail() -> Iterator[Finding]:
    """Report whether the trail is being sealed by a known key. Raises django.db.Error."""
    try:
        known_names = {key_name(key) for key in trusted_keys()}
    except SigningKeyError as problem:
        yield error(
            f"TRAIL_SIGNING_KEY or TRAIL_PUBLIC_KEYS: {problem}",
            "Set 32 random bytes in base64 (docs/concepts/trail.md); nothing can be sealed now.",
        )
        return
    findings = []
    sealed = TrailSeal.objects.aggregate(up_to=Max("up_to_id"))["up_to"] or 0
    late = TrailEntry.objects.filter(pk__gt=sealed).order_by("pk").first()
    if late is not None and late.occurred_at < timezone.now() - SEALED_WITHIN:
        findings.append(
            error(
                f"nothing was sealed since {late.occurred_at:%Y-%m-%d %H:%M} UTC",
                "Are beat and a worker of the queue `maintenance` running? See their logs.",
            )
        )
    newest = TrailSeal.objects.order_by("-up_to_id").first()
    if newest is not None and newest.key_name not in known_names:
        findings.append(
            warning(
                f"the newest seal was signed by the key {newest.key_name}, which is not known here",
                "Set the TRAIL_SIGNING_KEY (or SECRET_KEY) that it was signed with, or add its "
                "public key to TRAIL_PUBLIC_KEYS: verify_trail does not accept it otherwise.",
            )
        )
    yield from findings or [ok("sealed, by a key that is known here")]


def api_keys() -> Iterator[Finding]:
    """Report keys without an owner, and keys that expire soon. Raises django.db.Error."""
    now = timezone.now()
    active = ApiKey.objects.filter(revoked_at=None).filter(
        Q(expires_at=None) | Q(expires_at__gt=now)
    )
    active = active.filter(Q(expires_at=None) | Q(expires_at__gte=F("created_at") + _ONE_JOB))
    findings = []
    for rows, text, remedy in (
        (
            active.filter(owner=None),
            "without an owner",
            "Name one when replacing it: `manage.py rotate_api_key PREFIX --owner NAME`.",
        ),
        (
            active.filter(owner__is_active=False),
            "whose owner's account is closed",
            "Revoke it, or give it to somebody: `manage.py rotate_api_key PREFIX --owner NAME`.",
        ),
        (
            active.filter(expires_at__lt=now + SOON, replaced_by=None),
            f"expire within {SOON.days} days",
            "Replace it in time: `manage.py rotate_api_key PREFIX`.",
        ),
    ):
        prefixes = list(rows.order_by("pk").values_list("prefix", flat=True)[: _MOST_NAMED + 1])
        if prefixes:
            more = ", …" if len(prefixes) > _MOST_NAMED else ""
            names = ", ".join(prefixes[:_MOST_NAMED])
            findings.append(warning(f"keys {text}: {names}{more}", remedy))
    yield from findings or [ok("each has an owner, and none ends soon")]


# Checks the sign-in: whether the provider works, and whether anybody could enter.

_PAGE = "docs/how-to/sign-in.md"


def sign_in() -> Iterator[Finding]:
    """Report problems of the provider and its settings. Raises django.db.Error."""
    if not settings.OIDC_ISSUER:
        yield ok("names and passwords alone (no OIDC_ISSUER)")
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
        yield error("OIDC_GROUPS maps no group: nobody may enter.", f"Map your groups ({_PAGE}).")
    unknown = {g.application for g in settings.OIDC_GROUPS} - {EVERY} - applications
    if unknown:
        yield warning(
            f"OIDC_GROUPS names applications that are not there: {', '.join(sorted(unknown))}.",
            "Correct the slugs, or create the applications.",
        )
    if settings.SECOND_FACTOR_REQUIRED and not settings.OIDC_ACR_VALUES:
        yield warning(
            "SECOND_FACTOR_REQUIRED holds for passwords here, not for sign-ins at the provider.",
            "Demand a second factor there, and set OIDC_ACR_VALUES.",
        )
    if not settings.OIDC_CLIENT_SECRET:
        yield warning(
            "OIDC_CLIENT_SECRET is not set: the provider knows us by our address alone.",
            "Make the client confidential at the provider and set its secret.",
        )
    if settings.BREAK_GLASS_USER and not break_glass_works:
        yield error(
            f"BREAK_GLASS_USER {settings.BREAK_GLASS_USER!r} is no active superuser with a "
            "password.",
            "Make one with `manage.py createsuperuser`, or unset it.",
        )
    if not settings.LOCAL_LOGIN and not settings.BREAK_GLASS_USER:
        yield warning(
            "Nobody can log in while the provider is down.",
            "Set BREAK_GLASS_USER to a superuser whose password lies in a safe.",
        )


def _provider() -> Iterator[Finding]:
    try:
        document, keys = discovery(), signing_keys()
    except ProviderUnavailable as problem:
        yield error(
            f"{settings.OIDC_ISSUER}: {problem}",
            f"Check OIDC_ISSUER (exactly as the provider writes it) and the network ({_PAGE}).",
        )
        return
    yield ok(f"{settings.OIDC_ISSUER} answers, with {keys} keys")
    if "S256" not in document.get("code_challenge_methods_supported", ["S256"]):
        yield warning("The provider does not support PKCE (S256).", "Switch it on for this client.")
    if not document.get("end_session_endpoint"):
        yield warning(
            "The provider offers no sign-out: people stay signed in there.",
            "Keep SESSION_SECONDS short there too.",
        )
