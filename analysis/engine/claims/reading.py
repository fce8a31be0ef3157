"""An answer split into lines, statements and tokens, with the citation marks of its claims."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from msgspec import Struct

from analysis.engine.claims.clauses import Range
from analysis.engine.types import Claim
from lib.text.blocks import BlockKind
from lib.text.citations import Mark
from lib.text.decoded import Decoded
from lib.text.figures import NO_FIGURES, Figures
from lib.text.tokens import Tokens

_NOTHING = Decoded("")
METHOD_CLAUSE = "clause_v1"
METHOD_FIELD = "field_v1"
METHOD_ROW = "table_row_v1"
METHOD_WHOLE = "whole_answer_v1"
"""Extraction methods: a clause, a field of JSON, a row of a table, the whole answer."""


class Statement(Struct, frozen=True, gc=False):
    """A claim with its tokens [first, last) and those of its subject.

    `sentence` is the index of its sentence in `Reading.lines`.
    """

    claim: Claim
    first: int
    last: int
    subject: Range
    sentence: int


@dataclass(frozen=True, slots=True)
class SentenceRange:
    """Tokens [first, last) of one sentence, and whether it asserts anything."""

    first: int
    last: int
    asserts: bool
    kind: BlockKind
    figures: Figures = NO_FIGURES


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer, split once; every signal works on this.

    `lines` are its sentences, `statements` its claims, both in text order. `code_lines` counts the
    lines of code, which nothing reads, `beyond` the claims past the limit. `unread` says that some
    text is neither a claim nor small talk: a title, code, a word or two.
    """

    text: str
    tokens: Tokens
    lines: tuple[SentenceRange, ...]
    statements: tuple[Statement, ...]
    code_lines: int = 0
    unread: bool = False
    beyond: int = 0
    decoded: Decoded = _NOTHING
    """The answer as its reader sees it; models read this."""

    def of_line(self, index: int) -> tuple[Statement, ...]:
        """Return the statements of one line, found by bisection since they are in order."""
        sentence = attrgetter("sentence")
        first = bisect_left(self.statements, index, key=sentence)
        last = bisect_right(self.statements, index, first, key=sentence)
        return self.statements[first:last]

    def figures_of(self, item: Statement) -> Figures:
        """Return the figures of one statement."""
        return self.lines[item.sentence].figures.within(item.first, item.last)


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
