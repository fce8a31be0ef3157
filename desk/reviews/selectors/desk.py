"""Reads for the pages of the review desk, each with the columns and joins it needs.

This module decides who may see, be offered or decide a review; pages, API and services ask it.
"""

from collections.abc import Collection, Iterable
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    Func,
    IntegerField,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Left, Now
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from accounts import access
from accounts.access import Person
from accounts.models import Role, Team
from analysis.models import (
    AnnotatedAnswer,
    CaseUse,
    Check,
    Claim,
    QueueInstructions,
    Review,
    ReviewDecision,
    ReviewReason,
    ReviewSkip,
    ReviewStage,
)
from analysis.selectors.excerpts import ANSWER, QUESTION
from analysis.selectors.reason_codes import reason_labels
from desk.reviews.selectors.decision_counts import SETTLED

UNDO = timedelta(minutes=1)
"""The time for undoing a decision; the trigger `review_decision_fixed` enforces the same."""
MOST_WAITING = 1_000
LISTED = 50
"""Items of a queue that stand beside the one that is read."""
_OF_HELD = (ReviewDecision.APPROVED, ReviewDecision.REFUSED)
"""Final at once: the answer is on its way."""
UNDOABLE = (*SETTLED, ReviewDecision.ESCALATED)
REVIEWERS_DECISIONS = (*SETTLED, *_OF_HELD, ReviewDecision.ESCALATED)
BLIND = Q(stage=ReviewStage.SECOND, decision=None) & ~Q(reason=ReviewReason.HELD)
"""An open review that hides the first. Whoever approves a held answer as the second person reads
the text that the first approved."""
_FREE = Q(claimed_by=None) | Q(lease_until__lt=Now())
_UNASSIGNED = Q(assigned_to=None, assigned_team=None)
_NO_TEXT = (
    "query", "answer", "sources", "collections", "scope", "samples", "token_logprobs", "messages",
)  # fmt: skip


def _deciding_code(check: str) -> Subquery:
    """Return the code of the reason that decided a check; null while there is no result."""
    code = Func(
        "decision",
        template="jsonb_path_query_first(%(expressions)s,"
        " '$.reasons[*] ? (@.decided == true).code') #>> '{}'",
        output_field=TextField(),
    )
    results = AnnotatedAnswer.objects.filter(pk=OuterRef(check)).annotate(code=code)
    return Subquery(results.values("code"), output_field=TextField())


def check_rows(checks: QuerySet[Check]) -> QuerySet[Check]:
    """Return checks as rows of a list: beginnings of their texts, and the number of claims."""
    claims = Claim.objects.filter(annotated_answer=OuterRef("pk")).order_by()
    claim_counts = claims.values("annotated_answer").annotate(n=Count("pk")).values("n")
    return (
        checks.defer(*_NO_TEXT)
        .select_related("application")
        .annotate(
            question=Left("query", QUESTION + 1),
            said=Left("answer", ANSWER + 1),
            claims_total=Coalesce(Subquery(claim_counts, output_field=IntegerField()), 0),
            because=_deciding_code("pk"),
        )
    )


def review_rows(reviews: QuerySet[Review]) -> QuerySet[Review]:
    """Return reviews as rows of a list, with the outcome of their checks."""
    return (
        reviews.select_related(
            "application",
            "decided_by",
            "claimed_by",
            "assigned_to",
            "assigned_team",
            "check_record",
        )
        .defer(*(f"check_record__{name}" for name in _NO_TEXT))
        .annotate(
            question=Left("check_record__query", QUESTION + 1),
            said=Left("check_record__answer", ANSWER + 1),
            because=_deciding_code("check_record"),
        )
    )


def visible_reviews(user: Person) -> QuerySet[Review]:
    """Return the reviews of the applications that this person may see, as auditor too.

    A second review is blind: while it is open, nobody who could decide it reads the first.
    """
    second = Review.objects.filter(BLIND, check_record=OuterRef("check_record"))
    ours = Q(application__in=access.deciding_in(user))
    # Cheap conditions come first: for an open review nothing else is queried.
    open_or_own = Q(decision=None) | Q(decided_by=user.pk)
    return access.visible(Review.objects.filter(open_or_own | ~ours | ~Exists(second)), user)


def visible_checks(user: Person) -> QuerySet[Check]:
    """Return the checks that this person may open: traffic, and seeded cases, which look alike."""
    rows = Check.everything.filter(Q(is_probe=False) | Q(case__use=CaseUse.SEEDED))
    return access.visible(rows, user)


