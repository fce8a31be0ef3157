"""Extracts claims: splits an answer into atomic statements with code-point spans (risk API).

Blocks, then sentences, then clauses; whatever asserts nothing is left out. A clause without a
subject takes over the previous one.
"""

import re
from bisect import bisect_left
from dataclasses import replace
from unicodedata import category

from analysis.engine.claims import assertions, replies
from analysis.engine.claims.clauses import Range, clauses, subject
from analysis.engine.claims.reading import (
    METHOD_CLAUSE,
    METHOD_FIELD,
    METHOD_ROW,
    METHOD_WHOLE,
    Reading,
    SentenceRange,
    Statement,
)
from analysis.engine.types import Claim
from lib.text.blocks import BlockKind
from lib.text.citations import is_list_title, reference_entries, without_notes
from lib.text.figures import NO_FIGURES, figures
from lib.text.markup import without_emphasis
from lib.text.reader.reading import Statement as DataStatement
from lib.text.reader.reading import read_text
from lib.text.sentences import Sentence
from lib.text.thinking import without_thinking
from lib.text.tokens import CJK, MARK, NUMBER, Tokens
from lib.text.units import UNITS
from lib.text.verbs import has_finite_verb
from lib.text.words import SUBJECT_PRONOUNS, word_set

_BOOKKEEPING = (
    (
        word_set("confidence score probability certainty"),
        re.compile(r"0?\.\d+|[01](?:\.0+)?|\d{1,3} ?%|\d{1,3}|high|medium|low"),
    ),
    (
        word_set("source sources citation citations reference references"),
        re.compile(
            r"\[?(?:(?:source|doc|document|passage|s|d|p)[ _-]?)?\d{1,3}\]?"
            r"|.{1,80}\.[a-z]{2,4}|https?://\S+|[a-z]+[_-][\w-]+"
            r"|.*\b(?:section|page|chapter|p\.) ?\d.*"
        ),
    ),
    (
        word_set("language lang format type"),
        re.compile(r"[a-z]{2}(?:-[a-z]{2})?|text|json|markdown|answer|string"),
    ),
)
"""Names of fields about the answer itself, and what their values look like in lower case."""


def is_bookkeeping(key: str, value: str) -> bool:
    """Return whether a field states an answer's confidence, citation or language."""
    key, value = key.lower(), value.lower()
    return any(key in keys and pattern.fullmatch(value) for keys, pattern in _BOOKKEEPING)


_EDGES = frozenset(".,;:!?。！？…।،؛、,-–—•*_|/\\·")
_TELLING = frozenset("✓✔✅☑✗✘❌☒🚫⛔")
"""Pictures that say yes or no; others are ornament."""
_LABELS = word_set(
    "attention correction edit erratum fact fyi headline heading important info nb note ps "
    "reminder remember statement subject summary tip title update warning "
    "answer response reply assistant ai bot chatbot agent output result conclusion"
)
_PLAIN_LABELS = word_set(
    "ai brief chat customer direct final help key main my our quick service short simple support "
    "the virtual"
)
_LEAST_BEHIND_LABEL = 3
"""Fewer words after a label are its value ("title: Ulysses"), no statement."""


def trim(tokens: Tokens, first: int, last: int) -> Range:
    """Return the range without punctuation, list signs and paired quotes at its edges."""
    while True:
        while first < last and _edge(tokens, first):
            first += 1
        while last > first and _edge(tokens, last - 1):
            last -= 1
        inner = _unwrap(tokens, _skip_label(tokens, first, last), last)
        if inner == (first, last):
            return inner
        first, last = inner


def _skip_label(tokens: Tokens, first: int, last: int) -> int:
    """Return the position after "Note:", "title =", "P.S." and an opening tag."""
    words = tokens.lower[first : min(last, first + 12)]
    at, bold = 0, words[:1] == ["**"]
    label = words[bold:]
    if words[:4] == ["p", ".", "s", "."]:
        at = 4
    elif words[:1] == ["<"] and ">" in words:
        at = words.index(">") + 1
    elif (colon := next((n for n in (1, 2, 3) if label[n : n + 1] in ([":"], ["="])), 0)) and (
        label[colon - 1] in _LABELS and _PLAIN_LABELS.issuperset(label[: colon - 1])
    ):
        at = bold + colon + 1
        at += bold and words[at : at + 1] == ["**"]
    elif words[:1] == ["["] and words[2:3] == ["]"] and words[1] in _LABELS:
        at = 3
    elif words[:2] == ["a", ":"] and (first == 0 or tokens.words[first - 1] == "?"):
        at = 2
    return first + at if last - first - at >= _LEAST_BEHIND_LABEL else first


