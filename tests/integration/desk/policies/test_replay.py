"""Stored checks decided again under another version, from their stored signals alone."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django.asserts import assertNumQueries

from accounts.models import Application
from analysis.engine import DEFAULT_RULES, PolicyRules
from analysis.engine.policy import CONSERVATIVE, EXPLORATORY, PRESETS
from analysis.engine.replay import replay_one, report
from analysis.models import AnnotatedAnswer, Review, ReviewDecision
from analysis.services.policies import create_policy
from desk.policies.selectors.replaying import ReplaySelection, parts, replay, select
from desk.reviews.services.reviews import decide_review
from tests.integration.people import unlocked

pytestmark = pytest.mark.usefixtures("empty_redis")
SOURCES = ["The old mill stands in Lyon. It was built in 1840 of grey stone."]
CASES: list[dict[str, Any]] = [
    {"answer": "The old mill stands in Lyon [1]. It was built in 1840.", "sources": SOURCES},
    {"answer": "The old mill stands in Oslo [7].", "sources": SOURCES, "query": "Where is it?"},
    {"answer": "The old mill stands in Lyon. Bananas grow.", "sources": SOURCES, "query": "Why?"},
    {"answer": "It definitely closed in 2010. It closed in 2015."},
    {"answer": "The mill is in Lyon.", "sources": SOURCES, "samples": ["The mill is in Rome."]},
    {"answer": "Hello there!", "sources": []},
    {"answer": "The inn closed in 2019.", "sources": [], "collections": ["nowhere"]},
]


def activate(application: Application, rules: PolicyRules) -> None:
    create_policy(application_id=application.pk, rules=rules.to_json(), by="test", activate=True)


def told(application: Application, rules: PolicyRules, **selection: Any) -> dict[str, Any]:
    selected = select(application.pk, ReplaySelection(**selection))
    return report(replay(selected.ids, rules, processes=1))


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_under_the_same_version_nothing_changes_at_all(application, checked, name) -> None:
    activate(application, PRESETS[name])
    for case in CASES:
        checked(**case)
    ids = select(application.pk, ReplaySelection()).ids
    for rows, decided_by in parts(ids):
        for row in rows:
            replayed = replay_one(row, decided_by[row.policy_id], PRESETS[name])
            assert replayed.after == replayed.before
    counts = replay(ids, PRESETS[name], processes=1)
    assert (counts.replayed, counts.changes, counts.cannot.total()) == (len(CASES), 0, 0)
    assert counts.reasons_before == counts.reasons_after
    assert counts.rejections_before == counts.rejections_after


def test_another_version_tells_what_changes_and_why(application, checked) -> None:
    activate(application, EXPLORATORY)
    checks = [checked(**case) for case in CASES]
    document = told(application, CONSERVATIVE)
    activate(application, CONSERVATIVE)
    actions = {str(check.pk): check.action for check in checks}
    now = {str(old.pk): checked(**case) for old, case in zip(checks, CASES, strict=True)}
    changes = {c["check_id"]: c for c in document["changes"]}
    assert document["changed"] == len(changes) > 0
    for check_id, new in now.items():
        if check_id not in changes:
            assert actions[check_id] == new.action
            continue
        change = changes[check_id]
        assert (change["before"]["action"], change["after"]["action"]) == (
            actions[check_id], new.action,
        )  # fmt: skip
        decided = AnnotatedAnswer.objects.get(pk=new.pk).decision
        decider = next(reason for reason in decided["reasons"] if reason["decided"])
        assert (change["after"]["reason"], change["after"]["text"]) == (
            decider["code"], decider["text"],
        )  # fmt: skip


def test_several_processes_come_to_the_same(application, checked) -> None:
    for case in CASES:
        checked(**case)
    ids = select(application.pk, ReplaySelection()).ids
    alone, beside = (replay(ids, CONSERVATIVE, processes=n) for n in (1, 2))
    assert report(alone) == report(beside)
    assert alone.replayed == len(CASES)


def test_reviewers_say_how_good_both_are(application, checked, superuser) -> None:
    confirmed, overturned = checked(**CASES[1]), checked(**CASES[3])
    escalated = checked(**CASES[1])
    for check, decision in (
        (confirmed, ReviewDecision.CONFIRMED),
        (overturned, ReviewDecision.OVERTURNED),
        (escalated, ReviewDecision.ESCALATED),
    ):
        review = Review.objects.get(check_record=check)
        decide_review(review=review, decision=decision, by=superuser, note="Looked up.")
    before = told(application, DEFAULT_RULES)["reviewed"]["before"]
    assert (before["reviewed"], before["true_positives"], before["false_positives"]) == (2, 1, 1)
    assert (before["precision"], before["recall"]) == (0.5, 1.0)


def test_a_confirmed_allow_of_the_quality_sample_is_a_true_negative(
    application, checked, superuser
) -> None:
    Application.objects.update(quality_sample_rate=1.0)
    check = checked(**CASES[0])
    assert check.action == "ALLOW"
    review = Review.objects.get(check_record=check)
    decide_review(review=review, decision=ReviewDecision.CONFIRMED, by=superuser, note="Looked up.")
    document = told(application, DEFAULT_RULES)
    assert document["quality_sample"]["before"]["true_negatives"] == 1


def test_a_signal_that_was_never_measured_cannot_be_replayed(application, checked) -> None:
    checked(**CASES[0])
    checked(**CASES[4])  # the only one with samples
    required = [*DEFAULT_RULES.required_signals, "consistency"]
    rules = PolicyRules.from_json({"required_signals": required})
    document = told(application, rules)
    assert document["replayed"] == 1
    assert document["cannot_be_replayed"] == {
        "count": 1, "reasons": [{"reason": "never measured: consistency", "count": 1}],
    }  # fmt: skip


def test_an_engine_whose_rules_are_gone_cannot_be_replayed(application, checked) -> None:
    checked(**CASES[0])
    unlocked(
        "UPDATE analysis_annotatedanswer SET engine_version = '0.9.0',"
        " measurement = jsonb_set(measurement, '{engine_version}', '\"0.9.0\"')"
    )
    document = told(application, DEFAULT_RULES)
    assert (document["replayed"], document["cannot_be_replayed"]["count"]) == (0, 1)
    reason = "engine 0.9.0: its rules are not in this build"
    assert document["cannot_be_replayed"]["reasons"][0]["reason"] == reason


def test_period_and_sample_choose_within_the_application(
    application, other_application, checked
) -> None:
    checks = {checked(**CASES[0]).pk for _ in range(6)}
    now = timezone.now()
    assert set(select(application.pk, ReplaySelection()).ids) == checks
    assert select(other_application.pk, ReplaySelection()).ids == ()
    assert select(application.pk, ReplaySelection(since=now + timedelta(minutes=1))).total == 0
    assert select(application.pk, ReplaySelection(until=now - timedelta(minutes=1))).total == 0
    some = select(application.pk, ReplaySelection(sample=4))
    assert (len(some.ids), some.total) == (4, 6)
    assert set(some.ids) < checks
    assert some == select(application.pk, ReplaySelection(sample=4))


def test_a_replay_of_more_checks_asks_no_more_of_the_database(application, checked) -> None:
    for more in (1, 9):
        for _ in range(more):
            checked(**CASES[1])
        with assertNumQueries(4):  # count, ids, rows, policies
            told(application, DEFAULT_RULES)
