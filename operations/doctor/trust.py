"""Checks of the audit trail and API keys."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import F, Max, Q
from django.utils import timezone

from accounts.models import ApiKey
from audit.models import TrailEntry, TrailSeal
from audit.signing import SigningKeyError, key_name, trusted_keys
from operations.doctor.findings import Finding, error, ok, warning

SEALED_WITHIN = timedelta(minutes=5)
SOON = timedelta(days=14)
_ONE_JOB = timedelta(days=1)
"""A key that was made for less ends soon because it should, such as that of `make run`'s check."""
_MOST_NAMED = 5


def trail() -> Iterator[Finding]:
    """Report whether the trail is being sealed by a known key. Raises django.db.Error."""
    try:
        known_names = {key_name(key) for key in trusted_keys()}
    except SigningKeyError as problem:
        yield error(
            "trail",
            f"TRAIL_SIGNING_KEY or TRAIL_PUBLIC_KEYS: {problem}",
            "Set 32 random bytes in base64 (docs/concepts/trail.md); nothing can be sealed now.",
        )
        return
    findings = [*_unsealed(timezone.now()), *_unknown_key(known_names)]
    yield from findings or [ok("trail", "sealed, by a key that is known here")]


def _unsealed(now: datetime) -> Iterator[Finding]:
    sealed = TrailSeal.objects.aggregate(up_to=Max("up_to_id"))["up_to"] or 0
    late = TrailEntry.objects.filter(pk__gt=sealed).order_by("pk").first()
    if late is not None and late.occurred_at < now - SEALED_WITHIN:
        yield error(
            "trail",
            f"nothing was sealed since {late.occurred_at:%Y-%m-%d %H:%M} UTC",
            "Are beat and a worker of the queue `maintenance` running? See their logs.",
        )


def _unknown_key(known_names: set[str]) -> Iterator[Finding]:
    newest = TrailSeal.objects.order_by("-up_to_id").first()
    if newest is not None and newest.key_name not in known_names:
        yield warning(
            "trail",
            f"the newest seal was signed by the key {newest.key_name}, which is not known here",
            "Set the TRAIL_SIGNING_KEY (or SECRET_KEY) that it was signed with, or add its public "
            "key to TRAIL_PUBLIC_KEYS: verify_trail does not accept it otherwise.",
        )


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
            findings.append(warning("keys", f"keys {text}: {names}{more}", remedy))
    yield from findings or [ok("keys", "each has an owner, and none ends soon")]