def _edge(tokens: Tokens, at: int) -> bool:
    word = tokens.words[at]
    if tokens.kinds[at] != MARK or word in ("**", "*", "_", "__"):
        return False
    is_sign = word in ("-", "−") and tokens.kinds[at + 1 : at + 2] == [NUMBER]
    if is_sign and tokens.ends[at] == tokens.starts[at + 1]:
        return False
    return word[0] in _EDGES or (category(word[0]) == "So" and word[0] not in _TELLING)


_PAIRS = {"**": "**", "*": "*", "_": "_", "__": "__", '"': '"', "“": "”", "«": "»", "'": "'"}
_OPENERS = {closing: opening for opening, closing in _PAIRS.items()}


def _unwrap(tokens: Tokens, first: int, last: int) -> Range:
    """Remove a pair of marks around the whole, and a mark whose partner is elsewhere."""
    if last - first < 2:
        return first, last
    closing = _PAIRS.get(tokens.words[first])
    if closing and closing not in tokens.words[first + 1 : last - 1]:
        return first + 1, last - (tokens.words[last - 1] == closing)
    opening = _OPENERS.get(tokens.words[last - 1])
    if opening and opening not in tokens.words[first : last - 1]:
        return first, last - 1
    return first, last


MOST_CLAIMS = 1_000
"""Claims taken from one answer, unless the caller says otherwise."""
MIN_CHARS = 10
"""Shorter fragments are not claims (risk API), unless they are complete statements."""
_CJK_WEIGHT = 3
_NOWHERE = (0, 0)
_TITLE_WORDS = 8
_IN_TABLE = (BlockKind.ROW, BlockKind.TABLE_HEAD)
_PLAIN = (BlockKind.PROSE, BlockKind.ITEM, BlockKind.ROW)


def read(answer: str, query: str = "", most: int = MOST_CLAIMS) -> Reading:
    """Split an answer into at most `most` claims; the others are counted.

    With a query, a terse answer ("Paris.") is itself a claim.
    """
    reader = _Reader(answer, most)
    for sentence in reader.read.sentences():
        reader.take(sentence)
    if not reader.statements and query.strip():
        reader.take_whole(query)
        reader.unread |= not reader.statements and not reader.declined and replies.asks(query)
    return Reading(
        answer,
        reader.tokens,
        tuple(reader.lines),
        tuple(reader.statements),
        reader.code_lines,
        reader.unread,
        reader.beyond,
        decoded=without_emphasis(reader.decoded),
    )


