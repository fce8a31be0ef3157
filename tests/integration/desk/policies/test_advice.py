"""Advice rests on the quality sample alone, and changes nothing."""

import json
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django.asserts import assertNumQueries

from accounts.models import Role
from analysis.engine.policy import DEFAULT_RULES
from analysis.engine.types import Action
from analysis.models import Policy, Review, ReviewDecision
from analysis.services.policies import active_policy, create_policy
from desk.policies.advice.report import Advice, AdviceRequest, advise
from desk.policies.advice.thresholds import SearchStatus, Threshold
from tests.commands import run
from tests.integration.people import person

pytestmark = pytest.mark.usefixtures("empty_redis")
PATH = "/api/v1/policies/advice"
PAGE = "/admin/advice/"
SUPPORTED = {"answer": "The mill stands in Lyon.", "sources": ["The mill stands in Lyon."]}
UNSURE = {"answer": "The mill definitely stands in Lyon, beyond any doubt."}
ALLOW = Action.ALLOW
CONFIRMED, OVERTURNED = ReviewDecision.CONFIRMED, ReviewDecision.OVERTURNED
EASY = AdviceRequest(Threshold.WARN_AT, alpha=0.4, delta=0.4)


def without_time(advice: Advice) -> Advice:
    return replace(advice, since=None, until=None)


def test_labels_of_all_actions_make_the_curve(application, reviewed, checked) -> None:
    for _ in range(20):
        reviewed(CONFIRMED, **SUPPORTED)  # rightly allowed
    reviewed(OVERTURNED, **SUPPORTED)  # unsafe, and accepted
    reviewed(CONFIRMED, **UNSURE)  # rightly flagged
    reviewed(OVERTURNED, **UNSURE)  # safe, and rejected
    reviewed(ReviewDecision.ESCALATED, **UNSURE)
    checked(**UNSURE)
    advice = advise(application.pk, EASY)
    assert (advice.labels, advice.unsafe) == (23, 2)
    last = advice.curve[-1]
    assert (last.accepted, last.unsafe_accepted, last.wrongly_rejected) == (21, 1, 1)
    assert advice.sample_counts == {"ALLOW": 21, "WARN": 4}
    assert advice.decided == {"ALLOW": 21, "WARN": 2}
    assert "2 of 4 WARN" in advice.cautions[0]
    assert advice.outcome is SearchStatus.FOUND
    assert "of 21 reviewed answers that it accepts, 1 are unsupported" in advice.words


def test_reviews_of_flagged_answers_do_not_change_the_advice(application, reviewed) -> None:
    for _ in range(8):
        reviewed(CONFIRMED, **SUPPORTED)
    reviewed(OVERTURNED, **UNSURE)
    before = without_time(advise(application.pk, EASY))
    for decision in (CONFIRMED, OVERTURNED, OVERTURNED):
        flagged = reviewed(decision, sampled=False, **UNSURE)
        assert Review.objects.get(pk=flagged.pk).decision == decision
    assert without_time(advise(application.pk, EASY)) == before
    reviewed(OVERTURNED, **UNSURE)
    assert without_time(advise(application.pk, EASY)) != before


def test_a_check_that_waits_for_a_second_opinion_is_no_label(application, reviewed) -> None:
    check = reviewed(CONFIRMED, **SUPPORTED).check_record
    assert advise(application.pk, EASY).labels == 1
    Review.objects.create(
        check_record=check, application=application, reason="quality_sample", stage="second"
    )
    assert advise(application.pk, EASY).labels == 0


def test_nothing_reviewed_is_not_enough(application) -> None:
    advice = advise(application.pk, AdviceRequest())
    assert advice.outcome is SearchStatus.NOT_ENOUGH_LABELS
    assert advice.words.startswith("Too few answers have been reviewed")
    assert (advice.current, advice.policy_version) == (0.76, None)
    assert not Policy.objects.exists()


def test_labels_count_whichever_rules_decided_them(application, reviewed) -> None:
    reviewed(CONFIRMED, **SUPPORTED)
    rules = replace(DEFAULT_RULES, warn_at=20, support_at=0.9).to_json()
    create_policy(application_id=application.pk, rules=rules, by="t", activate=True)
    advice = advise(application.pk, EASY)
    assert (advice.labels, advice.current) == (1, 20)


def test_labels_that_this_engine_cannot_decide_are_left_out_and_told(
    application, reviewed, monkeypatch
) -> None:
    reviewed(CONFIRMED, **SUPPORTED)
    monkeypatch.setattr("analysis.engine.replay.ENGINE_VERSION", "99.0.0")
    advice = advise(application.pk, EASY)
    assert advice.labels == 0
    assert "1 reviews were left out: those checks were measured by another" in advice.cautions[0]


DOUBTED = {"answer": "The mill grinds corn.", "sources": ["The mill stands in Lyon."]}


