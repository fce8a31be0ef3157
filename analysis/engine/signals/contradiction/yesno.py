"""Conflicts of "Yes" and "No" as nearby answers."""

from analysis.engine.claims.non_assertions import is_question
from analysis.engine.claims.reading import Reading
from analysis.engine.signal_types import Finding
from analysis.engine.types import FindingKind
from lib.text.blocks import BlockKind
from lib.text.tokens import MARK

NEAR = 3
"""Sentences between which "yes" and "no" count as near (the risk API names no number)."""
_WORDS = {"yes": True, "yeah": True, "yep": True, "no": False, "nope": False}


def findings(reading: Reading) -> list[Finding]:
    """Return sentences that begin with "Yes" and "No" and answer the same question."""
    findings: list[Finding] = []
    earlier: tuple[int, bool] | None = None
    for index, line in enumerate(reading.lines):
        if is_question(reading.tokens, line.first, line.last) or line.kind is BlockKind.HEADING:
            earlier = None
            continue
        reply = _reply(reading, index)
        if reply is None:
            continue
        if earlier and earlier[1] != reply and index - earlier[0] <= NEAR:
            findings.append(_finding(reading, earlier[0], index))
        earlier = (index, reply)
    return findings


def _reply(reading: Reading, index: int) -> bool | None:
    line, tokens = reading.lines[index], reading.tokens
    if line.kind is not BlockKind.PROSE:
        return None
    reply = _WORDS.get(tokens.lower[line.first])
    after = line.first + 1
    alone = after >= line.last or tokens.kinds[after] == MARK
    return reply if alone else None


def _finding(reading: Reading, earlier: int, later: int) -> Finding:
    spans = tuple(_span(reading, index) for index in (earlier, later))
    claims = [
        statement.claim.claim_id
        for index in (earlier, later)
        for statement in reading.of_line(index)
    ]
    detail = "The answer says both yes and no"
    return Finding(FindingKind.YES_NO, detail, spans, tuple(claims))


def _span(reading: Reading, index: int) -> tuple[int, int]:
    at = reading.lines[index].first
    return reading.tokens.starts[at], reading.tokens.ends[at]