class _Reader:
    """Reads the sentences once, carrying the subject along."""

    __slots__ = (
        "answer", "asked", "beyond", "carried", "code_lines", "declined", "decoded", "entries",
        "lines", "most", "read", "signed", "statements", "tokens", "unread",
    )  # fmt: skip

    def __init__(self, answer: str, most: int) -> None:
        self.answer, self.most = answer, most
        text = without_thinking(answer)
        read = read_text(text, each=True)
        notes = without_notes(read.decoded.text)
        self.read = replace(read, decoded=read.decoded.edited(notes))
        self.decoded = self.read.decoded
        self.entries = reference_entries(text)
        self.tokens = self.decoded.tokens()
        self.lines: list[SentenceRange] = []
        self.statements: list[Statement] = []
        self.carried = _NOWHERE
        self.asked: tuple[Range, int] | None = None
        self.code_lines = self.beyond = 0
        self.declined = self.signed = False
        # If the text is all thinking, nothing was answered.
        self.unread = bool(answer.strip()) and not text.strip()

    def take(self, sentence: Sentence) -> None:
        """Add one sentence with its statements."""
        tokens, kind = self.tokens, sentence.kind
        first, last = tokens.between(sentence.start, sentence.end)
        if first == last:
            return
        data = self.read.data_at(sentence.start)
        if data is not None and not data.line.is_prose:
            self._data(data, first, last)
            return
        self._affirm(first, last)
        before = len(self.statements)
        if kind is BlockKind.HEADING or _is_title(tokens, sentence, first, last):
            self._heading(first, last)
            return
        if kind is BlockKind.CODE:
            self._code(first, last)
        elif kind in _IN_TABLE:
            self._row(first, last, kind)
        elif self._is_beside(first, last) or assertions.sympathises(tokens, first, last):
            pass
        elif not self._in_reference_list(first) or assertions.states_something(tokens, first, last):
            self._sentence(first, last)
        empty = len(self.statements) == before and self._is_empty(first, last)
        if empty and kind in _PLAIN and assertions.takes_for_granted(tokens, first, last):
            self._add(*trim(tokens, first, last), _NOWHERE, METHOD_CLAUSE, len(self.lines))
            empty = False
        has_statement = len(self.statements) > before
        asserts = has_statement or (kind in _PLAIN and not empty)
        self.unread |= not has_statement and not empty
        self.lines.append(SentenceRange(first, last, asserts, kind, figures(tokens, first, last)))

    def _data(self, data: DataStatement, first: int, last: int) -> None:
        """Add a table row as a claim, and a field unless it is about the answer itself."""
        tokens, line = self.tokens, data.line
        start, end = trim(tokens, first, last)
        kind = BlockKind.ROW if line.is_row else BlockKind.PROSE
        cells = self.read.cells_of(data)
        if len(cells) == 1 and is_bookkeeping(cells[0].key, self.read.text_of(cells[0])):
            return
        # Words that reading only inserted stand nowhere in the answer.
        stands = start < end and tokens.starts[start] < tokens.ends[end - 1]
        if stands and assertions.has_word(tokens, start, end):
            about, method = _NOWHERE, METHOD_FIELD
            if line.is_row:
                label = next((at for at in range(start, end) if tokens.words[at] == ","), end)
                about, method = (start, label), METHOD_ROW
            self._add(start, end, about, method, len(self.lines))
        self.lines.append(SentenceRange(first, last, True, kind, figures(tokens, first, last)))

    def _is_empty(self, first: int, last: int) -> bool:
        """Return whether a sentence is a courtesy, a question, a refusal or a source entry."""
        tokens = self.tokens
        declines = (
            assertions.is_question(tokens, first, last)
            or assertions.asserts_nothing(tokens, first, last, self.carried)
            or assertions.declines(tokens, first, last)
        )
        self.declined |= declines
        return (
            declines
            or assertions.is_social(tokens, first, last)
            or self._is_beside(first, last)
            or self._in_reference_list(first)
            or not any(char.isalnum() for word in tokens.words[first:last] for char in word)
        )

    def _is_beside(self, first: int, last: int) -> bool:
        """Return whether a sentence stands beside what is answered or refused.

        It names whom to ask, where there is more, or who signs.
        """
        if self.declined and assertions.refers(self.tokens, first, last):
            return True
        if not self.statements:
            return False
        self.signed |= assertions.signs_off(self.tokens, first, last)
        is_signature = (
            self.signed
            and ":" not in self.tokens.words[first:last]
            and not assertions.states_something(self.tokens, first, last)
        )
        return is_signature or assertions.is_aside(self.tokens, first, last)

    def _heading(self, first: int, last: int) -> None:
        tokens, before = self.tokens, len(self.statements)
        if assertions.states_something(tokens, first, last):
            self._sentence(first, last)
        start, end = trim(tokens, first, last)
        listing = is_list_title(" ".join(tokens.lower[start:end]))
        names_nothing = listing or assertions.is_general_title(tokens, start, end)
        self.carried = _NOWHERE if names_nothing else (start, end)
        has_statement = len(self.statements) > before
        self.unread |= not has_statement
        heading_figures = figures(tokens, first, last) if has_statement else NO_FIGURES
        self.lines.append(
            SentenceRange(first, last, has_statement, BlockKind.HEADING, heading_figures)
        )

    def _code(self, first: int, last: int) -> None:
        """Read prose inside a code fence; count code."""
        if assertions.is_prose(self.tokens, first, last):
            self._sentence(*assertions.without_comment_signs(self.tokens, first, last))
        elif assertions.has_word(self.tokens, first, last):
            self.code_lines += 1

    def _sentence(self, first: int, last: int) -> None:
        """Add a sentence's statements; of a question, what it states, if anything."""
        if assertions.is_question(self.tokens, first, last):
            statement = assertions.stated_by_question(self.tokens, first, last)
            if statement is None:
                content = assertions.affirmed(self.tokens, first, last)
                self.asked = (content, len(self.lines)) if content else None
                return
            first, last = statement
        inner = assertions.in_brackets(self.tokens, first, last)
        self._clauses(first, inner[0] - 1 if inner else last)
        if inner:
            self._clauses(*inner)

    def _affirm(self, first: int, last: int) -> None:
        """Add what the previous question asks, if this sentence affirms it."""
        if self.asked and assertions.affirms(self.tokens, first, last):
            (start, end), line = self.asked
            self._add(*trim(self.tokens, start, end), _NOWHERE, METHOD_CLAUSE, line)
            self.lines[line] = replace(self.lines[line], asserts=True)
        self.asked = None

    def _in_reference_list(self, first: int) -> bool:
        """Return whether a line of a reference list, which states nothing, contains the token."""
        at = self.tokens.starts[first]
        index = bisect_left(self.entries, at, key=lambda entry: entry[1])
        return index < len(self.entries) and self.entries[index][0] <= at

    def take_whole(self, query: str) -> None:
        """Add a terse reply to a question as a claim: "Paris.", "1998", "Yes."."""
        tokens = self.tokens
        for index, line in enumerate(self.lines):
            start, end = trim(tokens, line.first, line.last)
            titled = line.kind is BlockKind.HEADING
            is_reply = replies.is_reply(tokens, line.first, line.last)
            if is_reply and replies.statement_of(query, denied=False):
                self._add(line.first, max(end, line.first + 1), _NOWHERE, METHOD_WHOLE, index)
                continue
            yes_or_no = tokens.lower[start:end] in (["yes"], ["no"])
            states_something = line.asserts or titled or yes_or_no
            if assertions.asserts_nothing(tokens, start, end, _NOWHERE):
                continue
            if start < end and states_something and assertions.has_word(tokens, start, end):
                self._add(start, end, _NOWHERE, METHOD_WHOLE, index)

    def _clauses(self, first: int, last: int) -> None:
        tokens = self.tokens
        first = assertions.after_lead(tokens, assertions.after_opening(tokens, first, last), last)
        for start, end in clauses(tokens, first, last):
            start, end = trim(tokens, start, end)
            if _states(tokens, start, end, last):
                self.carried = _about(tokens, start, end, self.carried)
                if assertions.asserts_nothing(tokens, start, end, self.carried):
                    continue
                self._add(start, end, self.carried, METHOD_CLAUSE, len(self.lines))

    def _row(self, first: int, last: int, kind: BlockKind) -> None:
        """Add a row as one claim, or its cells if several of them make a statement.

        Of a table's head only cells that make a statement are read.
        """
        tokens = self.tokens
        start, end = trim(tokens, first, last)
        cells = assertions.stating_cells(tokens, start, end)
        bars = [at for at in range(start, end) if tokens.words[at].startswith("|")]
        numbered = bars == [start + 1] and tokens.kinds[start] == NUMBER
        if kind is BlockKind.TABLE_HEAD or len(cells) > 1 or not bars or (cells and numbered):
            for cell in cells:
                self._sentence(*cell)
        elif assertions.has_word(tokens, start, end):
            self._add(start, end, (start, bars[0]), METHOD_ROW, len(self.lines))

    def _add(self, first: int, last: int, about: Range, method: str, line: int) -> None:
        if len(self.statements) >= self.most:
            self.beyond += 1
            return
        tokens = self.tokens
        start, end = tokens.starts[first], tokens.ends[last - 1]
        if method == METHOD_FIELD:  # A name and a value keep the quotes around them.
            start -= self.answer[start - 1 : start] == '"'
            end += self.answer[end : end + 1] == '"'
        own = about == _NOWHERE or first <= about[0] < last
        carried = "" if own else self.answer[tokens.starts[about[0]] : tokens.ends[about[1] - 1]]
        claim_id = f"c_{len(self.statements) + 1:04d}"
        claim = Claim(claim_id, self.answer[start:end], start, end, carried, method)
        self.statements.append(Statement(claim, first, last, about, line))


