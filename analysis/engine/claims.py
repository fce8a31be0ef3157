"""Claim extraction: an answer into atomic statements with code-point spans (seed 1).

Blocks, then sentences, then clauses; what asserts nothing is left out. A clause without a
subject of its own carries the one before it.
"""

from bisect import bisect_left
from dataclasses import dataclass, replace

from analysis.engine import speech
from analysis.engine.clauses import clauses, subject
from analysis.engine.types import Claim
from text.blocks import BlockKind
from text.sentences import Sentence, sentences
from text.tokens import CJK, MARK, NUMBER, Tokens, tokenize
from text.units import UNITS
from text.verbs import finite
from text.words import SUBJECT_PRONOUNS

Range = tuple[int, int]
MIN_CHARS = 10
"""Shorter fragments are no claims (seed 1), unless they state something by themselves."""
METHOD_CLAUSE = "clause_v1"
METHOD_ROW = "table_row_v1"
METHOD_WHOLE = "whole_answer_v1"
_EDGES = frozenset(".,;:!?。！？…।،؛、,-–—•*_|/\\·")
_CJK_WEIGHT = 3
_NOWHERE = (0, 0)
_TITLE_WORDS = 8


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim with its tokens [first, last) and those of what it is about."""

    claim: Claim
    first: int
    last: int
    subject: Range
    sentence: int


@dataclass(frozen=True, slots=True)
class Line:
    """Tokens [first, last) of one sentence, and whether it asserts anything."""

    first: int
    last: int
    asserts: bool
    kind: BlockKind


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer taken apart once; every signal works on this."""

    text: str
    tokens: Tokens
    lines: tuple[Line, ...]
    statements: tuple[Statement, ...]

    def of_line(self, index: int) -> tuple[Statement, ...]:
        """The statements of one line; they stand in order, so two bisections find them."""
        first = bisect_left(self.statements, index, key=_sentence)
        return self.statements[
            first : bisect_left(self.statements, index + 1, first, key=_sentence)
        ]


def _sentence(statement: Statement) -> int:
    return statement.sentence


def read(answer: str, query: str = "") -> Reading:
    """Take an answer apart. With a query, a terse answer ("Paris.") is itself a claim."""
    tokens = tokenize(answer)
    lines: list[Line] = []
    statements: list[Statement] = []
    carried = _NOWHERE
    for sentence in sentences(answer):
        first, last = tokens.between(sentence.start, sentence.end)
        first = _skip_citations(tokens, first, last)
        if first == last:
            continue
        if sentence.kind is BlockKind.HEADING or _is_title(tokens, sentence, first, last):
            carried = trim(tokens, first, last)
            lines.append(Line(first, last, False, BlockKind.HEADING))
            continue
        found, carried = _statements(answer, tokens, sentence, (first, last), carried, len(lines))
        asserts = _asserts(tokens, sentence, first, last)
        lines.append(Line(first, last, asserts, sentence.kind))
        statements.extend(found)
    if not statements and query.strip():
        statements = _whole_answer(answer, tokens, lines)
    return Reading(answer, tokens, tuple(lines), _numbered(statements))


def _asserts(tokens: Tokens, sentence: Sentence, first: int, last: int) -> bool:
    silent = speech.is_question(tokens, first, last) or speech.is_social(tokens, first, last)
    return sentence.kind is not BlockKind.CODE and not silent


def _statements(
    answer: str, tokens: Tokens, sentence: Sentence, span: Range, carried: Range, index: int
) -> tuple[list[Statement], Range]:
    """The statements of one sentence and the subject that the next may carry on."""
    first, last = span
    if sentence.kind in (BlockKind.CODE, BlockKind.TABLE_HEAD):
        return [], carried
    if speech.is_question(tokens, first, last):
        return [], carried
    if sentence.kind is BlockKind.ROW:
        return _row(answer, tokens, span, carried, index), carried
    found = []
    first = speech.after_opening(tokens, first, last)
    for start, end in clauses(tokens, first, last):
        start, end = trim(tokens, start, end)
        about = _about(tokens, start, end, carried)
        if _states(tokens, start, end, last):
            carried = about
            method = METHOD_CLAUSE
            found.append(_statement(answer, tokens, (start, end), about, index, method))
    return found, carried


def _about(tokens: Tokens, start: int, end: int, carried: Range) -> Range:
    """The clause's own subject, or the carried one where it has none or only a pronoun."""
    first, last = subject(tokens, start, end)
    if first >= last:
        return carried
    pronoun = last - first == 1 and tokens.lower[first] in SUBJECT_PRONOUNS
    return carried if pronoun and carried != _NOWHERE else (first, last)


def _statement(
    answer: str, tokens: Tokens, span: Range, about: Range, index: int, method: str
) -> Statement:
    start, end = tokens.starts[span[0]], tokens.ends[span[1] - 1]
    own = about == _NOWHERE or span[0] <= about[0] < span[1]
    carried = "" if own else answer[tokens.starts[about[0]] : tokens.ends[about[1] - 1]]
    claim = Claim("", answer[start:end], start, end, carried, method)
    return Statement(claim, span[0], span[1], about, index)


