"""The review screen: the queue, one item of it and its decision, by the keyboard alone."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.http import HttpResponseRedirect as Redirect
from django.template.response import TemplateResponse
from django.templatetags.static import static
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from accounts import access
from accounts.models import Team
from analysis.admin.badges import excerpt
from analysis.admin.base import MemberAdmin, person
from analysis.engine.policy import PolicyRules, candidates
from analysis.models import Check, Opinion, Review, ReviewDecision, ReviewReason, ReviewStage
from analysis.selectors.erasures import CheckErased
from desk.reviews.admin.checks import sources
from desk.reviews.admin.workform import CHOICES, FormValues, form_of, is_id
from desk.reviews.selectors import desk
from desk.reviews.selectors.neighbours import neighbours
from desk.reviews.services import queue
from desk.reviews.services.conflicts import NotYours, ReviewConflict
from desk.reviews.services.drafts import draft_of, save_draft
from desk.reviews.services.reviews import TooLate, UnfitDecision, decide_review, undo_decision
from desk.verdict_page import page, words
from desk.verdict_page.page import ViewParams
from desk.verdict_page.selectors import outline, whole_check

ITEM, BENCH, NEXT = "analysis_review_work", "analysis_review_workbench", "analysis_review_next"
AHEAD, QUEUES = "analysis_review_ahead", "analysis_review_queues"
AHEAD_HEADER, GO_HEADER = "X-Ahead", "X-Go"
"""The item that the browser has loaded ahead, as `stamp` writes it; the address of another one."""
MAX_SNOOZE_HOURS = 720
QUEUE_PARAMETERS = ("application", "reason", "stage")
"""The parameters of a URL that name a queue; the table of reviews filters by the same."""
_BEFORE_SETTLING = (ReviewStage.FIRST, ReviewStage.SECOND)


@dataclass(frozen=True, slots=True)
class _QueueChoice:
    """The queue that a person works on: `?application=…&reason=…`, or `?stage=…`."""

    application: UUID | None
    reason: str
    stages: tuple[ReviewStage, ...]

    @property
    def offers(self) -> dict[str, Any]:
        return {
            "application_id": self.application, "reason": self.reason, "stages": self.stages,
        }  # fmt: skip

    @property
    def title(self) -> str:
        """The queue in words."""
        if self.stage == ReviewStage.ADJUDICATION:
            return _("For a lead to settle")
        if self.stage:
            return str(ReviewStage(self.stage).label).capitalize()
        return str(ReviewReason(self.reason).label).capitalize() if self.reason else _("All items")

    @property
    def query(self) -> str:
        parts = zip(QUEUE_PARAMETERS, (self.application, self.reason, self.stage), strict=True)
        return "&".join(f"{name}={value}" for name, value in parts if value)

    @property
    def stage(self) -> str:
        """The only stage, if the queue has one."""
        return self.stages[0] if len(self.stages) == 1 else ""


class Workbench:
    """The pages of the workbench, below the admin of reviews."""

    def __init__(self, desk_admin: MemberAdmin) -> None:
        self.desk = desk_admin

    def urls(self) -> list[URLPattern]:
        """Return the URLs: the bench, "next", what comes next, the queues, each item's page."""
        guard = self.desk.admin_site.admin_view
        return [
            path("workbench/", guard(self.bench), name=BENCH),
            path("workbench/next/", guard(require_POST(self.next)), name=NEXT),
            path("workbench/ahead/", guard(require_safe(self.ahead)), name=AHEAD),
            path("workbench/queues/", guard(require_safe(self.queues)), name=QUEUES),
            path("<int:review_id>/workbench/", guard(self.item), name=ITEM),
        ]

    def bench(self, request: HttpRequest) -> HttpResponse:
        """Redirect to the item that this person holds, else to the first that waits.

        If none waits, a page says so. Nothing is reserved yet: that begins once somebody reads.
        """
        by, queue_choice = _member(request), _queue_of(request)
        current = None if queue_choice.query else desk.current_review(by)
        first = current or _following(request, by)
        if first and access.decides_anything(by):
            return Redirect(_address(request, first))
        context = self.desk.site_context(
            request, title=_("Reviews"), day=desk.decisions_since(by),
            may_decide=access.decides_anything(by), undo=desk.undoable(by),
            queue=queue_choice, queues=desk.queues(by), now=timezone.now(),
        )  # fmt: skip
        return TemplateResponse(request, "admin/analysis/review/bench.html", context)

    def queues(self, request: HttpRequest) -> HttpResponse:
        """Return what waits in which queue, for the menu over the list."""
        context = {"queues": desk.queues(_member(request)), "now": timezone.now()}
        return TemplateResponse(request, "admin/analysis/review/queues.html", context)

    def next(self, request: HttpRequest) -> HttpResponse:
        """Claim the next item; refuse auditors."""
        by = _member(request)
        if not access.decides_anything(by):
            raise PermissionDenied
        return self._to_next(request, by)

    def ahead(self, request: HttpRequest) -> HttpResponse:
        """Return the page of the item that "next" would give, for the browser to prefetch.

        Nothing is leased: whoever decides first takes it, and the other gets another item.
        """
        by = _member(request)
        if not access.decides_anything(by):
            raise PermissionDenied
        current = Review.objects.filter(pk=_number(request.GET.get("after", ""))).first()
        review = _following(request, by, current)
        if review is None:
            return HttpResponse(status=204)
        return self._show(request, review, by, ahead=True)

    def item(self, request: HttpRequest, review_id: int) -> HttpResponse:
        """Show one item, or change it with POST."""
        by = _member(request)
        review = _with_people(desk.visible_reviews(by)).filter(pk=review_id).first()
        if review is None:
            if request.method == "POST":
                raise Http404
            return self.desk.missing(request)
        if request.method == "POST":
            return self._change(request, review, by)
        return self._show(request, review, by)

    def _change(self, request: HttpRequest, review: Review, by: User) -> HttpResponse:
        if not access.may_decide(by, review.application_id):
            raise PermissionDenied
        action = {
            "claim": self._claim, "opinion": self._opinion, "draft": self._draft,
            "decide": self._decide, "undo": self._undo, "skip": self._skip,
            "snooze": self._snooze, "assign": self._assign, "release": self._release,
        }.get(request.POST.get("do", "decide" if "decision" in request.POST else ""))  # fmt: skip
        if action is None:
            return HttpResponseBadRequest(_("Nothing to do."))
        try:
            return action(request, review, by)
        except ReviewConflict as error:
            return self._refuse(
                request, review, by, " ".join((_("Nothing was changed."), error.what)), 409
            )
        except UnfitDecision as error:
            return self._refuse(request, review, by, error.why, 200)  # a form shown again
        except TooLate as error:
            return self._refuse(request, review, by, str(error), 409)
        except NotYours as error:
            return self._refuse(request, review, by, str(error), 403)

    def _claim(self, request: HttpRequest, review: Review, by: User) -> HttpResponse:
        queue.claim_review(review=review, by=by)
        return Redirect(_address(request, review))

    def _opinion(self, request: HttpRequest, review: Review, by: User) -> HttpResponse:
        opinion = request.POST.get("opinion", "")
        if opinion not in Opinion.values:
            return HttpResponseBadRequest(_("Nothing to do."))
        queue.give_opinion(review=review, by=by, opinion=Opinion(opinion))
        return Redirect(_address(request, review))

    def _draft(self, request: HttpRequest, review: Review, by: User) -> HttpResponse:
        """Store what is filled in and keep the item reserved; an open page asks regularly."""
        until = queue.keep(review=review, by=by)
        if until:
            queue.release_others(review=review, by=by)
        filled = _filled(request, review)
        saved = until is not None and save_draft(review=review, by=by, fields=filled.to_json())
        following = _following(request, by, review) if until else None
        context = {
            "until": until,
            "saved": saved,
            "empty": filled == FormValues(evidence_seconds=filled.evidence_seconds),
            "now": localtime(),
            "ahead": stamp(following) if following else "",
        }
        return TemplateResponse(request, "admin/analysis/review/draft.html", context)

    def _decide(self, request: HttpRequest, review: Review, by: User) -> HttpResponse:
        filled = _filled(request, review)
        if filled.decision not in [str(d) for d in desk.REVIEWERS_DECISIONS]:
            raise UnfitDecision("decision", _("Choose a decision: confirm, overturn or escalate."))
        decision = ReviewDecision(filled.decision)
        version = request.POST.get("version", "")
        if not version.isdecimal():
            return HttpResponseBadRequest(_("The version is missing."))
        decide_review(
            review=review, decision=decision, by=by, words=filled.words(), version=int(version)
        )
        settles = decision in (ReviewDecision.APPROVED, ReviewDecision.REFUSED)
        notice = _("Decided: %s. This cannot be undone.") % decision.label if settles else ""
        return self._to_next(request, by, review, notice)

    def _undo(self, request: HttpRequest, review: Review, by: User) -> HttpResponse:
        undo_decision(review=review, by=by)
        messages.success(request, _("The decision was undone; what you had entered is here again."))
        return Redirect(_address(request, review))

    def _skip(self, request: HttpRequest, review: Review, by: User) -> HttpResponse:
        reason = request.POST.get("skip_reason", "").strip()
        if not reason:
            raise UnfitDecision(
                "skip_reason", _("Say why you skip it; the next reviewer will read it.")
            )
        queue.skip(review=review, by=by, reason=reason)
        return self._to_next(request, by, review, _("Skipped: it is not offered to you again."))

    def _snooze(self, request: HttpRequest, review: Review, by: User) -> HttpResponse:
        hours = request.POST.get("hours", "")
        if not hours.isdecimal() or not 0 < int(hours) <= MAX_SNOOZE_HOURS:
            raise UnfitDecision("hours", _("Between 1 and %d hours.") % MAX_SNOOZE_HOURS)
        queue.snooze(review=review, by=by, hours=int(hours))
        notice = ngettext(
            "Snoozed: it comes back in %d hour.", "Snoozed: it comes back in %d hours.", int(hours)
        )
        return self._to_next(request, by, review, notice % int(hours))

    def _assign(self, request: HttpRequest, review: Review, by: User) -> HttpResponse:
        assignee = request.POST.get("assignee", "").strip()
        to = _assignee(review, assignee)
        queue.assign(review=review, by=by, to=to)
        notice = _("Assigned to %s.") % (to or _("anybody"))
        return self._to_next(request, by, review, notice)

    def _release(self, request: HttpRequest, review: Review, by: User) -> HttpResponse:
        queue.release(review=review, by=by)
        return Redirect(reverse("admin:analysis_review_changelist"))

    def _to_next(
        self, request: HttpRequest, by: User, behind: Review | None = None, notice: str = ""
    ) -> HttpResponse:
        """Redirect to the next item of the URL's queue, or to the empty bench.

        The notice tells what was done with the one before, where it cannot be undone.
        """
        review = queue.claim_next(by=by, behind=behind, **_queue_of(request).offers)
        if review is None:
            messages.info(request, _("This queue is empty."))
            return _go(request, _address(request))
        queue.release_others(review=review, by=by)
        loaded = request.headers.get(AHEAD_HEADER)
        if loaded and loaded == stamp(review, before_lease=True):
            return self._already_loaded(request, review, by, notice)
        if notice:
            messages.success(request, notice)
        return _go(request, _address(request, review))

    def _already_loaded(
        self, request: HttpRequest, review: Review, by: User, notice: str
    ) -> HttpResponse:
        """Return only the parts of this item's page that changed since it was prefetched."""
        context = {
            "review": review,
            "notice": notice,
            "undo": desk.undoable(by),
            "day": desk.decisions_since(by),
            "waiting": desk.waiting(_offers(request, by).exclude(pk=review.pk)),
            "query": request.GET.urlencode(),
            "icons": static("watchdog/icons.svg"),
        }
        response = TemplateResponse(request, "admin/analysis/review/loaded.html", context)
        response.headers[AHEAD_HEADER] = stamp(review, before_lease=True)
        return response

    def _refuse(
        self, request: HttpRequest, review: Review, by: User, why: str, status: int
    ) -> HttpResponse:
        """Return the current page with what was submitted and why it was refused."""
        current_review = _with_people(desk.visible_reviews(by)).filter(pk=review.pk).first()
        if current_review is None:
            return self.desk.missing(request)
        filled = _filled(request, review) if request.POST.get("do") == "decide" else None
        response = self._show(request, current_review, by, submitted=filled, refused=why)
        response.status_code = status
        return response

    def _show(
        self,
        request: HttpRequest,
        review: Review,
        by: User,
        *,
        submitted: FormValues | None = None,
        refused: str = "",
        ahead: bool = False,
    ) -> HttpResponse:
        try:
            check_and_document = whole_check(desk.visible_checks(by), review.check_record_id)
        except CheckErased:  # its page tells what is left
            return Redirect(reverse("admin:analysis_check_change", args=[review.check_record_id]))
        if check_and_document is None:
            raise Http404
        check, document = check_and_document
        params = ViewParams.of(request.GET.dict())
        mine = ahead or desk.may_decide_now(by, review)
        opinion_first = wants_opinion_first(check)
        blind = (
            mine
            and opinion_first
            and review.stage == ReviewStage.FIRST
            and (review.opinion is None or review.claimed_by_id != by.pk)
        )
        filled = submitted or (
            FormValues.from_draft(draft_of(review, by)) if mine else FormValues()
        )
        judging = {"mine": mine, "choices": CHOICES, "filled": filled}
        icons = static("watchdog/icons.svg")
        if later := page.later_claim(check, document, _number(request.GET.get("evidence", ""))):
            context = {"detail": later, "icons": icons, "check": check, **judging}
            return TemplateResponse(request, "admin/analysis/review/evidence.html", context)
        view = page.build(check, document, params, words.state_words(check))
        queue_choice, after = _queue_of(request), _number(request.GET.get("after", ""))
        offers = desk.offered(by, **queue_choice.offers, with_own=not ahead).exclude(pk=after)
        earlier = [r for r in desk.reviews_of(check, by) if r.decision]
        context = self.desk.page_context(
            request,
            review,
            page=view,
            check=check,
            review=review,
            at_desk=True,
            blind=blind,
            opinion_first=opinion_first,
            opinions=[(*each, key) for key, each in enumerate(Opinion.choices, 1)],
            instructions=list(desk.instructions_for(review)),
            sentences=page.aligned(check, document, params) if view.done and not blind else [],
            form=form_of(review, filled) if mine else None,
            items=desk.list_rows(offers),
            queue=queue_choice,
            sources=sources(check),
            **judging,
            refused=refused,
            overdue=review.is_overdue,
            now=timezone.now(),
            may_claim=not mine and desk.may_claim(by, review),
            earlier=earlier,
            labels=desk.labels_of(earlier),
            neighbours=[] if blind else neighbours(check, by),
            colleagues=desk.colleagues(review) if mine else [],
            teams=list(desk.teams(review)) if mine else [],
            undo=desk.undoable(by),
            day=desk.decisions_since(by),
            waiting=desk.waiting(_offers(request, by).exclude(pk=review.pk)) if mine else 0,
            query=request.GET.urlencode(),
            here=_address(request, review),
            stamp=stamp(review),
            icons=icons,
            title=_("Review: %s") % excerpt(check.query or check.answer, 60),
        )
        return TemplateResponse(request, "admin/analysis/review/work.html", context)