def _about(tokens: Tokens, start: int, end: int, carried: Range) -> Range:
    """Return the clause's own subject, or the carried one if it has none or only a pronoun."""
    first, last = subject(tokens, start, end)
    if first >= last:
        return carried
    pronoun = last - first == 1 and tokens.lower[first] in SUBJECT_PRONOUNS
    return carried if pronoun and carried != _NOWHERE else (first, last)


def _states(tokens: Tokens, start: int, end: int, line_end: int) -> bool:
    """Return whether the clause asserts something that can be checked."""
    if start >= end or not assertions.has_word(tokens, start, end):
        return False
    if assertions.is_social(tokens, start, end):
        return False
    if end < line_end:
        behind_colon = tokens.lower[end] in (":", ":**")
        if assertions.announces(tokens, start, end, colon=behind_colon):
            return False
    ideographs = sum(tokens.kinds[at] == CJK for at in range(start, end))
    chars = tokens.ends[end - 1] - tokens.starts[start] + (_CJK_WEIGHT - 1) * ideographs
    if chars >= MIN_CHARS or ideographs:
        return chars >= MIN_CHARS
    # "It is 5 m" is a statement, "Chapter 3" is not.
    return has_finite_verb(tokens, start + 1, end) or any(
        tokens.kinds[at] == NUMBER and tokens.lower[at + 1] in UNITS for at in range(start, end - 1)
    )


def _is_title(tokens: Tokens, sentence: Sentence, first: int, last: int) -> bool:
    """Return whether a line is a heading: bold, or short with a colon, and without a verb."""
    if sentence.kind is BlockKind.ROW:
        return False
    bold = tokens.words[first] == "**" and tokens.words[last - 1] in ("**", ":")
    colon = tokens.words[last - 1] == ":"
    if not (bold or colon) or last - first > 2 * _TITLE_WORDS:
        return False
    return not assertions.states_something(tokens, first, last)