def _row(answer: str, tokens: Tokens, span: Range, carried: Range, index: int) -> list[Statement]:
    """A table row with two cells or more that say something is one claim."""
    start, end = trim(tokens, *span)
    bars = [at for at in range(start, end) if tokens.words[at].startswith("|")]
    if not bars or not speech.has_word(tokens, start, end):
        return []
    return [_statement(answer, tokens, (start, end), (start, bars[0]), index, METHOD_ROW)]


def _states(tokens: Tokens, start: int, end: int, line_end: int) -> bool:
    """True where the clause asserts something that could be checked."""
    if start >= end or not speech.has_word(tokens, start, end):
        return False
    if speech.is_social(tokens, start, end):
        return False
    if end < line_end and speech.is_lead_in(tokens, start, min(end + 1, line_end)):
        return False
    if tokens.ends[end - 1] - tokens.starts[start] >= MIN_CHARS:
        return True
    return _short_statement(tokens, start, end)


def _short_statement(tokens: Tokens, start: int, end: int) -> bool:
    """ "It is 5 m" states something in nine characters; "Chapter 3" does not."""
    ideographs = sum(tokens.kinds[at] == CJK for at in range(start, end))
    if ideographs:
        chars = tokens.ends[end - 1] - tokens.starts[start]
        return chars + (_CJK_WEIGHT - 1) * ideographs >= MIN_CHARS
    if any(finite(tokens, at) for at in range(start + 1, end)):
        return True
    return any(
        tokens.kinds[at] == NUMBER and tokens.lower[at + 1] in UNITS for at in range(start, end - 1)
    )


def _whole_answer(answer: str, tokens: Tokens, lines: list[Line]) -> list[Statement]:
    """A terse reply to a question is a claim: "Paris.", "1998", "Yes."."""
    found = []
    for index, line in enumerate(lines):
        start, end = trim(tokens, line.first, line.last)
        said = line.asserts or _yes_or_no(tokens, start, end)
        if start < end and said and speech.has_word(tokens, start, end):
            span = (start, end)
            found.append(_statement(answer, tokens, span, _NOWHERE, index, METHOD_WHOLE))
    return found


def _yes_or_no(tokens: Tokens, start: int, end: int) -> bool:
    return end - start == 1 and tokens.lower[start] in ("yes", "no")


def _is_title(tokens: Tokens, sentence: Sentence, first: int, last: int) -> bool:
    """A line all in bold, or short and ending with a colon, without a verb: a heading."""
    if sentence.kind is BlockKind.ROW:
        return False
    bold = tokens.words[first] == "**" and tokens.words[last - 1] in ("**", ":")
    colon = tokens.words[last - 1] == ":"
    if not (bold or colon) or last - first > 2 * _TITLE_WORDS:
        return False
    return not any(finite(tokens, at) for at in range(first, last))


def trim(tokens: Tokens, first: int, last: int) -> Range:
    """Without punctuation, list signs, citation marks and paired quotes at the edges."""
    before = None
    while before != (first, last):
        before = (first, last)
        while first < last and _edge(tokens, first):
            first += 1
        while last > first and _edge(tokens, last - 1):
            last -= 1
        last = _drop_citation(tokens, first, last)
        first, last = _unwrap(tokens, first, last)
    return first, last


def _edge(tokens: Tokens, at: int) -> bool:
    word = tokens.words[at]
    return tokens.kinds[at] == MARK and word[0] in _EDGES and word not in ("**", "*", "_", "__")


_PAIRS = {"**": "**", "*": "*", "_": "_", "__": "__", '"': '"', "“": "”", "«": "»", "'": "'"}
_OPENERS = {closing: opening for opening, closing in _PAIRS.items()}


def _unwrap(tokens: Tokens, first: int, last: int) -> Range:
    """Take off a pair of marks around the whole, and a mark whose partner is elsewhere."""
    if last - first < 2:
        return first, last
    closing = _PAIRS.get(tokens.words[first])
    if closing and closing not in tokens.words[first + 1 : last - 1]:
        return first + 1, last - (tokens.words[last - 1] == closing)
    opening = _OPENERS.get(tokens.words[last - 1])
    if opening and opening not in tokens.words[first : last - 1]:
        return first, last - 1
    return first, last


def _drop_citation(tokens: Tokens, first: int, last: int) -> int:
    """Without [1] or [2, 3] at the end."""
    if last - first < 4 or tokens.words[last - 1] != "]":
        return last
    at = last - 2
    while at > first and (tokens.kinds[at] == NUMBER or tokens.words[at] in ",-–"):
        at -= 1
    return at if tokens.words[at] == "[" and at > first else last


def _skip_citations(tokens: Tokens, first: int, last: int) -> int:
    """Past the citation marks of the sentence before: "[1] The next one"."""
    while first + 2 < last and tokens.words[first] == "[" and tokens.kinds[first + 1] == NUMBER:
        if tokens.words[first + 2] != "]":
            break
        first += 3
    return first


def _numbered(statements: list[Statement]) -> tuple[Statement, ...]:
    return tuple(
        replace(found, claim=replace(found.claim, claim_id=f"c_{number:04d}"))
        for number, found in enumerate(statements, start=1)
    )