def wants_opinion_first(check: Check) -> bool:
    """Return whether the policy that decided wants a first opinion before the verdict is shown."""
    answer = getattr(check, "annotated_answer", None)
    if answer is None:
        return False
    asking = candidates(PolicyRules.from_json(answer.policy.rules), check.collections)
    return any(rules.review.opinion_first for _, rules in asking)


def stamp(review: Review, *, before_lease: bool = False) -> str:
    """Return a review's id and version.

    `before_lease` gives the version offered before the lease.
    """
    return f"{review.pk}.{review.version - before_lease}"


def _following(request: HttpRequest, by: User, behind: Review | None = None) -> Review | None:
    """Return what "next" would give once the review `behind` is decided."""
    return desk.most_urgent(_with_people(_offers(request, by)), by, behind)


def _offers(request: HttpRequest, by: User) -> QuerySet[Review]:
    """Return the reviews offered in the queue that this person works on."""
    return desk.offered(by, **_queue_of(request).offers)


def _with_people(reviews: QuerySet[Review]) -> QuerySet[Review]:
    return reviews.select_related("application", "decided_by", "claimed_by")


def _go(request: HttpRequest, address: str) -> HttpResponse:
    """Redirect; a script that has prefetched the page is told the address and goes itself."""
    if AHEAD_HEADER in request.headers:
        return HttpResponse(status=204, headers={GO_HEADER: address})
    return Redirect(address)


