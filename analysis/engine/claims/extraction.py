"""Claim extraction: an answer into atomic statements with code-point spans (risk API).

Blocks, then sentences, then clauses; what asserts nothing is left out. A clause without a
subject of its own carries the one before it.
"""

from bisect import bisect_left
from dataclasses import dataclass

from analysis.engine.claims import assertions, meta_statements, non_assertions
from analysis.engine.claims.clauses import clauses, subject
from analysis.engine.claims.structured import decode_json
from analysis.engine.types import Claim
from text.blocks import BlockKind
from text.citations import is_list_title, reference_entries
from text.entities import decode
from text.figures import NO_FIGURES, Figures, figures
from text.sentences import Sentence
from text.tokens import CJK, MARK, NUMBER, Tokens
from text.units import UNITS
from text.verbs import finite
from text.words import SUBJECT_PRONOUNS, word_set

Range = tuple[int, int]
MOST_CLAIMS = 1_000
"""Claims taken from one answer, unless the caller says otherwise."""
MIN_CHARS = 10
"""Shorter fragments are no claims (risk API), unless they state something by themselves."""
METHOD_CLAUSE = "clause_v1"
METHOD_FIELD = "field_v1"
METHOD_ROW = "table_row_v1"
METHOD_WHOLE = "whole_answer_v1"
_EDGES = frozenset(".,;:!?。！？…।،؛、,-–—•*_|/\\·")
_CJK_WEIGHT = 3
_NOWHERE = (0, 0)
_TITLE_WORDS = 8
_PLAIN = (BlockKind.PROSE, BlockKind.ITEM, BlockKind.ROW)
_CITED_WORDS = word_set("source sources document documents doc docs passage passages ref refs")
_CITING = _CITED_WORDS | frozenset(",;:-–&") | {"and"}
_CITATION_SIGNS = {"]": "[", ")": "("}


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
    figures: Figures = NO_FIGURES


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer taken apart once; every signal works on this.

    `code_lines` counts the lines of code, which nothing reads, `beyond` the claims past the most
    that are taken. `unread` says that there is text
    which is neither a claim nor small talk: a title, code, a word or two.
    """

    text: str
    tokens: Tokens
    lines: tuple[Line, ...]
    statements: tuple[Statement, ...]
    code_lines: int = 0
    unread: bool = False
    beyond: int = 0

    def of_line(self, index: int) -> tuple[Statement, ...]:
        """The statements of one line; they stand in order, so two bisections find them."""
        first = bisect_left(self.statements, index, key=_sentence)
        return self.statements[
            first : bisect_left(self.statements, index + 1, first, key=_sentence)
        ]

    def figures_of(self, item: Statement) -> Figures:
        """The figures of one statement."""
        return self.lines[item.sentence].figures.within(item.first, item.last)


def _sentence(statement: Statement) -> int:
    return statement.sentence


def read(answer: str, query: str = "", most: int = MOST_CLAIMS) -> Reading:
    """Take an answer apart, into `most` claims at most; the others are counted.

    With a query, a terse answer ("Paris.") is itself a claim.
    """
    reader = _Reader(answer, most)
    for sentence in reader.decoded.sentences():
        reader.take(sentence)
    if not reader.statements and query.strip():
        reader.take_whole()
    return Reading(
        answer,
        reader.tokens,
        tuple(reader.lines),
        tuple(reader.statements),
        reader.code_lines,
        reader.unread,
        reader.beyond,
    )


class _Reader:
    """Goes through the sentences once, carrying the subject along."""

    __slots__ = (
        "answer", "beyond", "carried", "code_lines", "decoded", "entries", "lines", "most",
        "statements", "structured", "tokens", "unread",
    )  # fmt: skip

    def __init__(self, answer: str, most: int) -> None:
        self.answer = answer
        self.most = most
        self.beyond = 0
        fields = decode_json(answer)
        self.decoded = fields or decode(answer)
        self.structured = fields is not None
        self.entries = reference_entries(answer)
        self.tokens = self.decoded.tokens()
        self.lines: list[Line] = []
        self.statements: list[Statement] = []
        self.carried = _NOWHERE
        self.code_lines = 0
        self.unread = False

    def take(self, sentence: Sentence) -> None:
        """Add one sentence with its statements."""
        tokens, kind = self.tokens, sentence.kind
        first, last = tokens.between(sentence.start, sentence.end)
        first = _skip_citations(tokens, first, last)
        if first == last:
            return
        if self.structured:
            self._field(first, last)
            return
        before = len(self.statements)
        if kind is BlockKind.HEADING or _is_title(tokens, sentence, first, last):
            self._heading(first, last)
            return
        if kind is BlockKind.CODE:
            self._code(first, last)
        elif kind in (BlockKind.ROW, BlockKind.TABLE_HEAD):
            self._row(first, last, kind)
        elif not self._listed(first) or assertions.states_something(tokens, first, last):
            self._sentence(first, last)
        read = len(self.statements) > before
        social = non_assertions.is_social(tokens, first, last)
        asserts = read or (kind in _PLAIN and not social and not self._silent(first, last))
        self.unread |= not read and not social and not self._silent(first, last)
        self.lines.append(Line(first, last, asserts, kind, figures(tokens, first, last)))

    def _field(self, first: int, last: int) -> None:
        """A field of a JSON answer is a claim."""
        start, end = trim(self.tokens, first, last)
        if start < end and non_assertions.has_word(self.tokens, start, end):
            self._add(start, end, _NOWHERE, METHOD_FIELD, len(self.lines))
        found = figures(self.tokens, first, last)
        self.lines.append(Line(first, last, True, BlockKind.PROSE, found))

    def _silent(self, first: int, last: int) -> bool:
        """Whether a sentence asks, lists a source or speaks of the sources only."""
        asks = non_assertions.is_question(self.tokens, first, last)
        about = meta_statements.asserts_nothing(self.tokens, first, last, self.carried)
        return asks or about or self._listed(first) or not _has_letters(self.tokens, first, last)

    def _heading(self, first: int, last: int) -> None:
        tokens, before = self.tokens, len(self.statements)
        if assertions.states_something(tokens, first, last):
            self._sentence(first, last)
        start, end = trim(tokens, first, last)
        listing = is_list_title(" ".join(tokens.lower[start:end]))
        self.carried = _NOWHERE if listing else (start, end)
        read = len(self.statements) > before
        self.unread |= not read
        found = figures(tokens, first, last) if read else NO_FIGURES
        self.lines.append(Line(first, last, read, BlockKind.HEADING, found))

    def _code(self, first: int, last: int) -> None:
        """Prose inside a code fence is read; code is counted."""
        if assertions.is_prose(self.tokens, first, last):
            self._sentence(*assertions.without_comment_signs(self.tokens, first, last))
        elif non_assertions.has_word(self.tokens, first, last):
            self.code_lines += 1

    def _sentence(self, first: int, last: int) -> None:
        """The statements of a sentence; of a question what it states, if anything."""
        if non_assertions.is_question(self.tokens, first, last):
            stated = assertions.stated_by_question(self.tokens, first, last)
            if stated is None:
                return
            first, last = stated
        inner = assertions.in_brackets(self.tokens, first, last)
        self._clauses(first, inner[0] - 1 if inner else last)
        if inner:
            self._clauses(*inner)

    def _listed(self, first: int) -> bool:
        """True in a line of a reference list, which names a source and states nothing."""
        at = self.tokens.starts[first]
        index = bisect_left(self.entries, at, key=lambda entry: entry[1])
        return index < len(self.entries) and self.entries[index][0] <= at

    def take_whole(self) -> None:
        """A terse reply to a question is a claim: "Paris.", "1998", "Yes."."""
        tokens = self.tokens
        for index, line in enumerate(self.lines):
            start, end = trim(tokens, line.first, line.last)
            titled = line.kind is BlockKind.HEADING
            said = line.asserts or titled or _yes_or_no(tokens, start, end)
            if meta_statements.asserts_nothing(tokens, start, end, _NOWHERE):
                continue
            if start < end and said and non_assertions.has_word(tokens, start, end):
                self._add(start, end, _NOWHERE, METHOD_WHOLE, index)

    def _clauses(self, first: int, last: int) -> None:
        tokens = self.tokens
        first = meta_statements.after_frame(
            tokens, non_assertions.after_opening(tokens, first, last), last
        )
        for start, end in clauses(tokens, first, last):
            start, end = trim(tokens, start, end)
            if _states(tokens, start, end, last):
                self.carried = _about(tokens, start, end, self.carried)
                if meta_statements.asserts_nothing(tokens, start, end, self.carried):
                    continue
                self._add(start, end, self.carried, METHOD_CLAUSE, len(self.lines))

    def _row(self, first: int, last: int, kind: BlockKind) -> None:
        """A row is one claim; where several of its cells state something, each is one.

        Of a table's head only cells that state something are read.
        """
        tokens = self.tokens
        start, end = trim(tokens, first, last)
        cells = assertions.stating_cells(tokens, start, end)
        bars = [at for at in range(start, end) if tokens.words[at].startswith("|")]
        numbered = bars == [start + 1] and tokens.kinds[start] == NUMBER
        if kind is BlockKind.TABLE_HEAD or len(cells) > 1 or not bars or (cells and numbered):
            for cell in cells:
                self._sentence(*cell)
        elif non_assertions.has_word(tokens, start, end):
            self._add(start, end, (start, bars[0]), METHOD_ROW, len(self.lines))

    def _add(self, first: int, last: int, about: Range, method: str, line: int) -> None:
        if len(self.statements) >= self.most:
            self.beyond += 1
            return
        tokens = self.tokens
        start, end = tokens.starts[first], tokens.ends[last - 1]
        own = about == _NOWHERE or first <= about[0] < last
        carried = "" if own else self.answer[tokens.starts[about[0]] : tokens.ends[about[1] - 1]]
        claim_id = f"c_{len(self.statements) + 1:04d}"
        claim = Claim(claim_id, self.answer[start:end], start, end, carried, method)
        self.statements.append(Statement(claim, first, last, about, line))


def _about(tokens: Tokens, start: int, end: int, carried: Range) -> Range:
    """The clause's own subject, or the carried one where it has none or only a pronoun."""
    first, last = subject(tokens, start, end)
    if first >= last:
        return carried
    pronoun = last - first == 1 and tokens.lower[first] in SUBJECT_PRONOUNS
    return carried if pronoun and carried != _NOWHERE else (first, last)


