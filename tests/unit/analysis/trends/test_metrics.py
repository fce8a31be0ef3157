"""The registry: the keys that one check adds to."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest

from analysis.trends.metrics import (
    BY_NAME,
    LENGTH,
    METRICS,
    PLACES,
    Dimension,
    Facts,
    Grain,
    bucket_of,
    positions,
    series_of,
)

NOON = datetime(2026, 3, 4, 12, 59, 59, tzinfo=UTC)
CLEAN = Facts(
    UUID(int=1), NOON, ("osha",), "gpt", policy="3", action="ALLOW", risk_score=0,
    decided_by="all_supported", worker_ms=12.0, total_ms=90.0,
)  # fmt: skip


def told(facts: Facts) -> dict[str, list[str]]:
    """Return the keys that a check adds to, by metric, read back from the positions."""
    places = positions(facts)
    assert len(places) == len(set(places))
    return {
        metric.name: keys
        for metric in METRICS
        if (keys := [
            key for at, key in enumerate(metric.keys) if PLACES[metric.name].start + at in places
        ])
    }  # fmt: skip


def test_an_allowed_check() -> None:
    assert told(CLEAN) == {
        "checks": ["done"], "actions": ["ALLOW"], "risk": ["0"],
        "worker_time": ["10"], "total_time": ["80"], "waiting_time": ["63"],
    }  # fmt: skip


def test_the_time_of_models_counts_where_one_read_the_answer() -> None:
    assert told(replace(CLEAN, model_ms=3.0))["model_time"] == ["2.5"]
    assert "model_time" not in told(replace(CLEAN, model_ms=3.0, failed=True))


def test_a_blocked_check_with_all_that_can_be_wrong() -> None:
    facts = replace(
        CLEAN, action="BLOCK", risk_score=100, decided_by="safety_off_topic",
        rejection="off_topic", not_checked=("judge", "grounding", "judge"),
    )  # fmt: skip
    keys = told(facts)
    assert keys["actions"] == ["BLOCK"]
    assert keys["risk"] == ["100"]
    assert keys["decided_by"] == ["safety_off_topic"]
    assert keys["rejections"] == ["any", "off_topic"]
    assert sorted(keys["not_checked"]) == ["any", "grounding", "judge"]


def test_what_a_later_engine_names_is_counted_as_other() -> None:
    new = ("new", "newer", "judge")
    keys = told(replace(CLEAN, action="WARN", decided_by="new", rejection="x", not_checked=new))
    assert keys["decided_by"] == ["other"]
    assert keys["rejections"] == ["any", "other"]
    assert keys["not_checked"] == ["any", "judge", "other"]


def test_a_failed_check_has_no_outcome() -> None:
    failed = Facts(UUID(int=1), NOON, (), "gpt", failed=True)
    assert told(failed) == {"checks": ["failed"], "not_checked": ["any", "failed"]}
    assert (Dimension.POLICY, "") in series_of(failed)


@pytest.mark.parametrize(("score", "key"), [(0, "0"), (4, "0"), (5, "5"), (99, "95"), (100, "100")])
def test_risk_in_steps_of_five(score, key) -> None:
    assert told(replace(CLEAN, risk_score=score))["risk"] == [key]


def test_the_series_of_a_check() -> None:
    facts = replace(CLEAN, collections=("a", "b", "a"))
    assert series_of(facts) == [
        (Dimension.ALL, ""), (Dimension.SOURCE_MODEL, "gpt"), (Dimension.POLICY, "3"),
        (Dimension.COLLECTION, "a"), (Dimension.COLLECTION, "b"),
    ]  # fmt: skip
    assert series_of(replace(CLEAN, collections=()))[-1] == (Dimension.COLLECTION, "")
    assert len(series_of(replace(CLEAN, collections=("x" * 300,)))[-1][1]) == 200


def test_buckets_are_of_utc() -> None:
    india = NOON.astimezone(timezone(timedelta(hours=5, minutes=30)))
    assert bucket_of(india, Grain.HOUR) == datetime(2026, 3, 4, 12, tzinfo=UTC)
    late = datetime(2026, 3, 5, 2, tzinfo=timezone(timedelta(hours=5)))
    assert bucket_of(late, Grain.DAY) == datetime(2026, 3, 4, tzinfo=UTC)


def test_every_metric_says_what_it_means() -> None:
    assert len(BY_NAME) == len(METRICS)
    assert sum(len(metric.keys) for metric in METRICS) == LENGTH
    for metric in METRICS:
        assert metric.meaning.endswith(".")
        assert len(set(metric.keys)) == len(metric.keys)
