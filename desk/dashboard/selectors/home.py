"""Figures of the home page: a person's queue, today's counts, and problems."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, Min, OuterRef, TextField
from django.db.models.functions import Cast
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import access
from accounts.access import Person
from analysis.models import Check, CheckState, Policy, ReviewDecision
from analysis.selectors.probes import probe_state
from audit.models import Event, TrailEntry
from desk.reviews.selectors import desk
from documents.models import Document, DocumentState

SLOW_QUEUE = timedelta(minutes=2)
"""A check that has waited for longer than this is reported."""


@dataclass(frozen=True, slots=True)
class HomeAlert:
    """A problem that needs a person, and the page that shows it."""

    text: str
    url: str


def overturned(user: Person, *, start: datetime, end: datetime) -> int:
    """Return how many verdicts were overturned in [start, end), of those this person may read."""
    decided = desk.visible_reviews(user).filter(
        decision=ReviewDecision.OVERTURNED,
        decided_at__gte=start,
        decided_at__lt=end,
        check_record__is_probe=False,
    )
    count: int = decided.count()
    return count


def problems(user: Person, applications: tuple[UUID, ...], now: datetime) -> list[HomeAlert]:
    """Return what waits too long, failed or is overdue, and what only this person can do."""
    candidates = (
        _waiting_checks(applications, now),
        _failed_checks(applications),
        _failed_documents(user),
        _overdue_reviews(user, now),
        _policy_to_activate(user),
        _probes(applications, now),
    )
    return [problem for problem in candidates if problem]


def _waiting_checks(applications: tuple[UUID, ...], now: datetime) -> HomeAlert | None:
    queued = Check.objects.filter(application__in=applications, state=CheckState.QUEUED)
    oldest = queued.aggregate(oldest=Min("created_at"))["oldest"]
    if oldest is None or now - oldest < SLOW_QUEUE:
        return None
    minutes = int((now - oldest).total_seconds() // 60)
    text = ngettext(
        "The oldest check has been waiting for %(n)d minute. Are the workers running?",
        "The oldest check has been waiting for %(n)d minutes. Are the workers running?",
        minutes,
    ) % {"n": minutes}
    return HomeAlert(text, _list("analysis_check", state__exact=CheckState.QUEUED))


def _failed_checks(applications: tuple[UUID, ...]) -> HomeAlert | None:
    failed = Check.objects.filter(application__in=applications, state=CheckState.FAILED).count()
    if not failed:
        return None
    text = ngettext(
        "%(n)d check could not be completed.", "%(n)d checks could not be completed.", failed
    ) % {"n": failed}
    return HomeAlert(text, _list("analysis_check", state__exact=CheckState.FAILED))


def _failed_documents(user: Person) -> HomeAlert | None:
    documents = Document.objects.filter(state=DocumentState.FAILED)
    failed = access.visible(documents, user, path="collection__application").count()
    if not failed:
        return None
    text = ngettext(
        "%(n)d document could not be indexed.", "%(n)d documents could not be indexed.", failed
    ) % {"n": failed}
    return HomeAlert(text, _list("documents_document", state__exact=DocumentState.FAILED))


def _overdue_reviews(user: Person, now: datetime) -> HomeAlert | None:
    late = desk.visible_reviews(user).filter(decision=None, due_at__lt=now).count()
    if not late:
        return None
    text = ngettext("%(n)d review is overdue.", "%(n)d reviews are overdue.", late) % {"n": late}
    return HomeAlert(text, _list("analysis_review", due="overdue"))


def _policy_to_activate(user: Person) -> HomeAlert | None:
    """Return the alert about a new version that its author may not activate, for other leads."""
    if not access.manages_anything(user):
        return None
    activations = TrailEntry.objects.filter(
        event=Event.POLICY_ACTIVATED,
        subject_type="policy",
        subject_id=Cast(OuterRef("pk"), TextField()),
    )
    newer = Policy.objects.filter(
        application=OuterRef("application"), version__gt=OuterRef("version")
    )
    saved = Policy.objects.exclude(created_by=user.get_username()).filter(
        ~Exists(newer), ~Exists(activations), application__second_approver=True
    )
    version = access.visible(saved, user).select_related("application").first()
    if version is None or not access.may_manage(user, version.application_id):
        return None
    text = _("Version %(version)d of the policy of %(application)s, by %(author)s, waits for you.")
    words = {
        "version": version.version,
        "application": version.application,
        "author": version.created_by,
    }
    return HomeAlert(text % words, reverse("admin:analysis_policy_activate", args=[version.pk]))


def _probes(applications: tuple[UUID, ...], now: datetime) -> HomeAlert | None:
    """Return the alert about probes that did not pass, or that nobody sends any more."""
    if not (settings.PROBE_MINUTES and applications):
        return None
    state = probe_state(applications, now)
    if failing := len(state.not_passed):
        text = ngettext(
            "%(n)d probe of the guard did not pass.",
            "%(n)d probes of the guard did not pass.",
            failing,
        ) % {"n": failing}
        return HomeAlert(text, reverse("probes_page"))
    if state.last_at is not None and not state.results:
        text = _("No probe of the guard was sent since %(date)s. Is beat running?")
        return HomeAlert(text % {"date": date_format(state.last_at)}, reverse("probes_page"))
    return None


def _list(model: str, **filters: str) -> str:
    return f"{reverse(f'admin:{model}_changelist')}?{urlencode(filters)}"
