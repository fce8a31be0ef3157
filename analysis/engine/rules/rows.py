"""The values of a structured answer, compared with what the sources say of the same thing.

Words alone take "France: Oslo, Norway: Paris" for supported where a source has all four: here a
value must stand in a passage that names what it is said of.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from analysis.engine.claims.cells import Cell
from analysis.engine.claims.reading import Reading
from analysis.engine.evidence.corpus import Corpus
from analysis.engine.evidence.source_tables import cell_beside, cells_of
from analysis.engine.signal_types import Conflict
from analysis.engine.types import ConflictKind
from lib.text import dates
from lib.text.figures import Figures, figures
from lib.text.quantity import Quantity, agree
from lib.text.tokens import MARK, Tokens, tokenize
from lib.text.units import CURRENCIES, UNITS
from lib.text.words import word_set

_MOST_HELD = 12
"""Passages that are looked at for one value."""
_MOST_WORK = 400_000
"""Tokens of passages that are looked at for all values of an answer."""
_MONEY = frozenset(word_set("price cost fee amount rate charg salari total fare rent wage toll"))
_CURRENCIES = frozenset(CURRENCIES.values())
_UNIT_WORDS = UNITS.keys() | CURRENCIES.keys()


@dataclass(frozen=True, slots=True)
class RowMatch:
    """What the sources say of all values of a claim: conflicts, or that each stands there."""

    conflicts: tuple[Conflict, ...]
    stands: bool
    passage: int | None


@dataclass(slots=True)
class Rows:
    """The values of an answer by statement, and what is known of the passages that were read."""

    tokens: Tokens
    corpus: Corpus
    cells: Mapping[int, tuple[Cell, ...]]
    labels: frozenset[frozenset[str]]
    marks: dict[int, list[tuple[int, frozenset[str]]]] = field(default_factory=dict)
    work: int = _MOST_WORK

    @classmethod
    def of(cls, reading: Reading, corpus: Corpus) -> "Rows":
        labels = (cell.label for cells in reading.cells.values() for cell in cells)
        return cls(reading.tokens, corpus, reading.cells, frozenset(labels))

    def match(self, statement: int) -> RowMatch | None:
        """What the sources say of a statement's values; None where they say nothing."""
        cells = self.cells.get(statement, ())
        if not cells:
            return None
        matches = [row_match for cell in cells if (row_match := self._either_way(cell)) is not None]
        conflicts = tuple(conflict for item in matches for conflict in item.conflicts)
        stands = (
            bool(matches) and len(matches) == len(cells) and all(item.stands for item in matches)
        )
        if not conflicts and not stands:
            return None
        decisive = next(
            (item for item in matches if bool(item.conflicts) == bool(conflicts)), matches[0]
        )
        return RowMatch(conflicts, stands, decisive.passage)

    def _either_way(self, cell: Cell) -> RowMatch | None:
        """What the sources say of a cell; its row may name the property, its column the thing."""
        match = self._of_cell(cell)
        if match is not None or not cell.key or not cell.entity:
            return match
        return self._of_cell(replace(cell, label=cell.key, key=cell.label))

    def _of_cell(self, cell: Cell) -> RowMatch | None:
        value = _Value.of(self.tokens, cell)
        label_passages = self._holding(cell.label)
        if not label_passages or not value.says_something:
            return None
        for index in label_passages:
            if self._says(index, cell.label, value) and self._is_of_key(index, cell, value):
                return RowMatch((), True, index)
        for index in label_passages:
            other = cell_beside(self.corpus, index, cell.key, cell.label)
            if other and not value.is_in(other):
                return _otherwise(other, cell, index)
        for index in label_passages if cell.entity else ():
            for at in self._going_on(index):
                figure = self._other_figure(at, cell, value)
                if figure:
                    return _otherwise(figure, cell, at)
        return self._of_another(cell, value)

    def _other_figure(self, index: int, cell: Cell, value: "_Value") -> str:
        """The only figure that a sentence gives of what the value is of; "" for none or several."""
        passage = self.corpus.passages[index]
        if len(self._labels_in(index)) > 1:
            return ""
        tokens, spoken_of = self.corpus.tokens[passage.source], bool(cell.key & passage.terms)
        theirs, ours = self.corpus.affirmed(index), value.figures
        if len(ours.quantities) == len(theirs.quantities) == 1:
            own, other = ours.quantities[0], theirs.quantities[0]
            money = other.unit in _CURRENCIES and bool(cell.key & _MONEY)
            alike = own.unit == other.unit or not own.unit
            if (spoken_of or money) and alike and not _is_same_value(own, other):
                return " ".join(tokens.words[other.first : other.last])
        if len(ours.dates) == len(theirs.dates) == 1 and spoken_of:
            on = theirs.dates[0]
            if not dates.agree(ours.dates[0], on):
                return " ".join(tokens.words[on.first : on.last])
        return ""

    def _of_another(self, cell: Cell, value: "_Value") -> RowMatch | None:
        """The passage that says the value of another thing of the same answer, and not of this."""
        for index in self._holding(value.rare(self.tokens)):
            if self._is_named(index, cell.label) and not self._in_turn(index):
                return None
            said_of = self._label_of(index, cell, value)
            if said_of is not None:
                label = " ".join(sorted(said_of))
                why = f"the source says it about “{label}”, not about “{cell.display_text}”"
                return RowMatch((Conflict(ConflictKind.FIELD, why),), False, index)
        return None

    def _label_of(self, index: int, cell: Cell, value: "_Value") -> frozenset[str] | None:
        tabular = bool(cells_of(self.corpus.text_of(index)))
        if not tabular and not self._is_of_key(index, cell, value):
            return None
        others = (label for _, label in self._labels_in(index) if label != cell.label)
        return next((label for label in others if self._says(index, label, value)), None)

    def _holding(self, terms: Iterable[str]) -> list[int]:
        """The passages that hold all terms, the first of them."""
        lists = sorted((self.corpus.postings.get(term, []) for term in terms), key=len)
        if not lists or not lists[0] or self.work <= 0:
            return []
        self.work -= len(lists[0])
        holders = [at for at in lists[0] if all(_contains(other, at) for other in lists[1:])]
        return holders[:_MOST_HELD]

    def _is_named(self, index: int, label: frozenset[str]) -> bool:
        return label <= self.corpus.passages[index].terms

    def _says(self, index: int, label: frozenset[str], value: "_Value") -> bool:
        """Whether the passage, or one that goes on with a pronoun, says the value of the label."""
        return any(self._says_here(at, label, value) for at in self._going_on(index))

    def _going_on(self, index: int) -> list[int]:
        """The passage, and those behind it that go on with a pronoun."""
        places = [index]
        while len(places) < _MOST_HELD and self.corpus.is_beside(places[-1], places[-1] + 1):
            if not self.corpus.refers_back(places[-1] + 1):
                break
            places.append(places[-1] + 1)
        return places

    def _says_here(self, index: int, label: frozenset[str], value: "_Value") -> bool:
        passage = self.corpus.passages[index]
        tokens = self.corpus.tokens[passage.source]
        self.work -= passage.last - passage.first
        if self.work <= 0:
            return False
        places = value.places(tokens, passage.first, passage.last, passage.terms)
        if not places or not self._in_turn(index):
            return bool(places)
        marks = self._labels_in(index)
        return any(self._owner(marks, at) == label for at in places)

    def _owner(self, marks: list[tuple[int, frozenset[str]]], at: int) -> frozenset[str] | None:
        before = bisect_right(marks, at, key=lambda mark: mark[0])
        return marks[before - 1][1] if before else None

    def _in_turn(self, index: int) -> bool:
        """Whether a passage names several things, each followed by what it says of it."""
        marks = self._labels_in(index)
        if len(marks) < 2:
            return False
        passage = self.corpus.passages[index]
        passage_figures = self.corpus.affirmed(index)
        firsts = [quantity.first for quantity in passage_figures.quantities] + [
            item.first for item in passage_figures.dates
        ]
        firsts.sort()
        if not firsts or firsts[0] < marks[0][0]:
            return False
        ends = [*(at for at, _ in marks[1:]), passage.last]
        pairs = zip(marks, ends, strict=True)
        return all(any(at < first < end for first in firsts) for (at, _), end in pairs)

    def _labels_in(self, index: int) -> list[tuple[int, frozenset[str]]]:
        """The things of the answer that a passage names, by the token at which each begins."""
        if index not in self.marks:
            passage = self.corpus.passages[index]
            terms = self.corpus.tokens[passage.source].terms
            marks = []
            for label in self.labels if len(self.labels) <= _MOST_WORK // 100 else ():
                if label <= passage.terms:
                    own = (at for at in range(passage.first, passage.last) if terms[at] in label)
                    marks += [(at, label) for at in list(own)[:1]]
            self.marks[index] = sorted(marks, key=lambda mark: mark[0])
        return self.marks[index]

    def _is_of_key(self, index: int, cell: Cell, value: "_Value") -> bool:
        """Whether a passage speaks of the property, or its figure has a unit that tells it."""
        key_terms = frozenset(term for term in cell.key if term in self.corpus.postings)
        if not key_terms or key_terms & self.corpus.passages[index].terms:
            return True
        if cells_of(self.corpus.text_of(index)):
            return True
        if (
            any(quantity.unit for quantity in value.figures.quantities)
            or not value.figures.quantities
        ):
            return True
        money = any(
            quantity.unit in _CURRENCIES for quantity in self.corpus.affirmed(index).quantities
        )
        return money and bool(cell.key & _MONEY)


