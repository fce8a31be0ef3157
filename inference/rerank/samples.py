"""Pairs of many lengths on which an exported model is compared with its original."""

_PASSAGE = (
    "The committee met on 3 May 2024 and approved the budget of 2.4 million euros. It asked for "
    "a second report on travel costs, which the treasurer will present in July. The bridge over "
    "the northern canal stays closed until its railing has been replaced, and cyclists are led "
    "past the old mill. A patient with a known allergy to penicillin must not be given "
    "amoxicillin; a macrolide may be given instead after the dose has been checked. "
)
_CLAIMS = (
    "The committee approved the budget in May 2024.",
    "The committee rejected the budget.",
    "The treasurer presents a report on travel costs in August.",
    "The bridge is open to cyclists.",
    "Patients who are allergic to penicillin may be given amoxicillin.",
    "The mill was built in 1830 by the mayor's father, who never saw it run.",
    "The railing of the bridge will be replaced.",
    "2.4 million euros were approved.",
)
_STARTS = tuple(range(0, 350, 14))

SAMPLE_PAIRS: tuple[tuple[str, str], ...] = tuple(
    ((_PASSAGE * (1 + at % 4))[start : start + 60 + 23 * start // 7], claim)
    for start in _STARTS
    for at, claim in enumerate(_CLAIMS)
)
"""200 pairs: 8 claims against passages of 60 to about 1,200 characters."""
