"""Sessions ended by the provider: OpenID Connect Back-Channel Logout 1.0."""

import logging
from collections import Counter
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import ProviderIdentity
from accounts.oidc.people import BY
from accounts.oidc.provider import LEEWAY, LogoutNotice, LogoutRefused
from accounts.session_store import LogoutToken, Session
from audit.models import Event
from audit.services import append

log = logging.getLogger(__name__)


@transaction.atomic
def end_sessions(notice: LogoutNotice) -> int:
    """End the sessions that the provider names; return how many.

    Raises LogoutRefused on repetition.
    """
    # Record the token's `jti`, in the caller's transaction: a failed request may be sent again.
    LogoutToken.objects.filter(expires_at__lt=timezone.now() - LEEWAY).delete()
    expires_at = datetime.fromtimestamp(notice.expires_at, UTC)
    _, is_new = LogoutToken.objects.get_or_create(
        jti=notice.jti, defaults={"expires_at": expires_at}
    )
    if not is_new:
        raise LogoutRefused("the token was used before")
    rows = list(_sessions(notice).select_for_update().values_list("session_key", "subject"))
    Session.objects.filter(session_key__in=[key for key, _ in rows]).delete()
    counts = Counter(subject for _, subject in rows)
    people = ProviderIdentity.objects.filter(issuer=notice.issuer, subject__in=counts)
    for identity in people.select_related("user"):
        append(
            Event.USER_CHANGED,
            subject=identity.user,
            by=BY,
            change="signed out",
            sessions=counts[identity.subject],
        )
    log.info("the provider ended %d sessions", len(rows))
    return len(rows)


def _sessions(notice: LogoutNotice) -> QuerySet[Session]:
    """Return the sessions of the named provider session; without one, all of the person.

    A session without a `sid` from the provider counts as any of the person's.
    """
    rows = Session.objects.filter(issuer=notice.issuer)
    if not notice.sid:
        return rows.filter(subject=notice.subject)
    if not notice.subject:
        return rows.filter(sid=notice.sid)
    return rows.filter(Q(sid=notice.sid) | Q(sid=""), subject=notice.subject)