def _otherwise(source_text: str, cell: Cell, index: int) -> RowMatch:
    why = f"the source says “{source_text}” about “{cell.display_text}”"
    return RowMatch((Conflict(ConflictKind.FIELD, why),), False, index)


def _contains(postings: list[int], index: int) -> bool:
    at = bisect_right(postings, index) - 1
    return at >= 0 and postings[at] == index


@dataclass(frozen=True, slots=True)
class _Value:
    """A value as it is looked up: its figures, and its other words."""

    figures: Figures
    terms: frozenset[str]
    first: int
    last: int

    @classmethod
    def of(cls, tokens: Tokens, cell: Cell) -> "_Value":
        return cls.read(tokens, cell.first, cell.last)

    @classmethod
    def read(cls, tokens: Tokens, first: int, last: int) -> "_Value":
        value_figures = figures(tokens, first, last)
        figure_tokens = value_figures.positions()
        terms = frozenset(
            tokens.terms[at]
            for at in range(first, last)
            if at not in figure_tokens
            and tokens.terms[at]
            and tokens.kinds[at] != MARK
            and tokens.lower[at] not in _UNIT_WORDS
        )
        return cls(value_figures, terms, first, last)

    @property
    def says_something(self) -> bool:
        return bool(self.terms or self.figures.quantities or self.figures.dates)

    def rare(self, tokens: Tokens) -> frozenset[str]:
        """The stems by which passages that may hold it are found."""
        return self.terms or frozenset(
            tokens.terms[at] for at in range(self.first, self.last) if tokens.terms[at]
        ) - {tokens.terms[at] for at in range(self.first, self.last)
             if tokens.lower[at] in _UNIT_WORDS}  # fmt: skip

    def places(
        self, tokens: Tokens, first: int, last: int, passage_terms: frozenset[str]
    ) -> list[int]:
        """Where it stands in tokens [first, last) with `passage_terms`; empty for nowhere."""
        if not self.terms <= passage_terms:
            return []
        theirs = figures(tokens, first, last)
        places = list[int]()
        for quantity in self.figures.quantities:
            at = [other.first for other in theirs.quantities if _is_same_value(quantity, other)]
            if not at:
                return []
            places += at
        for date in self.figures.dates:
            on = [other.first for other in theirs.dates if _is_same_date(date, other)]
            if not on:
                return []
            places += on
        by_words = [at for at in range(first, last) if tokens.terms[at] in self.terms]
        return places or by_words or ([first] if self.terms else [])

    def is_in(self, text: str) -> bool:
        """Whether a cell of a source says it, or says it in words that cannot be compared."""
        tokens = tokenize(text)
        theirs = _Value.read(tokens, 0, len(tokens))
        kinds = [
            (bool(item.figures.quantities), bool(item.figures.dates)) for item in (self, theirs)
        ]
        if not theirs.says_something or kinds[0] != kinds[1]:
            return True
        if any(kinds[0]):
            return bool(self.places(tokens, 0, len(tokens), self.terms))
        return not self.terms or not theirs.terms.isdisjoint(self.terms)


def _is_same_date(date: dates.Date, other: dates.Date) -> bool:
    """Whether two dates agree in what both say; a year and a month have nothing in common."""
    both_say = (date.year and other.year) or (date.month and other.month)
    return bool(both_say) and dates.agree(date, other)


def _is_same_value(quantity: Quantity, other: Quantity) -> bool:
    """Whether two quantities have one value; a bare number may have the other's unit."""
    if quantity.unit != other.unit and quantity.unit and other.unit:
        return False
    if quantity.unit == other.unit:
        return agree(quantity, other)
    worth = UNITS.get(quantity.spelled or other.spelled, ("", 1.0))[1]
    bare, with_unit = (quantity, other) if not quantity.unit else (other, quantity)
    return abs(bare.low * worth - with_unit.low) <= 1e-9 * max(1.0, abs(with_unit.low))