def decidable(user: Person) -> QuerySet[Review]:
    """Return the reviews that this person may decide by role, stage and earlier decisions.

    Only a lead adjudicates, and nobody judges the same check twice.
    """
    ours = Q(application__in=access.deciding_in(user))
    leads = Q(application__in=access.leading(user))
    own = Review.objects.filter(
        check_record=OuterRef("check_record"),
        decided_by=user.pk,
        decision__in=REVIEWERS_DECISIONS,
    ).exclude(pk=OuterRef("pk"))
    by_stage = Q(stage=ReviewStage.FIRST) | ~Exists(own)
    by_role = ~Q(stage=ReviewStage.ADJUDICATION) | leads
    return Review.objects.filter(ours & by_role & by_stage)


def offered(
    user: Person,
    *,
    application_id: UUID | None = None,
    reason: str = "",
    stages: Collection[ReviewStage] = (),
    with_own: bool = False,
) -> QuerySet[Review]:
    """Return what "next" may give this person, most urgent first, of `stages` only, if any.

    Open, held by nobody, not snoozed, not assigned to others, not skipped by them. `with_own`: with
    what they hold themselves.
    """
    skipped = ReviewSkip.objects.filter(review=OuterRef("pk"), skipped_by=user.pk)
    offers = decidable(user).filter(
        free_for(user) if with_own else _FREE,
        Q(snoozed_until=None) | Q(snoozed_until__lt=Now()),
        assigned_or_free(user),
        ~Exists(skipped),
        decision=None,
    )
    if application_id is not None:
        offers = offers.filter(application_id=application_id)
    if reason:
        offers = offers.filter(reason=reason)
    if stages:
        offers = offers.filter(stage__in=stages)
    return offers.order_by("rank_at", "id")


def most_urgent(
    offers: QuerySet[Review], user: Person, behind: Review | None = None
) -> Review | None:
    """Return the first to be done: assigned to this person, else to a team, else to nobody.

    With `behind`, an item chosen from the list, the list goes on after it, and at its end from the
    top.
    """
    if behind is not None:
        further = Q(rank_at__gt=behind.rank_at) | Q(rank_at=behind.rank_at, id__gt=behind.pk)
        offers = offers.exclude(pk=behind.pk)
        if (following := most_urgent(offers.filter(further), user)) is not None:
            return following
    return (
        offers.filter(assigned_to=user.pk).first()
        or offers.filter(assigned_team__isnull=False).first()
        or offers.filter(_UNASSIGNED).first()
    )


def list_rows(offers: QuerySet[Review]) -> list[Review]:
    """Return the first of these offers as rows of a list, in the order of "next"."""
    rows = review_rows(offers)
    people_first = (F("assigned_to").asc(nulls_last=True), "rank_at", "id")
    assigned = list(rows.exclude(_UNASSIGNED).order_by(*people_first)[:LISTED])
    others = rows.filter(_UNASSIGNED).order_by("rank_at", "id")
    return [*assigned, *others[: LISTED - len(assigned)]]


def waiting(offers: QuerySet[Review]) -> int:
    """Return how many offers there are, at most MOST_WAITING."""
    return offers.order_by()[:MOST_WAITING].count()


def assigned_or_free(user: Person) -> Q:
    """Return the condition: assigned to nobody, to this person, or to one of their teams."""
    teams = Team.objects.filter(members=user.pk)
    return _UNASSIGNED | Q(assigned_to=user.pk) | Q(assigned_team__in=teams)


def current_review(user: Person) -> Review | None:
    """Return the open review that this person holds, the latest claimed."""
    claims = decidable(user).filter(claimed_by=user.pk, decision=None, lease_until__gte=Now())
    return claims.order_by("-lease_until").first()


def reviews_of(check: Check, user: Person) -> list[Review]:
    """Return the reviews of a check that this person may read, newest first.

    At most one is open.
    """
    reviews = visible_reviews(user).filter(check_record=check)
    return list(reviews.select_related("decided_by", "claimed_by").order_by("-id"))


def labels_of(reviews: Iterable[Review]) -> dict[str, str]:
    """Return the labels of the reason codes of these reviews, by code."""
    return reason_labels({code for review in reviews for code in review.reason_codes})


