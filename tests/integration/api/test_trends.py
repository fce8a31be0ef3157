"""`GET /api/v1/trends`: its figures, its scope, and its cost."""

from datetime import UTC, datetime

import pytest
from django.core.management import call_command
from pytest_django.asserts import assertNumQueries
from rest_framework.test import APIClient

from accounts.models import Application
from analysis.models import Check
from analysis.services import lifecycle, trends
from analysis.services.checking import run_check
from analysis.trends.metrics import BY_NAME
from tests.commands import run
from tests.integration.analysis.trend_counts import direct, stored
from tests.shapes import MakeCheck

pytestmark = pytest.mark.usefixtures("empty_redis")
PATH = "/api/v1/trends"
MONDAY = datetime(2026, 3, 2, 10, 15, tzinfo=UTC)
PERIOD = {"created_after": "2026-03-01T00:00:00Z", "created_before": "2026-03-08T00:00:00Z"}
SUPPORTED = [{"id": "s", "text": "The bridge has 3 arches and stands in Lyon."}]


@pytest.fixture
def ended(application) -> MakeCheck:
    """Make a check that was submitted at some time and has been decided."""

    def make(at: datetime = MONDAY, *, of: Application = application, **more: object) -> Check:
        sources = more.pop("sources", SUPPORTED)
        answer = more.pop("answer", "The bridge has 3 arches.")
        check = Check.objects.create(
            application=of, answer=answer, sources=sources, created_at=at, **more
        )
        assert run_check(check.pk)
        return check

    return make


def get(api: APIClient, metric: str = "actions", **more: object) -> dict:
    answer = api.get(PATH, {"metric": metric, **PERIOD, **more})
    assert answer.status_code == 200, answer.json()
    return answer.json()


def test_action_shares_by_day(api, ended) -> None:
    for day in (2, 2, 5):
        ended(MONDAY.replace(day=day))
    ended(MONDAY.replace(day=5, hour=23, minute=59), answer="It is 90 m long.", sources=None)
    trends.count_waiting()
    response = get(api)
    (series,) = response["series"]
    assert series["total"] == {
        "of": 4, "counts": {"ALLOW": 3, "WARN": 1}, "shares": {"ALLOW": 0.75, "WARN": 0.25},
        "percentiles": None,
    }  # fmt: skip
    assert [(p["at"], p["of"]) for p in series["points"]] == [
        ("2026-03-02T00:00:00Z", 2),
        ("2026-03-05T00:00:00Z", 2),
    ]
    assert series["points"][1]["shares"] == {"ALLOW": 0.5, "WARN": 0.5}
    assert response["keys"] == ["ALLOW", "WARN", "BLOCK"]
    assert response["meaning"] == BY_NAME["actions"].meaning


def test_by_hour_and_by_model(api, ended) -> None:
    ended(source_model="gpt")
    ended(source_model="gpt")
    ended(MONDAY.replace(hour=11), source_model="claude")
    ended(MONDAY.replace(hour=11))
    trends.count_waiting()
    response = get(api, "checks", granularity="hour", dimension="source_model")
    points_by_model = [
        (s["value"], [(p["at"][11:13], p["of"]) for p in s["points"]]) for s in response["series"]
    ]
    assert points_by_model == [("gpt", [("10", 2)]), ("", [("11", 1)]), ("claude", [("11", 1)])]
    (unnamed,) = get(api, "checks", dimension="source_model", value="")["series"]
    assert (unnamed["value"], unnamed["total"]["of"]) == ("", 1)


def test_a_check_of_two_collections_is_in_both_series(api, ended) -> None:
    ended(collections=["osha", "nist"])
    trends.count_waiting()
    response = get(api, "checks", dimension="collection")
    assert [(s["value"], s["total"]["of"]) for s in response["series"]] == [
        ("nist", 1),
        ("osha", 1),
    ]
    assert get(api, "checks")["series"][0]["total"]["of"] == 1


def test_by_policy_version(api, ended) -> None:
    ended()
    trends.count_waiting()
    assert [s["value"] for s in get(api, "risk", dimension="policy")["series"]] == ["1"]


