"""The analysis that runs in the sandbox: exact cases, and what always holds."""

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
    for one in analysis.measures.values():
        assert one.known + one.missing == analysis.hours
        if one.known:
            assert one.min - 0.01 <= one.mean <= one.max + 0.01


@given(st.lists(speeds, max_size=48), st.floats(0, 300), st.floats(0, 300))
def test_hours_over_a_threshold_never_grow_with_it(values, one, other):
    low, high = sorted((one, other))
    assert measures.count(values, high) <= measures.count(values, low)


@given(st.lists(speeds, max_size=48), st.floats(0, 300), st.booleans())
def test_stretches_hold_exactly_the_hours_counted(values, value, below):
    hours = HOURS[: len(values)]
    found = measures.over(hours, values, value, below)
    covered = [
        hour for hour in hours if any(first <= hour <= last for first, last in found["runs"])
    ]
    assert len(covered) == found["hours"] <= found["known"]
    assert found["hours"] == 0 or found["runs"]


@given(st.lists(st.floats(-40, 45, allow_nan=False), min_size=1, max_size=48), st.randoms())
def test_the_order_of_hours_changes_no_extreme(values, chance):
    mixed = list(values)
    chance.shuffle(mixed)
    one, other = (measures.summary(HOURS, kept) for kept in (values, mixed))
    assert (one["min"], one["max"], one["known"]) == (other["min"], other["max"], other["known"])


def figures(**columns):
    count = len(next(iter(columns.values())))
    blank = {name: [0.0] * count for name in measures.RANGES}
    data = {"hours": HOURS[:count], "codes": [3] * count, "thresholds": []}
    return measures.main(blank | data | columns)


def test_extremes_name_their_first_hour():
    found = figures(gusts=[10.0, 62.0, 62.0, 5.0])["measures"]["gusts"]
    assert (found["max"], found["max_at"]) == (62.0, HOURS[1])
    assert (found["min"], found["min_at"], found["mean"]) == (5.0, HOURS[3], 34.75)


def test_missing_values_are_not_zero():
    found = figures(precipitation=[None, 2.5, None])
    assert found["measures"]["precipitation"]["missing"] == 2
    assert found["measures"]["precipitation"]["sum"] == 2.5
    assert measures.entry("missing", "precipitation", HOURS[0], None, 2) in found["anomalies"]


def test_a_column_without_values_has_no_extremes():
    assert figures(wind=[None, None])["measures"]["wind"] == {"missing": 2, "known": 0}


def test_the_threshold_itself_counts():
    found = figures(gusts=[59.9, 60.0, 60.1], thresholds=[["gusts", 60.0, False]])
    assert found["thresholds"][0]["hours"] == 2
    assert found["thresholds"][0]["runs"] == [[HOURS[1], HOURS[2]]]


def test_values_that_cannot_be_are_left_out_and_told():
    found = figures(temperature=[10.0, 900.0, 11.0])
    assert found["measures"]["temperature"]["max"] == 11.0
    assert measures.entry("impossible", "temperature", HOURS[1], 900.0) in found["anomalies"]


def test_gusts_below_the_mean_wind_are_odd():
    found = figures(wind=[40.0, 40.0], gusts=[20.0, 39.5])
    kinds = [(one["kind"], one["hour"]) for one in found["anomalies"]]
    assert ("contradictory", HOURS[0]) in kinds
    assert ("contradictory", HOURS[1]) not in kinds


def test_sudden_gusts_are_told_and_slow_ones_not():
    assert [one["kind"] for one in figures(gusts=[20.0, 41.0])["anomalies"]] == ["jump"]
    assert figures(gusts=[20.0, 39.0, 58.0, 30.0])["anomalies"] == []


def test_one_hour_far_from_a_dozen_others_is_told():
    quiet = [float(10 + at % 3) for at in range(12)]
    found = figures(wind=[*quiet, 18.0], gusts=[20.0] * 13)["anomalies"]
    assert [(one["kind"], one["measure"], one["hour"]) for one in found] == [
        ("outlier", "wind", HOURS[12])
    ]


def test_the_sky_by_its_codes():
    assert figures(codes=[3, 95, 96, 3, 95])["skies"]["thunderstorm"] == [
        [HOURS[1], HOURS[2]],
        [HOURS[4], HOURS[4]],
    ]
