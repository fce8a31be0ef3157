"""Turns figures into sentences that name place and hours, so that each can be cited alone."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from assistant.weather.analysing import MEASURES, Analysis, Anomaly, Measure, Over, Sky, Summary

UNITS = {"wind": "km/h", "gusts": "km/h", "precipitation": "mm", "temperature": "°C"}
NAMES = {
    "wind": "sustained wind",
    "gusts": "wind gusts",
    "precipitation": "precipitation",
    "temperature": "temperature",
}
_SKIES: tuple[Sky, ...] = ("thunderstorm", "freezing rain", "snow", "fog")
_SHOWN_RUNS = 4
_SHOWN_ANOMALIES = 5


@dataclass(frozen=True, slots=True)
class ForecastScope:
    """The scope of the sentences: a place, local hours [first, last] and the kind of data."""

    place: str
    first: datetime
    last: datetime
    record: bool

    @property
    def opening(self) -> str:
        """The opening: "Forecast for Rotterdam, Sunday 22 November 2026, 06:00–12:00"."""
        kind = "Weather record" if self.record else "Forecast"
        end = self.last + timedelta(hours=1)
        if self.first.date() == self.last.date():
            return f"{kind} for {self.place}, {_day(self.first)}, {self.first:%H:%M}–{_end(end)}"
        days = f"{_day(self.first)} {self.first:%H:%M} to {_day(self.last)} {_end(end)}"
        return f"{kind} for {self.place}, {days}"

    def at(self, hour: str) -> str:
        """Return an hour of the scope: "15:00", with its day if there are several."""
        time = datetime.fromisoformat(hour)
        one_day = self.first.date() == self.last.date()
        return f"{time:%H:%M}" if one_day else f"{time:%a} {time.day} {time:%b %H:%M}"

    def stretch(self, first: str, last: str) -> str:
        """Return the period from the first hour's start to the last one's end: "13:00–16:00"."""
        end = datetime.fromisoformat(last) + timedelta(hours=1)
        return f"{self.at(first)}–{_end(end)}"


def sentences(analysis: Analysis, scope: ForecastScope) -> Iterator[str]:
    """Yield the noteworthy sentences, what can stop work first.

    The order is: the limits asked for, wind, sky, rain and temperature, then anomalies.
    """
    texts = {name: _measure(name, analysis.measures[name], scope) for name in MEASURES}
    bodies = [_over(threshold, scope) for threshold in analysis.thresholds]
    bodies += [texts["gusts"], texts["wind"]]
    bodies += [
        f"{name} {_stretches(runs, scope)}" for name in _SKIES if (runs := analysis.skies.get(name))
    ]
    bodies += [texts["precipitation"], texts["temperature"]]
    bodies += _odd(analysis.anomalies, scope)
    for body in bodies:
        yield f"{scope.opening}: {body}."


def _over(threshold: Over, scope: ForecastScope) -> str:
    bound = "or less" if threshold.below else "or more"
    value = f"{number(threshold.value)} {UNITS[threshold.measure]} {bound}"
    if not threshold.present:
        return f"{NAMES[threshold.measure]} of {value}: no data"
    share = f"in {threshold.hours or 'none'} of {threshold.present} hours"
    where = f", {_stretches(threshold.runs, scope)}" if threshold.runs else ""
    return f"{NAMES[threshold.measure]} of {value} {share}{where}"


def _measure(name: Measure, summary: Summary, scope: ForecastScope) -> str:
    unit = UNITS[name]
    if summary.max is None or summary.min is None or summary.mean is None or summary.sum is None:
        return f"no data on {NAMES[name]}"
    top = f"{number(summary.max)} {unit} (at {scope.at(summary.max_at or '')})"
    if name == "temperature":
        low = f"{number(summary.min)} {unit} (at {scope.at(summary.min_at or '')})"
        return f"temperature from {low} to {top}"
    if name != "precipitation":
        return f"{NAMES[name]} up to {top}, {number(summary.mean)} {unit} on average"
    if summary.sum == 0:
        return "no precipitation (0 mm)"
    most = f"{number(summary.max)} mm in one hour (at {scope.at(summary.max_at or '')})"
    return f"precipitation {number(summary.sum)} mm in all, at most {most}"


def _stretches(runs: Sequence[Sequence[str]], scope: ForecastScope) -> str:
    spans = [scope.stretch(first, last) for first, last in runs[:_SHOWN_RUNS]]
    more = f" and {len(runs) - _SHOWN_RUNS} times more" if len(runs) > _SHOWN_RUNS else ""
    return ", ".join(spans) + more


def _odd(anomalies: Sequence[Anomaly], scope: ForecastScope) -> list[str]:
    """Return a sentence for each kind and measure of anomaly: the first hour and the number."""
    groups = defaultdict[tuple[str, str], list[Anomaly]](list)
    for item in anomalies:
        groups[item.kind, item.measure].append(item)
    return [_anomaly(group, scope) for group in groups.values()][:_SHOWN_ANOMALIES]


def _anomaly(group: Sequence[Anomaly], scope: ForecastScope) -> str:
    anomaly = group[0]
    name, unit, at = NAMES[anomaly.measure], UNITS[anomaly.measure], scope.at(anomaly.hour)
    value, other = number(anomaly.value or 0), number(anomaly.other or 0)
    text = {
        "missing": f"no data on {name} for {other} hours, the first at {at}",
        "impossible": f"{name} of {value} {unit} at {at} left out, it cannot be",
        "contradictory": f"{name} of {value} {unit} at {at} below the mean wind of {other} {unit}",
        "jump": f"sudden change of {name} from {other} to {value} {unit} at {at}",
    }[anomaly.kind]
    more = len(group) - 1
    return text + (f", and in {more} more hour{'s' * (more > 1)}" if more else "")


def number(value: float) -> str:
    """Return a number with at most one decimal: 62, 3.1."""
    return f"{round(value, 1):g}"


def _day(time: datetime) -> str:
    return f"{time:%A} {time.day} {time:%B %Y}"


def _end(time: datetime) -> str:
    """Return the time; midnight at the end of a day is 24:00."""
    return "24:00" if time.hour == 0 else f"{time:%H:%M}"