@dataclass(frozen=True, slots=True)
class Queue:
    """The open reviews of an application for one reason, or those for a lead to adjudicate."""

    application_id: UUID
    application: str
    settles: bool
    reason: str
    depth: int
    overdue: int
    oldest: datetime
    next_due: datetime | None

    @property
    def words(self) -> str:
        if self.settles:
            return _("disagreements and escalations, for a lead to settle")
        return str(ReviewReason(self.reason).label)

    @property
    def query(self) -> str:
        """The query string that names the queue."""
        which = f"stage={ReviewStage.ADJUDICATION}" if self.settles else f"reason={self.reason}"
        return f"application={self.application_id}&{which}"


def queues(user: Person) -> list[Queue]:
    """Return the queues that offer this person something.

    Adjudications for leads come first, then the queues with the most overdue reviews.
    """
    settles = Q(stage=ReviewStage.ADJUDICATION)
    rows = (
        offered(user)
        .order_by()
        .annotate(settles=settles, why=Case(When(settles, then=Value("")), default="reason"))
        .values_list("application_id", "application__name", "settles", "why")
        .annotate(
            depth=Count("pk"),
            late=Count("pk", filter=Q(due_at__lt=Now())),
            first=Min("created_at"),
            due=Min("due_at"),
        )
        .order_by("-settles", "-late", "application__name", "why")
    )
    return [Queue(*row) for row in rows]


@dataclass(frozen=True, slots=True)
class DayFigures:
    """The number of reviews that one person has decided in a day, by decision."""

    confirmed: int
    overturned: int
    approved: int
    refused: int
    escalated: int

    @property
    def total(self) -> int:
        return sum(astuple(self))


def decisions_since(user: Person, start: datetime | None = None) -> DayFigures:
    """Return what this person has decided since `start`; undone decisions do not count.

    By default since midnight in the server's time zone.
    """
    begin = start or localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    reviews = Review.objects.filter(decided_by=user.pk, decided_at__gte=begin)
    counts = {
        str(decision): Count("pk", filter=Q(decision=decision)) for decision in REVIEWERS_DECISIONS
    }
    return DayFigures(**reviews.aggregate(**counts))


def undoable(user: Person) -> Review | None:
    """Return the latest decision that this person can still undo."""
    latest_first = just_decided(user).order_by("-decided_at", "-id")
    return latest_first.annotate(question=Left("check_record__query", QUESTION)).first()


def undoable_together(user: Person, ids: list[int]) -> int:
    """Return how many of these reviews this person decided less than a minute ago."""
    return just_decided(user).filter(pk__in=ids).count() if ids else 0


def just_decided(user: Person) -> QuerySet[Review]:
    """Return the decisions that this person can still undo, but for what was built on them."""
    return Review.objects.filter(
        decided_by=user.pk, decided_at__gte=Now() - UNDO, decision__in=UNDOABLE
    )


def instructions_for(review: Review) -> QuerySet[QueueInstructions]:
    """Return the lead's instructions for all queues and for that of the review."""
    reasons = ("", review.reason)
    instructions = QueueInstructions.objects.filter(application=review.application_id)
    return instructions.filter(reason__in=reasons).order_by("reason")


def decisions_on(review: Review) -> list[ReviewDecision]:
    """Return the decisions that a review can end with; an adjudication is final."""
    decisions = _OF_HELD if review.reason == ReviewReason.HELD else SETTLED
    settles = review.stage == ReviewStage.ADJUDICATION
    return [*decisions, *([] if settles else [ReviewDecision.ESCALATED])]


def free_for(user: Person) -> Q:
    """Return the condition that nobody else holds the review."""
    return _FREE | Q(claimed_by=user.pk)


def may_decide_now(user: Person, review: Review) -> bool:
    """Return whether this person may decide the review, and nobody else has it or should."""
    mine = free_for(user) & assigned_or_free(user)
    return decidable(user).filter(mine, pk=review.pk, decision=None).exists()


def may_claim(user: Person, review: Review) -> bool:
    """Return whether this person may claim the review now."""
    return decidable(user).filter(free_for(user), pk=review.pk, decision=None).exists()


def colleagues(review: Review) -> list[str]:
    """Return the user names of those to whom the review may be assigned, by role."""
    return list(_deciders(review).values_list("username", flat=True)[:200])


def teams(review: Review) -> QuerySet[Team]:
    """Return the teams to which the review may be assigned: a member may decide it."""
    teams = Team.objects.filter(application=review.application_id, members__in=_deciders(review))
    return teams.distinct().order_by("name")


def _deciders(review: Review) -> QuerySet[User]:
    settles = review.stage == ReviewStage.ADJUDICATION
    roles = frozenset({Role.LEAD}) if settles else access.DECIDING
    return access.deciders(review.application_id, roles=roles)