def test_the_judges_threshold_and_that_of_the_score(application, reviewed) -> None:
    """Each value accepts exactly the answers that a policy with that value would."""
    for _ in range(8):
        reviewed(CONFIRMED, **SUPPORTED)
    doubted = reviewed(CONFIRMED, **DOUBTED).check_record.annotated_answer
    score = doubted.decision["hallucination_score"]
    for which in (Threshold.UNSUPPORTED_AT, Threshold.SCORE_WARN_ABOVE):
        advice = advise(application.pk, AdviceRequest(which, alpha=0.4, delta=0.4))
        assert advice.outcome is SearchStatus.FOUND
        assert (advice.labels, advice.unsafe) == (9, 1)
        assert all(advice.curve[0].accepted <= point.accepted for point in advice.curve)
        assert advice.curve[0].accepted == 8
        assert sum(point.accepted for point in advice.kinds.values()) >= 8
    assert {point.threshold: point.accepted for point in advice.curve}[1.0] == 8  # others flag it
    lenient = replace(
        DEFAULT_RULES,
        verdicts=replace(DEFAULT_RULES.verdicts, low_confidence=ALLOW, no_claim_supported=ALLOW),
        weights=replace(DEFAULT_RULES.weights, rag_unverified=0),
    )
    create_policy(application_id=application.pk, rules=lenient.to_json(), by="t", activate=True)
    advice = advise(application.pk, AdviceRequest(Threshold.SCORE_WARN_ABOVE, 0.4, 0.4))
    accepted = {point.threshold: point.accepted for point in advice.curve}
    assert accepted == {at: 9 if score <= at or at == 1 else 8 for at in accepted}


def test_labels_of_collections_with_an_override_are_left_out(application, reviewed) -> None:
    rules = DEFAULT_RULES.to_json() | {
        "overrides": [{"name": "law", "collections": ["law"], "rules": {"warn_at": 20}}]
    }
    create_policy(application_id=application.pk, rules=rules, by="t", activate=True)
    reviewed(CONFIRMED, **SUPPORTED)
    reviewed(CONFIRMED, **UNSURE, collections=["law"])
    reviewed(CONFIRMED, **UNSURE, collections=["law", "osha"])
    advice = advise(application.pk, EASY)
    assert advice.labels == 1
    assert "2 reviews were left out: an override" in advice.cautions[-1]


def test_by_api(api, reviewed, other_application) -> None:
    for _ in range(8):
        reviewed(CONFIRMED, **SUPPORTED)
    answer = api.get(PATH, {"alpha": 0.4, "delta": 0.4, "threshold": "block_at"})
    assert answer.status_code == 200, answer.json()
    body = answer.json()
    assert (body["outcome"], body["labels"], body["current"]) == ("found", 8, 70)
    assert body["proposed"] == body["curve"][0]["threshold"] == 15
    assert len(body["assumptions"]) == 5
    assert advise(other_application.pk, EASY).labels == 0


@pytest.mark.parametrize(
    ("parameters", "field"),
    [({"alpha": 0}, "alpha"), ({"delta": 1}, "delta"), ({"days": 0}, "days"),
     ({"threshold": "luck"}, "threshold")],
)  # fmt: skip
def test_by_api_what_cannot_be_asked(api, parameters, field) -> None:
    answer = api.get(PATH, parameters)
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_by_command(reviewed) -> None:
    for _ in range(8):
        reviewed(CONFIRMED, **SUPPORTED)
    arguments = (
        "--application",
        "demo",
        "--threshold",
        "warn_at",
        "--alpha",
        "0.4",
        "--delta",
        "0.4",
    )
    printed = run("advise_threshold", *arguments)
    assert "8 reviewed answers" in printed
    assert "In force: warn_at = 35." in printed
    assert json.loads(run("advise_threshold", *arguments, "--json"))["labels"] == 8


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(("--application", "nobody"), "There is no application"),
     (("--application", "demo", "--alpha", "1"), "between 0 and 1"),
     (("--application", "demo", "--days", "0"), "at least 1")],
)  # fmt: skip
def test_by_command_what_cannot_be_asked(application, arguments, words) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("advise_threshold", *arguments)


class TestPage:
    @pytest.fixture
    def lead(self, application, as_user) -> Client:
        return as_user(person("lead", Role.LEAD, application))

    def test_it_shows_curve_table_and_assumptions(self, lead, reviewed) -> None:
        for _ in range(8):
            reviewed(CONFIRMED, **SUPPORTED)
        page = lead.get(PAGE, {"threshold": "warn_at", "alpha": "40", "delta": "40"})
        text = page.content.decode()
        assert page.status_code == 200
        assert "Proposed: Warn from 15" in text
        assert "<svg" in text
        assert "35 (in force)" in text
        assert "drawn at random from all checks" in text
        assert "style=" not in text.split("<svg", 1)[1].split("</svg>", 1)[0]
        assert "default-src 'self'" in page["Content-Security-Policy"]
        assert "unsafe-inline" not in page["Content-Security-Policy"]

    def test_the_page_of_a_policy_leads_there(self, lead, application) -> None:
        policy = active_policy(application.pk)
        text = lead.get(f"/admin/analysis/policy/{policy.pk}/change/").content.decode()
        assert f'href="{PAGE}?application={application.pk}"' in text

    def test_another_application_cannot_be_named(self, lead, other_application) -> None:
        page = lead.get(PAGE, {"application": str(other_application.pk)})
        assert "advice" not in page.context
        assert "Select a valid choice" in page.content.decode()

    def test_a_wrong_number_is_told(self, lead) -> None:
        page = lead.get(PAGE, {"alpha": "70"})
        assert "advice" not in page.context
        assert "less than or equal to 50" in page.content.decode()

    def test_its_cost_is_fixed(self, lead, reviewed) -> None:
        for count in (1, 5):
            for _ in range(count):
                reviewed(CONFIRMED, **SUPPORTED)
            # who, their second factor and what they may see, the form's applications, and the
            # six of the advice
            with assertNumQueries(16):
                lead.get(PAGE)
