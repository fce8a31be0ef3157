"""The answer sentence by sentence, each beside the evidence of its claims."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from analysis.engine.types import ClaimStatus
from desk.verdict_page.answer import Piece, Run
from desk.verdict_page.detail import Detail, is_only_doubted
from desk.verdict_page.marking import Span, differing_words
from desk.verdict_page.selectors import ClaimLine

_END = re.compile(r"[.!?…][\"'”’)\]]*\s+|\n\s*")


@dataclass(slots=True)
class Sentence:
    """A sentence of the answer and its claims; of those in `later` the evidence is not read yet."""

    pieces: list[Piece] = field(default_factory=list)
    claims: list[Detail] = field(default_factory=list)
    later: list[int] = field(default_factory=list)

    @property
    def has_claims(self) -> bool:
        return bool(self.claims or self.later)


def sentences(pieces: Sequence[Piece], details: Mapping[int, Detail]) -> list[Sentence]:
    """Return the pieces by sentences, all of them; one without a claim goes with the next."""
    ends = {match.end() for match in _END.finditer(_text(pieces))}
    rows, at = [Sentence()], 0
    for piece in pieces:
        for part in _cut(piece, at, ends):
            rows[-1].pieces.append(part)
            at += len(_text([part]))
            if part.claim and part.first:
                number = part.claim.number
                if number in details:
                    rows[-1].claims.append(details[number])
                else:
                    rows[-1].later.append(number)
            if at in ends and rows[-1].has_claims:
                rows.append(Sentence())
    return [row for row in rows if row.pieces]


def differing(answer: str, line: ClaimLine, claim: Mapping[str, Any]) -> list[Span]:
    """Return where the answer has those words of a contradicted claim that its passage lacks.

    Empty if the judge alone doubts the claim.
    """
    passage = claim["primary_evidence"]
    if claim["status"] != ClaimStatus.CONTRADICTORY or not passage or is_only_doubted(dict(claim)):
        return []
    words = differing_words(answer[line.start : line.end], passage["text"])
    return [Span(line.start + word.start, line.start + word.end, word.key) for word in words]


def _text(pieces: Sequence[Piece]) -> str:
    return "".join(run.text for piece in pieces for run in piece.runs)


def _cut(piece: Piece, at: int, ends: set[int]) -> list[Piece]:
    """Return the piece in parts that end with sentences; a claim is never cut."""
    if piece.claim:
        return [piece]
    text = _text([piece])
    borders = [0, *(n for n in range(1, len(text)) if at + n in ends), len(text)]
    return [Piece(None, True, [Run(text[a:b])]) for a, b in pairwise(borders)]
