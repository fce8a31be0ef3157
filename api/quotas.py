"""Quotas at submission: 429 with the quota and the time of its reset."""

from django.utils import timezone
from rest_framework.request import Request

from accounts.authentication import client_of
from accounts.problems import ProblemError
from accounts.quotas import QuotaExceeded, Quotas, note_use, require_quota
from analysis.services.idempotency import Accepted, was_used
from api.headers import idempotency


def require_room(request: Request, *, checks: int) -> None:
    """Raise ProblemError if a quota has no room; a replayed request creates nothing and passes."""
    client, quotas = client_of(request), _quotas(request)
    if quotas == Quotas(None, None, None):
        return
    repeat_key = idempotency(request)
    if repeat_key is not None and was_used(client.application_id, repeat_key):
        return
    try:
        require_quota(client.application_id, quotas, checks, timezone.now())
    except QuotaExceeded as error:
        raise ProblemError(
            429,
            "quota_exceeded",
            str(error),
            wait=max(1, round((error.resets_at - timezone.now()).total_seconds())),
            quota=error.name,
            limit=error.limit,
            resets_at=error.resets_at.isoformat().replace("+00:00", "Z"),
        ) from error


def note_accepted(request: Request, accepted: Accepted, *, checks: int) -> None:
    """Count the checks that a request created, once."""
    if not accepted.replayed:
        note_use(client_of(request).application_id, _quotas(request), checks, timezone.now())


def _quotas(request: Request) -> Quotas:
    client = client_of(request)
    return Quotas(client.checks_per_day, client.checks_per_month, client.claims_per_month)