def test_a_failed_check_is_one_that_was_not_checked(api, ended, application) -> None:
    ended()
    failed = Check.objects.create(
        application=application, answer="Failed.", created_at=MONDAY, attempts=99
    )
    assert lifecycle.CHECKS.give_up([failed.pk]) == 1
    trends.count_waiting()
    (series,) = get(api, "not_checked")["series"]
    assert series["total"]["of"] == 2
    assert series["total"]["shares"] == {"any": 0.5, "failed": 0.5}


def test_percentiles(api, ended) -> None:
    ended()
    trends.count_waiting()
    (series,) = get(api, "worker_time")["series"]
    assert series["total"]["shares"] is None
    assert set(series["total"]["percentiles"]) == {"p50", "p90", "p95", "p99"}
    assert 0 < series["total"]["percentiles"]["p50"] < 60_000


def test_only_the_ten_most_frequent_values_are_shown(api, ended) -> None:
    for n in range(12):
        ended(source_model=f"m{n:02}")
    ended(source_model="m11")
    trends.count_waiting()
    response = get(api, dimension="source_model")
    assert [s["value"] for s in response["series"]] == ["m11", *(f"m{n:02}" for n in range(9))]
    assert response["values_left_out"] == 2


def test_what_waits_to_be_counted_is_told(api, ended) -> None:
    ended()
    assert (get(api)["waiting"], get(api)["series"]) == (1, [])
    trends.count_waiting()
    assert get(api)["waiting"] == 0


def test_another_applications_checks_stay_unseen(api, ended, other_application) -> None:
    ended(of=other_application)
    trends.count_waiting()
    assert get(api)["series"] == []


@pytest.mark.parametrize(
    ("parameters", "field", "words"),
    [
        ({}, "metric", "required"),
        ({"metric": "joy"}, "metric", "not a valid choice"),
        ({"metric": "risk", "granularity": "week"}, "granularity", "not a valid choice"),
        ({"metric": "risk", "dimension": "colour"}, "dimension", "not a valid choice"),
        ({"metric": "risk", "value": "gpt"}, "value", "Requires a `dimension`"),
        ({"metric": "risk", "created_after": "yesterday"}, "created_after", "wrong format"),
        (
            {"metric": "risk", "created_after": "2026-03-08", "created_before": "2026-03-01"},
            "created_after",
            "",
        ),
        (
            {"metric": "risk", "granularity": "hour", "created_after": "2026-03-01T00:00:00Z",
             "created_before": "2026-03-15T00:00:01Z"},
            "created_after",
            "337 hours; at most 336",
        ),
        (
            {"metric": "risk", "created_after": "2025-01-01T00:00:00Z",
             "created_before": "2026-03-15T00:00:01Z"},
            "created_after",
            "at most 400",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_answered(api, parameters, field, words) -> None:
    answer = api.get(PATH, parameters)
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    details = {error["field"]: error["detail"] for error in answer.json()["errors"]}
    assert words in details[field]


def test_the_cost_does_not_grow_with_the_cells(api, ended) -> None:
    for days in (1, 6):
        for day in range(days):
            ended(MONDAY.replace(day=1 + day), source_model=f"m{day}")
        trends.count_waiting()
        get(api)  # the key is known by now
        # key, values, cells, waiting
        with assertNumQueries(4):
            assert len(get(api, dimension="source_model")["series"]) == days


def test_rebuilding_gives_the_same(ended) -> None:
    for n in range(3):
        ended(source_model=f"m{n}")
    trends.count_waiting()
    before = stored()
    assert run("rebuild_trends") == "3 checks counted again, 3 of them by this command.\n"
    assert stored() == before == direct()


def test_migrating_counts_again_only_what_has_other_positions(ended, monkeypatch) -> None:
    for n in range(3):
        ended(source_model=f"m{n}")
    trends.count_waiting()
    before = stored()
    call_command("migrate", verbosity=0)
    assert stored() == before
    monkeypatch.setattr(trends, "LAYOUT", "another")
    call_command("migrate", verbosity=0)
    assert not stored()
    assert trends.stored_layout() == "another"
    trends.count_waiting()
    assert stored() == before == direct()
