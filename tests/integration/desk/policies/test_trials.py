"""A second version in shadow or on a share of the checks, and how both compare."""

import pytest
from django.db import IntegrityError, connection, transaction
from pytest_django.asserts import assertNumQueries

from analysis.engine.policy import CONSERVATIVE
from analysis.engine.replay import TrialMode
from analysis.models import Policy, Review, ReviewDecision, Trial, TrialCheck
from analysis.services import trials as service
from analysis.services.policies import activate_policy, active_policy, create_policy
from analysis.services.trials import TrialRefused, end_trial, start_trial
from audit.models import TrailEntry
from desk.reviews.services.reviews import decide_review

pytestmark = pytest.mark.usefixtures("empty_redis")
SOURCES = ["The old mill stands in Lyon. It was built in 1840 of grey stone."]
HALF = {"answer": "The old mill stands in Lyon. Bananas grow in Kenya.", "sources": SOURCES}
GOOD = {"answer": "The old mill stands in Lyon.", "sources": SOURCES}
COMPARE = "/api/v1/policies/compare"


@pytest.fixture
def control(application) -> Policy:
    return active_policy(application.pk)


@pytest.fixture
def strict(application, control) -> Policy:
    return create_policy(application_id=application.pk, rules=CONSERVATIVE.to_json(), by="test")


def begin(policy: Policy, mode: TrialMode = TrialMode.SHADOW, share: float = 1.0) -> Trial:
    return start_trial(policy=policy, mode=mode, share=share, by="test")


def test_a_shadow_is_stored_and_never_returned(api, strict, control, checked) -> None:
    begin(strict)
    half, good = checked(**HALF), checked(**GOOD)
    body = api.get(f"/api/v1/checks/{half.pk}").json()
    assert (body["action"], body["policy_version"]) == ("WARN", control.version)
    assert "BLOCK" not in str(body)
    check_in_trial = TrialCheck.objects.get(check_record=half)
    assert (check_in_trial.arm, check_in_trial.outcome["action"]) == ("control", "BLOCK")
    assert check_in_trial.outcome["text"]
    comparison = api.get(COMPARE).json()
    assert (comparison["mode"], comparison["control_version"], comparison["trial_version"]) == (
        "shadow",
        1,
        2,
    )
    first, second = comparison["arms"]
    assert (first["checks"], first["flagged"]["count"]) == (2, 1)
    blocked = next(item for item in second["actions"] if item["name"] == "BLOCK")
    assert (blocked["count"], blocked["of"], blocked["share"]) == (1, 2, 0.5)
    assert 0 < blocked["low"] < 0.5 < blocked["high"] < 1
    moves = {(item["before"], item["after"], item["count"]) for item in comparison["transitions"]}
    assert moves == {("WARN", "BLOCK", 1), ("ALLOW", good.action, 1)}


def test_a_shadow_that_needs_what_was_not_measured_says_so(
    api, application, control, checked
) -> None:
    rules = {"draw_samples": 3}
    begin(create_policy(application_id=application.pk, rules=rules, by="test"))
    check = checked(**GOOD)
    check_in_trial = TrialCheck.objects.get(check_record=check)
    assert check_in_trial.outcome == {"cannot": "never measured: consistency"}
    body = api.get(COMPARE).json()
    assert (body["cannot_be_replayed"], body["arms"][0]["checks"]) == (1, 0)
    assert body["arms"][0]["flagged"]["share"] is None


