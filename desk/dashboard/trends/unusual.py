"""Detects unusual changes of the rejection rate: a test of two shares. Pure functions.

The rule, for the last hours against the days right before them:

1. At least LEAST_RECENT and LEAST_BEFORE checks; less says nothing.
2. The rate changed by at least LEAST_CHANGE, and by a fifth of what was rejected or of what was
   not, whichever is less: with a million checks a change of no importance is certain too.
3. z >= LEAST_Z, where z = (share now - share before) / error. The error is that of two shares of
   one pooled rate, times the dispersion of the days before: how much more the rate went up and
   down from one stretch of the same length to the next than chance alone would have it.

Source: the dispersion is Pearson's (P. McCullagh, J. A. Nelder, "Generalized Linear Models", 2nd
edition 1989, section 4.5: chi-square over its degrees of freedom), never below 1; D. B. Laney's
p'-chart ("Improved Control Charts for Attributes", Quality Engineering 14, 2002) rests on the same
thought. LEAST_Z is high since the question is put again every quarter of an hour.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

LEAST_RECENT, LEAST_BEFORE = 100, 500
LEAST_CHANGE, LEAST_SHARE = 0.01, 0.2
LEAST_Z = 4.0


@dataclass(frozen=True, slots=True)
class RejectionCount:
    """`rejected` checks `of` those with a verdict."""

    rejected: int
    of: int

    @property
    def share(self) -> float:
        """The share of rejected checks, 0 to 1; `of` must be above 0."""
        return self.rejected / self.of


@dataclass(frozen=True, slots=True)
class Change:
    """An unusual change; `z` is positive if the rate rose."""

    recent: RejectionCount
    before: RejectionCount
    dispersion: float
    z: float


def total(rejection_counts: Sequence[RejectionCount]) -> RejectionCount:
    return RejectionCount(
        sum(item.rejected for item in rejection_counts), sum(item.of for item in rejection_counts)
    )


def unusual(recent: RejectionCount, earlier: Sequence[RejectionCount]) -> Change | None:
    """Return the change from the `earlier` windows to the equally long `recent` one, if unusual."""
    before = total(earlier)
    if recent.of < LEAST_RECENT or before.of < LEAST_BEFORE:
        return None
    difference = recent.share - before.share
    least = max(LEAST_CHANGE, LEAST_SHARE * min(before.share, 1 - before.share))
    pooled = total([recent, before]).share
    if abs(difference) < least or not 0 < pooled < 1:
        return None
    error = sqrt(pooled * (1 - pooled) * (1 / recent.of + 1 / before.of))
    spread = dispersion(earlier)
    z = difference / (error * spread)
    return Change(recent, before, spread, z) if abs(z) >= LEAST_Z else None


def dispersion(stretches: Sequence[RejectionCount]) -> float:
    """Return how much more the shares vary than by chance, at least 1."""
    filled = [stretch for stretch in stretches if stretch.of]
    share = total(filled).share if filled else 0.0
    if len(filled) < 2 or not 0 < share < 1:
        return 1.0
    chi_square = sum(
        (item.rejected - item.of * share) ** 2 / (item.of * share * (1 - share)) for item in filled
    )
    return max(1.0, sqrt(chi_square / (len(filled) - 1)))
