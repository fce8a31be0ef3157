"""`python -m tools.evaluation.drift`: how often drift is reported, with and without any.

Simulated applications are tested on every day of a year, as the product tests them: the mix of five
things, the scores of all checks and of eight segments, and two rates of overturned decisions. The
same drift is not reported again for four weeks.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from desk.dashboard.trends.drift import (
    BEFORE_DAYS,
    LEAST_REVIEWS,
    RECENT_DAYS,
    Comparison,
    drift_tests,
)

DAYS = BEFORE_DAYS + RECENT_DAYS
YEAR = 365
_MIXES = {
    "language": (0.9, 0.06, 0.03, 0.01),
    "answer_length": (0.05, 0.1, 0.25, 0.3, 0.2, 0.07, 0.02, 0.01),
    "sources": (0.1, 0.05, 0.2, 0.3, 0.25, 0.1),
    "source_model": (0.6, 0.3, 0.1),
    "collection": (0.4, 0.25, 0.2, 0.1, 0.05),
}
_SCORES = (0.45, 0.15, 0.1, 0.06, 0.05, 0.04, 0.03, 0.03, 0.02, 0.02, 0.01, 0.01, 0.01, 0.01, 0.01)
_SEGMENTS = (1.0, 0.6, 0.3, 0.1, 0.4, 0.25, 0.2, 0.1, 0.05)
"""The share of checks in each segment whose scores are compared."""
_REVIEWED = 0.05
_OVERTURNED = {"overturned_flagged": 0.25, "overturned_allowed": 0.04}
_WEEKDAY, _DAY = 40.0, 150.0
"""Concentrations of Dirichlet distributions: how far weekdays, and days, lie from the mean mix."""

_TRAFFIC = {False: "chance alone", True: "days and weekdays differ"}
"""Words for traffic that is restless or not."""
_CHECKS_A_DAY = (50, 500, 5_000)


@dataclass(frozen=True, slots=True)
class Stream:
    """The compared value, its counts by day, and whether its categories are ordered."""

    what: str
    value: str
    days: np.ndarray
    is_ordered: bool = False

    def comparison(self, end: int) -> Comparison:
        keys = tuple(map(str, range(self.days.shape[1])))
        days = self.days[end - DAYS : end]
        least = {"least": LEAST_REVIEWS} if self.what in _OVERTURNED else {}
        return Comparison(self.what, "all", self.value, keys, days, self.is_ordered, **least)


def streams(
    chance: np.random.Generator, a_day: int, *, restless: bool, days: int = YEAR + DAYS
) -> Iterator[Stream]:
    """Yield an application's days: a year and the five weeks before. Nothing changes for good."""

    def counts(shares: Sequence[float], mean: float) -> np.ndarray:
        base = np.asarray(shares) / sum(shares)
        rows = []
        weekdays = [chance.dirichlet(base * _WEEKDAY) if restless else base for _ in range(7)]
        for day in range(days):
            mix = weekdays[day % 7]
            mix = chance.dirichlet(np.maximum(mix, 1e-9) * _DAY) if restless else mix
            rows.append(chance.multinomial(chance.poisson(mean), mix))
        return np.array(rows)

    for name, shares in _MIXES.items():
        yield Stream(name, "", counts(shares, a_day), name in ("answer_length", "sources"))
    for at, part in enumerate(_SEGMENTS):
        yield Stream("risk", str(at), counts(_SCORES, a_day * part), is_ordered=True)
    for name, rate in _OVERTURNED.items():
        yield Stream(name, "", counts((rate, 1 - rate), a_day * _REVIEWED))


def year(every: Sequence[Stream]) -> tuple[int, int, int]:
    """Return the days with drift, the alarms told, and the comparisons made in a year."""
    drifted, alarms, comparisons = 0, 0, 0
    last: dict[tuple[str, str, str], int] = {}
    for end in range(DAYS, DAYS + YEAR):
        tests = drift_tests([stream.comparison(end) for stream in every])
        names = [test.name for test in tests if test.is_drift]
        new_names = [name for name in names if end - last.get(name, -DAYS) > BEFORE_DAYS]
        drifted += bool(names)
        alarms += bool(new_names)
        last |= dict.fromkeys(new_names, end)
        comparisons += len(tests)
    return drifted, alarms, comparisons


def noticed(chance: np.random.Generator, a_day: int, moved: float, *, restless: bool) -> int:
    """Return the day (1 to 7) on which a change of the model's mix is told, 0 if on none."""
    every = list(streams(chance, a_day, restless=restless, days=DAYS + RECENT_DAYS))
    model = next(stream for stream in every if stream.what == "source_model")
    for day in model.days[DAYS : DAYS + RECENT_DAYS]:
        moving = chance.binomial(day[0], min(1.0, moved / (day[0] / max(1, day.sum()) or 1)))
        day[0], day[2] = day[0] - moving, day[2] + moving
    for after in range(1, RECENT_DAYS + 1):
        tests = drift_tests([stream.comparison(DAYS + after) for stream in every])
        if any(test.is_drift and test.what == "source_model" for test in tests):
            return after
    return 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--applications", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    many = options.applications
    print("| traffic | checks a day | comparisons a day | days with drift | alarms a year |")
    print("|---|---:|---:|---:|---:|")
    for (restless, kind), a_day in product(_TRAFFIC.items(), _CHECKS_A_DAY):
        chance = np.random.default_rng([options.seed, a_day, restless])
        years = [year(list(streams(chance, a_day, restless=restless))) for _ in range(many)]
        drifted, alarms, comparisons = map(sum, zip(*years, strict=True))
        print(
            f"| {kind} | {a_day:,} | {comparisons / YEAR / many:.1f} "
            f"| {drifted / YEAR / many:.3%} | {alarms / many:.2f} |",
            flush=True,
        )
    print("\n| traffic | checks a day | points moved | told within 7 days | after days |")
    print("|---|---:|---:|---:|---:|")
    for (restless, kind), a_day, moved in product(_TRAFFIC.items(), _CHECKS_A_DAY, (0.1, 0.2)):
        chance = np.random.default_rng([options.seed, a_day, restless, int(100 * moved)])
        runs = [noticed(chance, a_day, moved, restless=restless) for _ in range(5 * many)]
        days = [day for day in runs if day]
        mean = f"{np.mean(days):.1f}" if days else "–"
        print(
            f"| {kind} | {a_day:,} | {100 * moved:.0f} | {len(days) / len(runs):.0%} | {mean} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
