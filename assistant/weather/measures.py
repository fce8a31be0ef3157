"""Analyses hourly weather. This text runs inside the sandbox; it imports nothing.

Units: wind and gusts km/h (10 m above ground, mean of the hour and its strongest gust),
precipitation mm in the hour before, temperature °C (2 m). Hours are local, "2026-11-22T15:00".
"""

Hours = list[str]
Values = list[float | None]
Entry = dict[str, str | float | None]
Figures = dict[str, object]
Runs = list[list[str]]

RANGES = {
    "wind": (0.0, 450.0),
    "gusts": (0.0, 450.0),
    "precipitation": (0.0, 400.0),
    "temperature": (-90.0, 60.0),
}
"""Beyond what has ever been measured on earth: such a value is left out and reported."""
JUMPS = {"gusts": 20.0, "temperature": 6.0}
"""A change from one hour to the next that is worth a word."""
_MOST = 200
"""Entries kept; beyond this nobody counts."""
SKIES = {
    "fog": (45, 48),
    "freezing rain": (56, 57, 66, 67),
    "snow": (71, 73, 75, 77, 85, 86),
    "thunderstorm": (95, 96, 99),
}
"""WMO weather codes that stop work, as Open-Meteo uses them."""


def main(data: dict[str, list]) -> Figures:  # type: ignore[type-arg]
    """Return all figures of these hours; each of `thresholds` is [measure, value, below]."""
    hours = data["hours"]
    raw = {name: data[name] for name in RANGES}
    series = {name: [plausible(name, value) for value in raw[name]] for name in RANGES}
    return {
        "hours": len(hours),
        "measures": {name: summary(hours, series[name]) for name in RANGES},
        "thresholds": [
            over(hours, series[name], value, below) | {"measure": name}
            for name, value, below in data["thresholds"]
        ],
        "skies": {
            name: runs(hours, [code in codes for code in data["codes"]])
            for name, codes in SKIES.items()
        },
        "anomalies": anomalies(hours, raw, series)[:_MOST],
    }


def plausible(name: str, value: float | None) -> float | None:
    """Return the value, or None if it is missing or impossible."""
    low, high = RANGES[name]
    return value if value is not None and low <= value <= high else None


def summary(hours: Hours, values: Values) -> Figures:
    """Return extremes with their first hour, mean, sum, and the number of hours without a value."""
    pairs = [(value, at) for at, value in enumerate(values) if value is not None]
    if not pairs:
        return {"missing": len(values), "present": 0}
    top = max(pairs, key=lambda pair: (pair[0], -pair[1]))
    low = min(pairs)
    total = sum(value for value, _ in pairs)
    return {
        "missing": len(values) - len(pairs),
        "present": len(pairs),
        "max": top[0],
        "max_at": hours[top[1]],
        "min": low[0],
        "min_at": hours[low[1]],
        "mean": round(total / len(pairs), 2),
        "sum": round(total, 2),
    }


def over(hours: Hours, values: Values, value: float, below: bool) -> Figures:
    """Return the hours at or above the value (at or below it if `below`), also as periods."""
    inside = [item is not None and (item <= value if below else item >= value) for item in values]
    return {
        "value": value,
        "below": below,
        "hours": sum(inside),
        "present": sum(value is not None for value in values),
        "runs": runs(hours, inside),
    }


def runs(hours: Hours, inside: list[bool]) -> Runs:
    """Return [first hour, last hour] of each unbroken period."""
    runs: Runs = []
    for at, yes in enumerate(inside):
        if yes and at and inside[at - 1]:
            runs[-1][1] = hours[at]
        elif yes:
            runs.append([hours[at], hours[at]])
    return runs


def anomalies(hours: Hours, raw: dict[str, Values], series: dict[str, Values]) -> list[Entry]:
    """Return the anomalies: gaps, impossible values, sudden changes."""
    entries: list[Entry] = []
    for name in RANGES:
        entries += gaps(hours, name, raw[name])
        entries += impossible(hours, name, raw[name], series[name])
    entries += weaker_gusts(hours, series["wind"], series["gusts"])
    for name, least in JUMPS.items():
        entries += jumps(hours, name, series[name], least)
    return entries


def entry(
    kind: str, name: str, hour: str, value: float | None, other: float | None = None
) -> Entry:
    """Return one anomaly; `other` is the value it is compared with."""
    return {"kind": kind, "measure": name, "hour": hour, "value": value, "other": other}


def gaps(hours: Hours, name: str, values: Values) -> list[Entry]:
    """Return one entry for all hours without a value: the first of them and their number."""
    missing = [at for at, value in enumerate(values) if value is None]
    return [entry("missing", name, hours[missing[0]], None, len(missing))] if missing else []


def impossible(hours: Hours, name: str, raw: Values, cleaned: Values) -> list[Entry]:
    """Return the values that were discarded as impossible."""
    return [
        entry("impossible", name, hours[at], value)
        for at, value in enumerate(raw)
        if value is not None and cleaned[at] is None
    ]


def weaker_gusts(hours: Hours, wind: Values, gusts: Values) -> list[Entry]:
    """Return hours whose strongest gust is below their mean wind by more than rounding."""
    return [
        entry("contradictory", "gusts", hours[at], gust, mean)
        for at, (mean, gust) in enumerate(zip(wind, gusts, strict=True))
        if mean is not None and gust is not None and gust < mean - 1
    ]


def jumps(hours: Hours, name: str, values: Values, least: float) -> list[Entry]:
    """Return hourly changes of at least `least`; gusts only count if they rise."""
    entries: list[Entry] = []
    for at in range(1, len(values)):
        before, after = values[at - 1], values[at]
        if before is None or after is None:
            continue
        change = after - before if name == "gusts" else abs(after - before)
        if change >= least:
            entries.append(entry("jump", name, hours[at], after, before))
    return entries
