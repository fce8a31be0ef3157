"""Reviews in the admin: open ones, oldest first, and decided ones."""

from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, QueryDict
from django.http import HttpResponseRedirect as Redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from accounts import access
from accounts.access import or_404
from accounts.filters import ApplicationFilter
from analysis.admin.badges import NOTHING, badge, brief, outcome
from analysis.admin.base import RowPageAdmin, person
from analysis.models import Check, Review, ReviewDecision, ReviewReason, ReviewStage
from desk.reviews.admin import bulk
from desk.reviews.admin.checks import ExcerptAdmin
from desk.reviews.admin.filters import DueFilter, OpenFilter, ReasonFilter, StageFilter
from desk.reviews.admin.pages import PAGES
from desk.reviews.admin.workbench import ITEM, QUEUE_PARAMETERS, Workbench
from desk.reviews.figures.filters import DecidedFilter
from desk.reviews.selectors import desk
from desk.reviews.selectors.desk import REVIEWERS_DECISIONS
from desk.reviews.services.conflicts import NotYours, ReviewConflict
from desk.reviews.services.reviews import UnfitDecision, decide_review


@admin.register(Review)
class ReviewAdmin(ExcerptAdmin, RowPageAdmin):
    """An admin whose reviews are decided on the page of their check, next to the evidence."""

    check_field = "check_record"
    with_excerpts = staticmethod(desk.review_rows)
    list_display = (
        "due", "action_word", "question", "because", "labels", "why", "score", "holder", "created",
        "of_application",
    )  # fmt: skip
    actions = ("decide_together",)
    search_fields = ("check_record",)
    search_help_text = _(
        'Words of question and answer, "a phrase", -without, begin*; a value of the metadata, such '
        "as a ticket; or the id of a check."
    )
    list_filter = (
        DecidedFilter, OpenFilter, ReasonFilter, StageFilter, DueFilter, ApplicationFilter,
    )  # fmt: skip
    allowed_lookups = frozenset(
        {"state", "reason", "stage", "due", "application", *DecidedFilter.parameters}
    )

    def check_of(self, row: Review) -> Check:
        return row.check_record

    def get_queryset(self, request: HttpRequest) -> QuerySet[Review]:
        """Return the visible reviews: no first decision while this person could make the second."""
        return desk.visible_reviews(request.user)

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        """Return the columns: for open reviews who has them, for decided ones who decided what."""
        if request.GET.get(OpenFilter.parameter_name) != OpenFilter.DECIDED:
            return self.list_display
        names = {"due": "decided", "holder": "decision_word"}
        return tuple(names.get(name, name) for name in self.list_display if name != "created")

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """Order open reviews by risk and age as the desk does, decided ones newest first."""
        decided = request.GET.get(OpenFilter.parameter_name) == OpenFilter.DECIDED
        return ("-id",) if decided else ("rank_at", "id")

    @admin.display(description=_("waiting since"), ordering="created_at")
    def created(self, review: Review) -> SafeString | str:
        return brief(review.created_at)

    @admin.display(description=_("decided"), ordering="decided_at")
    def decided(self, review: Review) -> SafeString | str:
        return brief(review.decided_at)

    @admin.display(description=_("queue"))
    def why(self, review: Review) -> str:
        """Return the reason, the stage, and whether the check is a quality sample."""
        plain = (ReviewReason.BLOCK, ReviewReason.WARN)  # the action says as much
        parts = [review.get_reason_display()] if review.reason not in plain else []
        if review.stage != ReviewStage.FIRST:
            parts.append(review.get_stage_display())
        if review.check_record.sampled and review.reason != ReviewReason.QUALITY_SAMPLE:
            parts.append(gettext("quality sample"))
        return ", ".join(parts)

    @admin.display(description=_("due"), ordering="due_at")
    def due(self, review: Review) -> SafeString | str:
        """Show when a decision is due; mark it once that is past."""
        words = brief(review.due_at)
        return (
            format_html('<strong class="wd-late">{}</strong>', words)
            if review.is_overdue
            else words
        )

    @admin.display(description=_("reviewer"))
    def holder(self, review: Review) -> str:
        """Return who holds the review, or to whom it is assigned."""
        if review.claimed_by and review.lease_until and review.lease_until > timezone.now():
            return gettext("%s, working on it") % review.claimed_by
        return str(review.assigned_to or review.assigned_team or "")

    @admin.display(description=_("action"))
    def action_word(self, review: Review) -> SafeString:
        return outcome(review.check_record)

    @admin.display(description=_("risk"), ordering="check_record__risk_score")
    def score(self, review: Review) -> int | None:
        return review.check_record.risk_score

    @admin.display(description=_("decision"))
    def decision_word(self, review: Review) -> SafeString | str:
        """Return what was decided, and by whom."""
        by = review.decided_by.get_username() if review.decided_by else NOTHING
        return format_html("{} {}", badge(str(review.get_decision_display()), review.decision), by)

    def get_urls(self) -> list[URLPattern]:
        """Add the URLs of the buttons and the workbench to the stock ones."""
        decide = self.admin_site.admin_view(self.decide)
        return [
            path("<int:review_id>/decide/", decide, name="analysis_review_decide"),
            path("bulk/", self.admin_site.admin_view(self.bulk), name="analysis_review_bulk"),
            *(
                path(
                    f"{name}/",
                    self.admin_site.admin_view(partial(page, self)),
                    name=f"analysis_review_{name}",
                )
                for name, page in PAGES.items()
            ),
            *Workbench(self).urls(),
            *super().get_urls(),
        ]

    def row_page(self, request: HttpRequest, review: Review) -> HttpResponse:
        """Redirect to the review screen, whose queue is the filter of the list left for it."""
        filters = QueryDict(request.GET.get("_changelist_filters", ""))
        query = {name: filters[name] for name in QUEUE_PARAMETERS if name in filters}
        return Redirect(reverse(f"admin:{ITEM}", args=[review.pk], query=query or None))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Return the stock actions, and the bulk decision for those who decide."""
        return super().get_actions(request) if access.decides_anything(request.user) else {}

    @admin.action(description=_("Decide together…"))
    def decide_together(self, request: HttpRequest, queryset: QuerySet[Review]) -> Any:
        """Preview the bulk decision on the selected reviews."""
        return bulk.preview(self, request, queryset)

    @method_decorator(require_POST)
    def bulk(self, request: HttpRequest) -> HttpResponse:
        return bulk.decide(self, request)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the list, the way to oversight for those who may see it, and what can be undone."""
        just_decided = request.session.get(bulk.DECIDED, [])
        context = {
            "oversees": access.oversees_anything(request.user),
            "undoable": desk.undoable_together(request.user, just_decided),
        }
        return super().changelist_view(request, {**context, **(extra_context or {})})

    @method_decorator(require_POST)
    def decide(self, request: HttpRequest, review_id: int) -> HttpResponse:
        review = or_404(self.get_queryset(request).get, pk=review_id)
        if not access.may_decide(request.user, review.application_id):
            raise PermissionDenied
        name, note = request.POST.get("decision"), request.POST.get("note", "").strip()
        if name not in REVIEWERS_DECISIONS:
            return HttpResponseBadRequest(_("A decision is missing."))
        decision = ReviewDecision(name)
        try:
            decide_review(review=review, decision=decision, by=person(request), note=note)
            messages.success(request, _("The review is %s.") % str(decision.label).lower())
        except ReviewConflict as error:
            messages.error(request, " ".join((gettext("Nothing was changed:"), error.what)))
        except UnfitDecision as error:
            if error.field != "reason_codes":
                return HttpResponseBadRequest(error.why)
            messages.error(request, " ".join((gettext("Nothing was changed:"), error.why)))
        except NotYours as error:
            raise PermissionDenied from error
        page = reverse("admin:analysis_check_change", args=[review.check_record_id])
        return Redirect(f"{page}#review")