def _number(text: str) -> int:
    return int(text) if is_id(text) else 0


def _member(request: HttpRequest) -> User:
    """Return the logged-in user with an application to see; raise PermissionDenied otherwise."""
    if not access.sees_anything(request.user):
        raise PermissionDenied
    return person(request)


def _assignee(review: Review, name: str) -> User | Team | None:
    """Return the user by name, a team for "team:ID" (no user name has a colon), None for ""."""
    if not name:
        return None
    kind, _colon, team = name.partition(":")
    user: User | Team | None
    if kind == "team" and team.isdecimal():
        user = desk.teams(review).filter(pk=int(team)).first()
    else:
        user = User.objects.filter(username=name, is_active=True).first()
    if user is None:
        raise UnfitDecision("assignee", _("There is no reviewer or team “%s”.") % name)
    return user


def _filled(request: HttpRequest, review: Review) -> FormValues:
    return FormValues.of(request.POST, outline(review.check_record_id))


def _queue_of(request: HttpRequest) -> _QueueChoice:
    """Return the queue that the URL names; anything invalid means all."""
    params = request.GET
    reason, stage = params.get("reason", ""), params.get("stage", "")
    try:
        application = UUID(params.get("application", ""))
    except ValueError:
        application = None
    reason = reason if reason in ReviewReason.values else ""
    stages: tuple[ReviewStage, ...] = _BEFORE_SETTLING if reason else ()
    if stage in ReviewStage.values:
        stages = (ReviewStage(stage),)
    return _QueueChoice(application, reason, stages)


def _address(request: HttpRequest, review: Review | None = None) -> str:
    """Return the page of the review, or that of an empty queue, in the queue of the URL."""
    query = _queue_of(request).query
    address = reverse(f"admin:{ITEM}", args=[review.pk]) if review else reverse(f"admin:{BENCH}")
    return f"{address}?{query}" if query else address