def _states(tokens: Tokens, start: int, end: int, line_end: int) -> bool:
    """True where the clause asserts something that could be checked."""
    if start >= end or not non_assertions.has_word(tokens, start, end):
        return False
    if non_assertions.is_social(tokens, start, end):
        return False
    if end < line_end and _announces(tokens, start, end, line_end):
        return False
    if tokens.ends[end - 1] - tokens.starts[start] >= MIN_CHARS:
        return True
    return _short_statement(tokens, start, end)


def _announces(tokens: Tokens, start: int, end: int, line_end: int) -> bool:
    """True for "Here are some facts:" and other lines that only lead to what follows."""
    if tokens.lower[min(end, line_end - 1)] in (":", ":**"):
        return assertions.is_lead_in(tokens, start, end)
    return non_assertions.announces(tokens, start, end)


def _has_letters(tokens: Tokens, first: int, last: int) -> bool:
    return any(any(map(str.isalnum, tokens.words[at])) for at in range(first, last))


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
    return not assertions.states_something(tokens, first, last)


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
    """Without [1], [2, 3], [Source 4] or (Passage 5) at the end."""
    opening = _CITATION_SIGNS.get(tokens.words[last - 1]) if last - first > 3 else None
    at = last - 2
    while opening and at > first and _cites(tokens, at):
        at -= 1
    cited = first < at < last - 2 and _is_citation(tokens, at, last)
    return at if opening and cited and tokens.words[at] == opening else last


def _skip_citations(tokens: Tokens, first: int, last: int) -> int:
    """Past the citation marks of the sentence before: "[1] The next one"."""
    while first < last and tokens.words[first] in ("[", "("):
        at = first + 1
        while at < last and _cites(tokens, at):
            at += 1
        closed = at < last and _CITATION_SIGNS.get(tokens.words[at]) == tokens.words[first]
        if not closed or not _is_citation(tokens, first, at + 1):
            break
        first = at + 1
    return first


def _cites(tokens: Tokens, at: int) -> bool:
    return tokens.kinds[at] == NUMBER or tokens.lower[at] in _CITING


def _is_citation(tokens: Tokens, first: int, last: int) -> bool:
    """Whether tokens [first, last), brackets at both ends, name a source; round ones by a word."""
    numbered = any(tokens.kinds[at] == NUMBER for at in range(first, last))
    named = not _CITED_WORDS.isdisjoint(tokens.lower[first:last])
    return numbered and (named or tokens.words[first] == "[")
