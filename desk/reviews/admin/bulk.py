"""Bulk decisions: select rows of the list, see the count, decide them together."""

from collections import Counter, defaultdict
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import access
from analysis.admin.base import MemberAdmin, person
from analysis.admin.jobs import page_of
from analysis.models import Job, JobKind, ReasonCode, Review, ReviewDecision, ReviewReason
from analysis.selectors.jobs import prepared_by
from analysis.services.jobs import prepare_job, start_prepared
from desk.reviews.admin.workform import DECISION_NAMES, is_id
from desk.reviews.selectors import desk
from desk.reviews.services.bulk import LIMIT, decide_many, undo_many
from desk.reviews.services.reviews import UnfitDecision, Words, require_fit

_SHOWN = 5
DECIDED = "decided_together"
"""The member of the session with the reviews that can be undone together."""
PREVIEWED = 50
"""Reviews that the preview names; the others are counted."""
_ROW = ("pk", "version", "application__name", "reason", "application_id")
MOST = 50_000
"""Reviews of one bulk decision; more than LIMIT are decided by a job."""
Row = tuple[int, int, str, str, UUID]


def preview(page: MemberAdmin, request: HttpRequest, reviews: QuerySet[Review]) -> Any:
    """Show how many reviews would be decided and how many not; change nothing."""
    by = person(request)
    ids = list(reviews.order_by().values_list("pk", flat=True)[: MOST + 1])
    if len(ids) > MOST:
        messages.error(request, _("At most %d reviews at once. Narrow the filter first.") % MOST)
        return None
    reviews_to_decide = desk.decidable(by).filter(desk.free_for(by), pk__in=ids, decision=None)
    rows = list(reviews_to_decide.order_by("rank_at", "id").values_list(*_ROW))
    if len(rows) > LIMIT:
        jobs = [str(job.pk) for job in _prepare(by, rows)]
        return _page(page, request, {"job": jobs}, rows, len(ids))
    seen = [f"{pk}:{version}" for pk, version, *_ in rows]
    return _page(page, request, {"seen": seen}, rows, len(ids))


def decide(page: MemberAdmin, request: HttpRequest) -> HttpResponse:
    """Decide the previewed reviews in their previewed versions."""
    by = person(request)
    if not access.decides_anything(by):
        raise PermissionDenied
    form = request.POST
    if "job" in form:
        return _begin(page, request)
    if "undo" in form:
        ids = request.session.pop(DECIDED, [])
        undone = undo_many(ids=ids, by=by)
        text = ngettext("%d review is open again.", "%d reviews are open again.", undone)
        messages.success(request, text % undone)
        if undone < len(ids):
            messages.warning(request, _("%d cannot be undone any more.") % (len(ids) - undone))
        return HttpResponseRedirect(reverse("admin:analysis_review_changelist"))
    pairs = (pair.partition(":") for pair in form.getlist("seen"))
    seen = [
        (int(pk), int(version)) for pk, _colon, version in pairs if is_id(pk) and is_id(version)
    ]
    try:
        decision = ReviewDecision(form.get("decision", ""))
        outcome = decide_many(seen=seen[:LIMIT], decision=decision, by=by, words=_words(request))
    except ValueError as error:
        hidden = {"seen": form.getlist("seen")}
        return _again(page, request, error, hidden, [pk for pk, _ in seen])
    if outcome.decided:
        request.session[DECIDED] = outcome.decided
        done = {"n": len(outcome.decided), "decision": str(decision.label).lower()}
        messages.success(request, _("%(n)d decided: %(decision)s.") % done)
    if outcome.left_out:
        some = " ".join(
            _("Review %(review_id)s: %(why)s") % {"review_id": item.review_id, "why": item.why}
            for item in outcome.left_out[:_SHOWN]
        )
        messages.warning(request, " ".join((_("%d left out.") % len(outcome.left_out), some)))
    return HttpResponseRedirect(reverse("admin:analysis_review_changelist"))


def _prepare(by: User, rows: list[Row]) -> list[Job]:
    """Return a prepared job for each application; it skips reviews whose version changes."""
    by_application: dict[UUID, list[list[int]]] = defaultdict(list)
    for pk, version, _state, _stage, application_id in rows:
        by_application[application_id].append([pk, version])
    return [
        prepare_job(
            application_id=application_id, kind=JobKind.BULK, options={"seen": seen}, person=by,
            total=len(seen),
        )
        for application_id, seen in by_application.items()
    ]  # fmt: skip


def _begin(page: MemberAdmin, request: HttpRequest) -> HttpResponse:
    """Start the jobs that decide the previewed reviews."""
    ids = [int(value) for value in request.POST.getlist("job") if is_id(value)]
    prepared = list(prepared_by(person(request), ids))
    decision, words = request.POST.get("decision", ""), _words(request)
    try:
        require_fit(ReviewDecision(decision), words)
    except ValueError as error:
        hidden = {"job": [str(job.pk) for job in prepared]}
        review_ids = [pk for job in prepared for pk, _ in job.input["seen"]]
        return _again(page, request, error, hidden, review_ids)
    more = {"decision": decision, "note": words.note, "reason_codes": list(words.reason_codes)}
    started = [job for job in prepared if start_prepared(job, more=more)]
    if len(started) == 1:
        return page_of(started[0])
    if not started:
        messages.error(request, _("Nothing was started. Select the reviews again."))
    name = "job" if started else "review"
    return HttpResponseRedirect(reverse(f"admin:analysis_{name}_changelist"))


def _words(request: HttpRequest) -> Words:
    form = request.POST
    return Words(form.get("note", "").strip(), form.getlist("reason_codes"))


def _again(
    page: MemberAdmin,
    request: HttpRequest,
    error: ValueError,
    hidden: dict[str, list[str]],
    ids: list[int],
) -> HttpResponse:
    """Show the preview again, and say why nothing was decided."""
    why = error.why if isinstance(error, UnfitDecision) else _("Choose a decision.")
    messages.error(request, " ".join((_("Nothing was decided."), why)))
    undecided = desk.decidable(person(request)).filter(pk__in=ids, decision=None)
    return _page(page, request, hidden, list(undecided.values_list(*_ROW)), len(ids))


def _page(
    page: MemberAdmin,
    request: HttpRequest,
    hidden: dict[str, list[str]],
    rows: list[Row],
    selected_count: int,
) -> HttpResponse:
    first = [row[0] for row in rows[:PREVIEWED]]
    counts = Counter((name, ReviewReason(reason).label) for _, _, name, reason, _ in rows)
    context = page.site_context(
        request, title=_("Decide together"),
        hidden=[(name, value) for name, values in hidden.items() for value in values],
        by_job="job" in hidden,
        counted=sorted((name, reason, n) for (name, reason), n in counts.items()),
        items=desk.review_rows(Review.objects.filter(pk__in=first).order_by("rank_at", "id")),
        total=len(rows), left_out=selected_count - len(rows),
        # A held answer is approved by somebody who reads it.
        decisions=[(str(each), DECISION_NAMES[str(each)]) for each in desk.UNDOABLE],
        codes=ReasonCode.objects.filter(is_active=True),
    )  # fmt: skip
    return TemplateResponse(request, "admin/analysis/review/bulk.html", context)
