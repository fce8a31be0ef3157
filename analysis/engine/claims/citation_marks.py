"""Assigns the citation marks of an answer to its claims."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from analysis.engine.types import Claim
from lib.text.citations import Mark

_BETWEEN = re.compile(r"[.!?\n](?=\s)|[\r\n]")
"""The end of a sentence between a source that is named and a claim."""


def marks_of_claims(
    answer: str, marks: Iterable[Mark], claims: Sequence[Claim]
) -> tuple[tuple[Mark, ...], ...]:
    """Return for each claim the marks inside it and those that follow it in its line.

    A source named first is cited for what follows in its sentence.
    """
    starts, ends = [claim.start for claim in claims], [claim.end for claim in claims]
    own: list[list[Mark]] = [[] for _ in claims]
    for mark in marks:
        if mark.leads:
            at = bisect_right(ends, mark.end)
            if at < len(claims) and not _BETWEEN.search(answer, mark.end, starts[at]):
                own[at].append(mark)
            continue
        at = bisect_right(starts, mark.start) - 1
        if at < 0:
            continue
        between = answer[ends[at] : mark.start]
        if not any(char.isalnum() or char in "\r\n" for char in between):
            own[at].append(mark)
            ends[at] = max(ends[at], mark.end)
    return tuple(map(tuple, own))
