"""The sampling plan: strata, what is needed, the share that follows, and who may change it."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django.asserts import assertNumQueries

from accounts.models import Role, Scope
from analysis.models import ReviewDecision, SamplingPlan
from audit.models import Event, TrailEntry
from desk.policies.advice.report import AdviceRequest, advise
from desk.reviews.selectors.sampling import Stratum, share_needed, strata
from desk.reviews.services.sampling import adjust_shares, save_plan
from operations.evidence import Period, chapters_of

pytestmark = pytest.mark.usefixtures("empty_redis")
BAD = {"answer": "The mill has 20 rooms.", "sources": ["The mill has 10 rooms."]}
GOOD = {"answer": "The mill has 10 rooms.", "sources": ["The mill has 10 rooms."]}
CONFIRMED, OVERTURNED = ReviewDecision.CONFIRMED, ReviewDecision.OVERTURNED
PATH, PAGE = "/api/v1/reviews/sampling", "/admin/analysis/review/sampling/"


def parts_of(plan: SamplingPlan) -> dict[str, Stratum]:
    now = timezone.now()
    parts = strata(plan, start=now - timedelta(days=1), end=now + timedelta(days=1))
    return {part.name: part for part in parts}


def test_strata_count_the_sample_alone(application, reviewed, checked, anna) -> None:
    reviewed(CONFIRMED, **GOOD)
    reviewed(OVERTURNED, **BAD)
    reviewed(CONFIRMED, **BAD)
    reviewed(OVERTURNED, sampled=False, **BAD)  # flagged, and not drawn
    reviewed(ReviewDecision.ESCALATED, **GOOD)  # not settled
    checked(**GOOD)  # drawn by none, as the line above left no rate
    plan = SamplingPlan(application=application, most_error=0.3, confidence=0.9)
    with assertNumQueries(2):
        parts = parts_of(plan)
    assert set(parts) == {"ALLOW", "BLOCK"}
    block, allow = parts["BLOCK"], parts["ALLOW"]
    assert (block.checks, block.sample_size, block.decided, block.wrong) == (3, 2, 2, 1)
    assert (allow.decided, allow.wrong) == (1, 0)
    # ln 0.1 / ln 0.7 = 6.5; with one wrong P(X <= 1 | 12, 0.3) = 0.085 is the first below 0.1.
    assert (allow.sample_needed, block.sample_needed) == (7, 12)
    assert allow.high == pytest.approx(0.9)  # 1 - 0.1 ** (1 / 1)
    assert not allow.is_met
    assert share_needed(plan, list(parts.values())) == plan.most_share

    divided = SamplingPlan(application=application, by_band=True, by_segment=True)
    assert all(", " in name for name in parts_of(divided))
    whole = parts_of(SamplingPlan(application=application, by_action=False))
    assert whole["all"].checks == 6


def test_a_plan_is_met_by_as_many_as_it_needs(application, reviewed) -> None:
    plan = SamplingPlan(application=application, most_error=0.5, confidence=0.75, by_action=False)
    for _ in range(2):
        reviewed(CONFIRMED, **GOOD)
    part = parts_of(plan)["all"]
    assert (part.sample_needed, part.decided, part.is_met) == (2, 2, True)
    reviewed(OVERTURNED, **GOOD)
    assert not parts_of(plan)["all"].is_met


def test_an_automatic_plan_sets_the_share_with_an_entry(application, checked) -> None:
    for _ in range(4):
        checked(**GOOD)
    plan = SamplingPlan(
        application=application, most_error=0.5, confidence=0.75, automatic=True, most_share=1
    )
    save_plan(plan=plan, by="lea")
    application.refresh_from_db()
    assert application.quality_sample_rate == 0.5  # 2 of 4
    entry = TrailEntry.objects.filter(event=Event.APPLICATION_CHANGED).latest("id")
    assert (entry.actor, entry.data) == ("watchdog", {"quality_sample_rate": "0.5"})
    assert adjust_shares(timezone.now()) == 0  # it is right as it is
    for _ in range(4):
        checked(**GOOD)
    assert adjust_shares(timezone.now()) == 1
    SamplingPlan.objects.update(automatic=False)
    checked(**GOOD)
    assert adjust_shares(timezone.now()) == 0


def test_the_pack_and_the_advice_tell_of_the_plan(application, reviewed) -> None:
    reviewed(CONFIRMED, **GOOD)
    save_plan(plan=SamplingPlan(application=application), by="lea")
    today = timezone.now().date()
    chapters = {c.name: c for c in chapters_of(Period(application, today, today))}
    (row,) = chapters["sampling"].tables[1].rows
    assert row[:5] == ("ALLOW", 1, 1, 149, 0)
    assert "Clopper" in chapters["sampling"].tables[1].note
    cautions = advise(application.pk, AdviceRequest()).cautions
    assert any("ALLOW: 1 of 149" in line for line in cautions)


def test_members_read_it_and_leads_change_it(
    application, other_application, member, as_user, reviewed
) -> None:
    reviewed(CONFIRMED, **GOOD)
    form = {
        "most_error": "5", "confidence": "90", "days": "30", "by_action": "on",
        "most_share": "50",
    }  # fmt: skip
    reviewer = as_user(member("rita", Role.REVIEWER, application))
    assert reviewer.get(PAGE).status_code == 200
    assert reviewer.post(PAGE, form).status_code == 403
    lead = as_user(member("lead", Role.LEAD, application))
    assert lead.post(PAGE, {**form, "most_error": "0"}).status_code == 200
    assert not SamplingPlan.objects.exists()
    assert lead.post(PAGE, form).status_code == 302
    with assertNumQueries(10):
        page = lead.get(PAGE).content.decode()
    assert "1 of 45" in page  # ln 0.1 / ln 0.95
    foreign = as_user(member("foreign", Role.LEAD, other_application))
    page = foreign.get(PAGE, {"application": str(application.pk)}).content.decode()
    assert "1 of 45" not in page


def test_the_api_of_the_plan(application, reviewed, client_with) -> None:
    reviewed(CONFIRMED, **GOOD)
    reader = client_with(application, Scope.REVIEWS_READ)
    assert reader.get(PATH).json()["plan"] is None
    writer = client_with(application, Scope.POLICIES_WRITE)
    assert writer.put(PATH, {"confidence": 2}, format="json").status_code == 400
    assert writer.put(PATH, {"confidence": 0.9}, format="json").status_code == 200
    found = reader.get(PATH).json()
    assert (found["plan"]["confidence"], found["plan"]["most_error"]) == (0.9, 0.02)
    (part,) = found["strata"]
    assert (part["action"], part["decided"], part["sample_needed"]) == ("ALLOW", 1, 114)
