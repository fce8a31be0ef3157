"""Cohen's kappa: the agreement of two reviewers beyond chance, with its interval.

Source: J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological
Measurement 20 (1960), for kappa; J. L. Fleiss, J. Cohen, B. S. Everitt, "Large sample standard
errors of kappa and weighted kappa", Psychological Bulletin 72 (1969), formula 13, for its error.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

_Z95 = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement on `n` answers judged twice, of which a share `raw` (0–1) were judged alike.

    `kappa` (at most 1) with its 95% interval is None if chance alone explains everything: there is
    no pair, or both gave the same judgement every time. The interval assumes large samples and is
    rough below some 30 pairs.
    """

    n: int
    raw: float | None
    kappa: float | None
    low: float | None
    high: float | None


def agreement(pairs: Iterable[tuple[str, str]]) -> Agreement:
    """Return the agreement of (first judgement, second judgement) pairs."""
    counts = Counter(pairs)
    n = counts.total()
    if not n:
        return Agreement(0, None, None, None, None)
    labels = {label for pair in counts for label in pair}
    first = {a: sum(k for (x, _), k in counts.items() if x == a) / n for a in labels}
    second = {b: sum(k for (_, y), k in counts.items() if y == b) / n for b in labels}
    raw = sum(counts[a, a] for a in labels) / n
    chance = sum(first[a] * second[a] for a in labels)
    if chance >= 1:
        return Agreement(n, raw, None, None, None)
    kappa = (raw - chance) / (1 - chance)
    shares = {pair: k / n for pair, k in counts.items()}
    margin = _Z95 * _error(shares, first, second, chance=chance, kappa=kappa) / sqrt(n)
    return Agreement(n, raw, kappa, max(-1.0, kappa - margin), min(1.0, kappa + margin))


def _error(
    shares: dict[tuple[str, str], float],
    first: dict[str, float],
    second: dict[str, float],
    *,
    chance: float,
    kappa: float,
) -> float:
    """Return the standard error of kappa times the square root of n."""
    disagreement = 1 - kappa
    alike = sum(
        p * (1 - (first[a] + second[a]) * disagreement) ** 2
        for (a, b), p in shares.items()
        if a == b
    )
    apart = sum(p * (first[b] + second[a]) ** 2 for (a, b), p in shares.items() if a != b)
    rest = (kappa - chance * disagreement) ** 2
    return sqrt(max(0.0, alike + disagreement**2 * apart - rest)) / (1 - chance)
