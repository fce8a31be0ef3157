"""Internal contradictions (risk API): the answer against itself.

Facts are bucketed by subject, and only facts of one bucket are compared, so that the work
grows with the length of the answer.
"""

from analysis.engine.claims.reading import Reading
from analysis.engine.signal_types import Finding
from analysis.engine.signals.contradiction import facts, numeric, status, timeline, yesno

MOST = 50
"""Findings kept of each kind: one is enough for the verdict, fifty for the reader."""


def findings(reading: Reading) -> tuple[Finding, ...]:
    """Timeline, status, yes/no and numeric conflicts, each with the two spans at odds."""
    if len(reading.lines) < 2 and len(reading.statements) < 2:
        return ()
    sayings = facts.sayings(reading)
    kinds = (timeline.findings, status.findings, numeric.findings)
    result = [finding for kind in kinds for finding in kind(reading, sayings)[:MOST]]
    return (*result, *yesno.findings(reading)[:MOST])


def explain(findings: tuple[Finding, ...]) -> str:
    """The details in words, empty where nothing was found."""
    return "; ".join(finding.detail for finding in findings[:3])
