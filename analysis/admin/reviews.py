"""Reviews in the admin: what waits for a person, oldest first, and what was decided."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.http import HttpResponseRedirect as Redirect
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST

from accounts import access
from accounts.filters import ApplicationFilter
from analysis.admin.badges import badge, excerpt, moment
from analysis.admin.base import MemberAdmin, person
from analysis.admin.filters import OpenFilter, ReasonFilter
from analysis.models import Review, ReviewDecision
from analysis.selectors import desk
from analysis.selectors.desk import REVIEWERS_DECISIONS
from analysis.services.conflicts import NotYours, ReviewConflict
from analysis.services.reviews import UnfitDecision, decide_review


class ReviewList(ChangeList):
    """Rows with the outcome of their checks."""

    def get_queryset(self, *args: Any, **kwargs: Any) -> QuerySet[Review]:
        """The filtered reviews as lines."""
        return desk.review_rows(super().get_queryset(*args, **kwargs))


@admin.register(Review)
class ReviewAdmin(MemberAdmin):
    """A review is decided on the page of its check, where the evidence is."""

    list_display = (
        "created", "application", "why", "question", "action_word", "score", "decision_word",
        "decided_by", "decided",
    )  # fmt: skip
    list_display_links = ("created", "question")
    list_filter = (OpenFilter, ReasonFilter, ApplicationFilter)
    allowed_lookups = frozenset({"state", "reason", "application"})

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ReviewList]:
        """Our lines."""
        return ReviewList

    def get_queryset(self, request: HttpRequest) -> QuerySet[Review]:
        """What this person may see: no first decision while they could make the second."""
        return desk.seen(request.user)

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """What waits longest first; of the decided, the newest first."""
        decided = request.GET.get(OpenFilter.parameter_name) == OpenFilter.DECIDED
        return ("-id",) if decided else ("created_at", "id")

    @admin.display(description="waits since")
    def created(self, review: Review) -> str:
        """When it came onto the desk."""
        return moment(review.created_at)

    @admin.display(description="decided")
    def decided(self, review: Review) -> str:
        """When."""
        return moment(review.decided_at)

    @admin.display(description="why")
    def why(self, review: Review) -> str:
        """Why it is on the desk."""
        return review.get_reason_display()

    @admin.display(description="question")
    def question(self, review: Any) -> str:
        """The beginning of it."""
        return excerpt(review.question, desk.EXCERPT)

    @admin.display(description="action")
    def action_word(self, review: Review) -> SafeString | str:
        """What the check said."""
        return badge(review.check_record.action or review.check_record.state)

    @admin.display(description="score")
    def score(self, review: Review) -> int | None:
        """0 to 100."""
        return review.check_record.risk_score

    @admin.display(description="decision")
    def decision_word(self, review: Review) -> SafeString | str:
        """Confirmed, overturned, escalated or replayed; open."""
        return badge(review.decision) if review.decision else "open"

    def get_urls(self) -> list[URLPattern]:
        """The stock pages and the three buttons."""
        decide = self.admin_site.admin_view(self.decide)
        return [
            path("<int:review_id>/decide/", decide, name="analysis_review_decide"),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """To the page of the check."""
        if request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        review = self.get_object(request, object_id)
        if review is None:
            return self.missing(request)
        return Redirect(_check_page(review))

    @method_decorator(require_POST)
    def decide(self, request: HttpRequest, review_id: int) -> HttpResponse:
        """Confirm, overturn or escalate."""
        review = self.get_queryset(request).filter(pk=review_id).first()
        if review is None:
            raise Http404
        if not access.may_decide(request.user, review.application_id):
            raise PermissionDenied
        decision, note = request.POST.get("decision"), request.POST.get("note", "").strip()
        if decision not in REVIEWERS_DECISIONS:
            return HttpResponseBadRequest("A decision is missing.")
        try:
            self._decide(request, review, ReviewDecision(decision), note)
        except UnfitDecision as error:
            return HttpResponseBadRequest(error.why)
        except NotYours as error:
            raise PermissionDenied from error
        return Redirect(_check_page(review))

    def _decide(
        self, request: HttpRequest, review: Review, decision: ReviewDecision, note: str
    ) -> None:
        try:
            decide_review(review=review, decision=decision, by=person(request), note=note)
            messages.success(request, f"The review is {decision.label.lower()}.")
        except ReviewConflict as error:
            messages.error(request, f"Nothing was changed: {error.what}")


def _check_page(review: Review) -> str:
    return reverse("admin:analysis_check_change", args=[review.check_record_id]) + "#review"