def test_a_shadow_that_fails_leaves_the_decision_alone(strict, checked, monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(service, "shadow_outcome", fail)
    begin(strict)
    check = checked(**GOOD)
    assert check.action == "ALLOW"
    outcome = TrialCheck.objects.get(check_record=check).outcome
    assert outcome == {"cannot": "it failed: ZeroDivisionError"}


def test_a_split_decides_by_the_arm_and_is_stable_for_a_key(api, strict, control, checked) -> None:
    begin(strict, TrialMode.SPLIT, 0.5)
    arms: dict[str, set[str]] = {}
    for number in range(24):
        key = f"user {number % 8}"
        check = checked(**HALF, metadata={"split_key": key})
        check_in_trial = TrialCheck.objects.get(check_record=check)
        arms.setdefault(key, set()).add(check_in_trial.arm)
        decided = check.annotated_answer.policy
        assert decided == (strict if check_in_trial.arm == "trial" else control)
        assert check.action == ("BLOCK" if check_in_trial.arm == "trial" else "WARN")
        assert check_in_trial.outcome is None
    assert all(len(arm) == 1 for arm in arms.values())
    body = api.get(COMPARE).json()
    assert sum(arm["checks"] for arm in body["arms"]) == 24
    assert body["transitions"] == []


def test_all_of_the_traffic_can_go_to_the_other_version_and_reviewers_tell_the_arms_apart(
    api, strict, checked, superuser
) -> None:
    begin(strict, TrialMode.SPLIT, 1.0)
    for decision in (ReviewDecision.CONFIRMED, ReviewDecision.OVERTURNED):
        review = Review.objects.get(check_record=checked(**HALF))
        decide_review(review=review, decision=decision, by=superuser, note="Looked up.")
    first, second = api.get(COMPARE).json()["arms"]
    assert (first["checks"], second["checks"]) == (0, 2)
    confirmed = second["confirmed"]
    assert (confirmed["count"], confirmed["of"], confirmed["share"]) == (1, 2, 0.5)
    assert first["confirmed"]["share"] is None


def test_it_ends_by_hand_or_where_another_version_comes_into_force(
    application, strict, checked
) -> None:
    trial = begin(strict)
    again = begin(strict, TrialMode.SPLIT, 0.2)
    trial.refresh_from_db()
    assert trial.ended_at
    assert end_trial(application_id=application.pk, by="test") == again
    assert end_trial(application_id=application.pk, by="test") is None
    begin(strict)
    activate_policy(policy=strict, by="test")
    assert not Trial.objects.filter(ended_at=None).exists()
    assert not TrialCheck.objects.filter(check_record=checked(**GOOD)).exists()
    events = TrailEntry.objects.filter(event__startswith="policy.trial")
    assert sorted(events.values_list("event", flat=True)) == (
        ["policy.trial_ended"] * 3 + ["policy.trial_started"] * 3
    )
    with pytest.raises(TrialRefused, match="is already in force"):
        begin(strict)


def test_neither_a_trial_nor_an_arm_is_ever_edited(strict, checked) -> None:
    trial = begin(strict)
    check_in_trial = TrialCheck.objects.get(check_record=checked(**GOOD))
    for rows, changes in (
        (Trial.objects.filter(pk=trial.pk), {"share": 0.1}),
        (TrialCheck.objects.filter(pk=check_in_trial.pk), {"arm": "trial"}),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**changes)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM analysis_trialcheck")


def test_it_is_started_and_ended_over_the_api(
    api, control, strict, other_application, client_with
) -> None:
    url = f"/api/v1/policies/{strict.pk}/trial"
    assert api.get(COMPARE).status_code == 404
    started = api.post(url, {"mode": "split", "share": 0.25}, format="json")
    assert (started.status_code, started.json()["share"]) == (201, 0.25)
    for body, field in (
        ({"mode": "loud"}, "mode"), ({"mode": "split", "share": 0}, "mode"),
        ({"mode": "split", "share": 2}, "share"), ({"mode": "shadow", "shares": 1}, "shares"),
    ):  # fmt: skip
        answer = api.post(url, body, format="json")
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, field)
    foreign = client_with(other_application)
    assert foreign.get(COMPARE, {"trial": started.json()["trial_id"]}).status_code == 404
    assert foreign.post("/api/v1/policies/trial/end").status_code == 404
    in_force = f"/api/v1/policies/{control.pk}/trial"
    assert api.post(in_force, {"mode": "shadow"}, format="json").status_code == 400
    assert api.post("/api/v1/policies/trial/end").json()["ended_at"]


@pytest.mark.parametrize("mode", list(TrialMode))
def test_a_comparison_costs_the_same_for_one_check_and_for_ten(api, strict, mode, checked) -> None:
    begin(strict, mode, 0.5)
    api.get(COMPARE)  # the key is touched once a minute
    for more in (1, 9):
        for _ in range(more):
            checked(**HALF)
        # key, trial, counts; in a split also the last reviews
        with assertNumQueries(3 if mode is TrialMode.SHADOW else 4):
            api.get(COMPARE)


OTHER_WORDS = {
    "answer": "Visitors can bring their dogs along.",
    "sources": ["The old mill stands in Lyon. It has twelve rooms. Guests may bring dogs."],
}


def test_another_judge_runs_in_shadow_and_decides_nothing(api, control, checked, settings) -> None:
    """Its outcome in shadow is what it decides by itself, also of the version in force."""
    settings.NLI_MODEL = "lexical"
    url = f"/api/v1/policies/{control.pk}/trial"
    shadow = {"mode": "shadow", "other_judge": True}
    assert "TRIAL_JUDGE" in str(api.post(url, shadow, format="json").json())
    settings.TRIAL_JUDGE = "small"
    assert api.post(url, shadow | {"mode": "split"}, format="json").status_code == 400
    assert api.post(url, shadow, format="json").json()["judge"] == "small"
    by_rules = checked(**OTHER_WORDS)
    outcome = TrialCheck.objects.get(check_record=by_rules).outcome

    settings.TRIAL_JUDGE = "base"
    checked(**GOOD)
    compared = api.get(COMPARE).json()
    assert (compared["judge"], compared["cannot_be_replayed"]) == ("small", 1)
    assert [arm["checks"] for arm in compared["arms"]] == [1, 1]
    started = TrailEntry.objects.get(event="policy.trial_started")
    assert started.data["judge"] == "small"

    api.post("/api/v1/policies/trial/end")
    settings.NLI_MODEL = "small"
    alone = checked(**OTHER_WORDS)
    assert outcome["action"] == alone.action != by_rules.action
    assert not TrialCheck.objects.filter(check_record=alone).exists()


def test_a_judge_that_fails_in_shadow_leaves_the_check_done(
    control, checked, settings, tmp_path
) -> None:
    settings.TRIAL_JUDGE = f"entailment:{tmp_path}"
    start_trial(policy=control, mode=TrialMode.SHADOW, share=1, by="test", other_judge=True)
    check = checked(**GOOD)
    assert check.state == "done"
    outcome = TrialCheck.objects.get(check_record=check).outcome
    assert outcome["cannot"].startswith("the judge did not finish: ")


def test_the_page_offers_the_other_judge_where_one_is_set_up(
    control, superuser, as_user, settings
) -> None:
    path = f"/admin/analysis/policy/{control.pk}/trial/"
    lead = as_user(superuser)
    assert "With the judge" not in lead.get(path).content.decode()
    settings.TRIAL_JUDGE = "small"
    assert "With the judge small" in lead.get(path).content.decode()
    lead.post(path, {"mode": "shadow", "share": "0.1", "other_judge": "on"})
    assert Trial.objects.get().judge == "small"
    assert "what the judge small measured" in lead.get(path).content.decode()
