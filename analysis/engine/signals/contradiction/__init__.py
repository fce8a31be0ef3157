"""Internal contradictions (risk API): the answer against itself.

Facts are grouped by subject, and only facts of one group are compared, so that the work is linear
in the length of the answer.
"""

from analysis.engine.claims.reading import Reading
from analysis.engine.signal_types import Finding
from analysis.engine.signals.contradiction import facts, numeric, status, timeline, yesno

MOST = 50
"""Findings kept of each kind: one is enough for the verdict, fifty for the reader."""


def findings(reading: Reading) -> tuple[Finding, ...]:
    """Return timeline, status, yes/no and numeric conflicts, each with its two spans."""
    if len(reading.lines) < 2 and len(reading.statements) < 2:
        return ()
    sayings = facts.sayings(reading)
    kinds = (timeline.findings, status.findings, numeric.findings)
    result = [finding for kind in kinds for finding in kind(reading, sayings)[:MOST]]
    return (*result, *yesno.findings(reading)[:MOST])


def explain(findings: tuple[Finding, ...]) -> str:
    """Return the details in words, "" without findings."""
    return "; ".join(finding.detail for finding in findings[:3])
