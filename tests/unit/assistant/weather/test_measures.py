"""The analysis that runs in the sandbox: exact cases, and invariants."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.weather import measures
from assistant.weather.analysing import Analysis

HOURS = [f"2026-11-{22 + at // 24}T{at % 24:02}:00" for at in range(48)]
speeds = st.one_of(st.none(), st.floats(-50, 600, allow_nan=False))


@st.composite
def weather(draw):
    count = draw(st.integers(0, 48))
    column = st.lists(speeds, min_size=count, max_size=count)
    return {
        "hours": HOURS[:count],
        **{name: draw(column) for name in measures.RANGES},
        "codes": draw(st.lists(st.sampled_from([None, 3, 45, 95]), min_size=count, max_size=count)),
        "thresholds": [["gusts", draw(st.floats(0, 200)), False], ["temperature", 0.0, True]],
    }


@settings(suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no fault
@given(weather())
def test_any_hours_give_figures_that_are_believed(data):
    output = json.loads(json.dumps(measures.main(data), allow_nan=False))
    analysis = Analysis.model_validate(output)
    assert analysis.hours == len(data["hours"])
    for measure in analysis.measures.values():
        assert measure.present + measure.missing == analysis.hours
        if measure.present:
            assert measure.min - 0.01 <= measure.mean <= measure.max + 0.01


@given(st.lists(speeds, max_size=48), st.floats(0, 300), st.floats(0, 300))
def test_hours_over_a_threshold_never_grow_with_it(values, first, second):
    low, high = sorted((first, second))
    hours = HOURS[: len(values)]
    at_high, at_low = (measures.over(hours, values, value, False) for value in (high, low))
    assert at_high["hours"] <= at_low["hours"]


@given(st.lists(speeds, max_size=48), st.floats(0, 300), st.booleans())
def test_stretches_hold_exactly_the_hours_counted(values, value, below):
    hours = HOURS[: len(values)]
    over = measures.over(hours, values, value, below)
    covered = [hour for hour in hours if any(first <= hour <= last for first, last in over["runs"])]
    assert len(covered) == over["hours"] <= over["present"]
    assert over["hours"] == 0 or over["runs"]


@given(st.lists(st.floats(-40, 45, allow_nan=False), min_size=1, max_size=48), st.randoms())
def test_the_order_of_hours_changes_no_extreme(values, chance):
    mixed = list(values)
    chance.shuffle(mixed)
    summary, mixed_summary = (measures.summary(HOURS, numbers) for numbers in (values, mixed))
    assert (summary["min"], summary["max"], summary["present"]) == (
        mixed_summary["min"],
        mixed_summary["max"],
        mixed_summary["present"],
    )


def figures(**columns):
    count = len(next(iter(columns.values())))
    blank = {name: [0.0] * count for name in measures.RANGES}
    data = {"hours": HOURS[:count], "codes": [3] * count, "thresholds": []}
    return measures.main(blank | data | columns)


def test_extremes_name_their_first_hour():
    gusts = figures(gusts=[10.0, 62.0, 62.0, 5.0])["measures"]["gusts"]
    assert (gusts["max"], gusts["max_at"]) == (62.0, HOURS[1])
    assert (gusts["min"], gusts["min_at"], gusts["mean"]) == (5.0, HOURS[3], 34.75)


def test_missing_values_are_not_zero():
    results = figures(precipitation=[None, 2.5, None])
    assert results["measures"]["precipitation"]["missing"] == 2
    assert results["measures"]["precipitation"]["sum"] == 2.5
    assert measures.entry("missing", "precipitation", HOURS[0], None, 2) in results["anomalies"]


def test_a_column_without_values_has_no_extremes():
    assert figures(wind=[None, None])["measures"]["wind"] == {"missing": 2, "present": 0}


def test_the_threshold_itself_counts():
    results = figures(gusts=[59.9, 60.0, 60.1], thresholds=[["gusts", 60.0, False]])
    assert results["thresholds"][0]["hours"] == 2
    assert results["thresholds"][0]["runs"] == [[HOURS[1], HOURS[2]]]


def test_values_that_cannot_be_are_left_out_and_told():
    results = figures(temperature=[10.0, 900.0, 11.0])
    assert results["measures"]["temperature"]["max"] == 11.0
    assert measures.entry("impossible", "temperature", HOURS[1], 900.0) in results["anomalies"]


def test_gusts_below_the_mean_wind_are_odd():
    results = figures(wind=[40.0, 40.0], gusts=[20.0, 39.5])
    kinds = [(item["kind"], item["hour"]) for item in results["anomalies"]]
    assert ("contradictory", HOURS[0]) in kinds
    assert ("contradictory", HOURS[1]) not in kinds


def test_sudden_gusts_are_told_and_slow_ones_not():
    assert [figure["kind"] for figure in figures(gusts=[20.0, 41.0])["anomalies"]] == ["jump"]
    assert figures(gusts=[20.0, 39.0, 58.0, 30.0])["anomalies"] == []


def test_the_sky_by_its_codes():
    assert figures(codes=[3, 95, 96, 3, 95])["skies"]["thunderstorm"] == [
        [HOURS[1], HOURS[2]],
        [HOURS[4], HOURS[4]],
    ]
