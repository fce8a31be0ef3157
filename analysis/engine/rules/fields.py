"""Compares a claim that names a row and a column of a source's data with the value there.

"The adult dose of ibuprofen is 600 mg" names one row and one column of a table of doses. An answer
that is data itself is read as such a sentence too.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import TypeVar

from analysis.engine.evidence.corpus import Corpus, SourceCell
from analysis.engine.rules.conflicts import ClaimQuery
from analysis.engine.signal_types import Conflict
from analysis.engine.types import ConflictKind
from lib.text import dates
from lib.text.figures import Figures, figures
from lib.text.negation import NEGATORS
from lib.text.quantity import LABEL, ORDINAL, Quantity, agree
from lib.text.stems import stem, stem_set
from lib.text.tokens import Tokens, tokenize
from lib.text.units import UNITS
from lib.text.words import word_set

T = TypeVar("T")
Terms = frozenset[str]
Shape = frozenset[Terms]
Figure = Quantity | dates.Date
Numeral = float | tuple[int | None, int | None, int | None]
_PLACE = attrgetter("source", "record")
_REMARK = re.compile(r"(?<=\w) ?\([^()]*\)$")
"""Behind a name: "Deferred tax assets (see Note 16)"."""
_MOST_ROWS = 64
"""Rows that a claim may name before it is taken to be about none of them."""
_MORE_THAN_ONE = word_set(
    "more less fewer higher lower than between difference differ total combined together average "
    "mean both all each every sum increase increased decrease decreased rose fell grew dropped "
    "respectively first last highest lowest most least oldest newest before after over under "
    "above below until since by another other others same only times twice including include "
    "included plus minus change changes changed percentage ratio growth range among one"
)
"""With these words a figure is computed, or covers several rows, unless they are part of a name."""
_STEMS_OF_MORE = frozenset(map(stem, _MORE_THAN_ONE))
_SCALE_NAMES = tuple(map(stem, ("thousand", "million", "billion")))
_SCALES = (1e3, 1e6, 1e9)
"""A table may use another scale, stated elsewhere."""
_BELOW = word_set("below under minus negative frost")
_FLAGS = {"yes": True, "no": False, "none": False}
_THERE_IS = stem_set(
    "accepted allowed available comes contain contains exist exists given has have include "
    "included includes listed need needed offer offered offers part permitted possible provide "
    "provided provides recorded require required supported supports welcome"
)
"""Words that say that there is what a field names."""
_MOST_LEFT = 1
"""Terms that a claim may have besides its row's names and values without saying more."""


@dataclass(frozen=True, slots=True)
class FieldMatch:
    """The passage with the value, and the conflict; None if the claim states the same value."""

    passage: int
    conflict: Conflict | None


@dataclass(frozen=True, slots=True)
class _Cell:
    """A value with the terms of its name, of what stands above it and of its text.

    `figure` is the value if it is a single figure; `numeral` is that as written, without unit or
    scale.
    """

    key: Terms
    above: Terms
    terms: Terms
    figure: Figure | None
    numeral: Numeral | None
    source: SourceCell


@dataclass(frozen=True, slots=True)
class _Row:
    """The values of a row, or of an object that no other is like.

    `table` numbers the rows that have the same names; the objects of a source are one table too.
    """

    table: int
    cells: tuple[_Cell, ...]
    words: Terms

    @property
    def is_object(self) -> bool:
        return self.table < 0


@dataclass(frozen=True, slots=True)
class _RowMatch:
    """A row that a claim names, and the places of the cells by which it names it."""

    row: _Row
    labels: frozenset[int] = frozenset()
    terms: Terms = frozenset()
    """Those of the labels."""

    def values(self) -> list[_Cell]:
        return [cell for at, cell in enumerate(self.row.cells) if at not in self.labels]


class Fields:
    """The rows and objects of all sources, found by their labels' words."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.rows: list[_Row] = []
        self.tables: dict[int, list[_Row]] = defaultdict(list)
        self.by_label: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self.by_key: dict[str, list[int]] = defaultdict(list)
        self.holders: dict[tuple[int, Numeral], list[_Row]] = defaultdict(list)
        self.temperatures: dict[float, tuple[_Row, _Cell]] = {}
        self.named = Terms()
        """The names of the rows that the last claim was about."""
        for table, members in _tables(corpus.cells):
            for cells in members:
                words = _union(cell.key | cell.above | cell.terms for cell in cells)
                self._add(_Row(table, cells, words))

    def _add(self, row: _Row) -> None:
        for at, cell in enumerate(row.cells):
            if row.is_object and cell.key:
                self.by_key[max(cell.key, key=len)].append(len(self.rows))
            elif cell.terms and (at == 0 or cell.figure is None):
                self.by_label[max(cell.terms, key=len)].append((len(self.rows), at))
            if degrees := _degrees(cell.figure):
                self.temperatures.setdefault(degrees, (row, cell))
            for numeral in _numerals(cell):
                self.holders[row.table, numeral].append(row)
        self.tables[row.table].append(row)
        self.rows.append(row)

    def match(self, claim: ClaimQuery, *, goes_on: bool = False) -> FieldMatch | None:
        """Return the value that the claim states or contradicts; None if it names none.

        A claim contradicts a value if all rows that it names have another one than it states, and
        its own is elsewhere in the same table, or it names row and column in full. One that
        `goes_on` is about the rows that the last one was about: "its battery is at 17%".
        """
        if not self.rows or claim.facts.conditional or claim.facts.asks:
            return None
        return self._in_row(claim, goes_on=goes_on) or self._other_sign(claim)

    def _other_sign(self, claim: ClaimQuery) -> FieldMatch | None:
        """Return a temperature whose opposite the claim states, if none is the claim's."""
        if not self.temperatures or not _BELOW.isdisjoint(claim.lower):
            return None
        for ours in map(_degrees, _figures(claim, Terms())):
            if -ours in self.temperatures and ours not in self.temperatures:
                return _otherwise(*self.temperatures[-ours])
        return None

    def _in_row(self, claim: ClaimQuery, *, goes_on: bool) -> FieldMatch | None:
        terms = claim.terms | claim.context
        worked_out = {stem(word) for word in claim.lower if word in _MORE_THAN_ONE}
        worked_out |= claim.context & _STEMS_OF_MORE
        matches = self._rows(terms) or (self._rows(terms | self.named) if goes_on else [])
        self.named = _union(each.terms for each in matches)
        matches = matches or self._objects(terms)
        matches = [each for each in matches if worked_out <= each.row.words]
        if not matches or len({each.row.table for each in matches}) > 1:
            return None
        by_flag = self._by_flag(matches, claim, terms)
        if by_flag is not None:
            return by_flag
        claim_figures = _figures(claim, _union(each.terms for each in matches))
        if not claim_figures:
            return self._by_words(matches, claim, terms)
        if claim.facts.negative:
            return None
        return self._by_figure(matches, claim_figures, claim, terms)

    def _rows(self, terms: Terms) -> list[_RowMatch]:
        """Return the rows whose labels the terms name; those that say more before others."""
        matched: dict[int, set[int]] = defaultdict(set)
        for term in terms:
            for row, at in self.by_label.get(term, ()):
                cell = self.rows[row].cells[at]
                counts = isinstance(cell.figure, Quantity) and not cell.key <= terms
                if cell.terms <= terms and not counts:
                    matched[row].add(at)
            if len(matched) > _MOST_ROWS:
                return []
        if any(0 in places for places in matched.values()):
            # The first cell names the row; the same words may occur in other rows.
            matched = {row: places for row, places in matched.items() if 0 in places}
        rows = list[_RowMatch]()
        for at, places in matched.items():
            label = _union(self.rows[at].cells[place].terms for place in places)
            rows.append(_RowMatch(self.rows[at], frozenset(places), label))
        labels = {each.terms for each in rows}
        rows = [each for each in rows if not any(each.terms < other for other in labels)]
        return _best(rows, [len(each.row.cells[0].above & terms) for each in rows])

    def _objects(self, terms: Terms) -> list[_RowMatch]:
        """Return the objects with a value whose whole name the terms have."""
        keys = (self.by_key.get(term, ()) for term in terms)
        places = dict.fromkeys(at for rows in keys for at in rows[:_MOST_ROWS])
        rows = (self.rows[at] for at in places)
        return [
            _RowMatch(row)
            for row in rows
            if any(cell.key and cell.key <= terms for cell in row.cells)
        ]

    def _by_figure(
        self, matches: list[_RowMatch], claim_figures: list[Figure], claim: ClaimQuery, terms: Terms
    ) -> FieldMatch | None:
        columns = [(each, _columns(each, claim_figures, terms)) for each in matches]
        matches = [each for each, cells in columns if cells]
        cells = [cell for _, of_row in columns for cell in of_row]
        keys = _union(cell.key | cell.above for cell in cells)
        left = [each for each in claim_figures if not _terms_of(claim, each) <= keys]
        alike = [each for each in left if any(_is_comparable(each, cell.figure) for cell in cells)]
        if len(alike) != 1:
            return None
        (figure,), is_all, row = alike, len(left) == 1 == len(cells), matches[0].row
        same = [cell for cell in cells if self._is_same(figure, cell, claim)]
        if same:
            says_all = is_all and _is_whole(figure, same[0].figure)
            stated = says_all and _says_no_more(row, same[0], claim, terms)
            return FieldMatch(same[0].source.passage, None) if stated else None
        numeral = _written(claim.tokens, figure)
        if any(cell.numeral == numeral or _may_be_same(figure, cell.figure) for cell in cells):
            return None
        in_full = is_all and bool(cells[0].key) and _says_no_more(row, cells[0], claim, terms)
        is_named = in_full and cells[0].key <= terms
        if is_named or self._elsewhere(matches, numeral, terms):
            return _otherwise(row, cells[0])
        return None

    def _is_same(self, ours: Figure, cell: _Cell, claim: ClaimQuery) -> bool:
        """Return whether a claim has the figure of a cell, whose scale may be given elsewhere."""
        if _is_same(ours, cell.figure):
            return True
        if not isinstance(ours, Quantity) or not _is_comparable(ours, cell.figure):
            return False
        scales = [name for name in _SCALE_NAMES if name in self.corpus.postings]
        is_told = len(scales) == 1 and scales[0] in claim.tokens.terms[ours.first : ours.last]
        return is_told and _written(claim.tokens, ours) == cell.numeral

    def _elsewhere(self, matches: list[_RowMatch], numeral: Numeral | None, terms: Terms) -> bool:
        """Return whether a figure is that of another row of the table, or of another column.

        A row whose name says more than that of the named one may be what the claim means, and so
        may another column of which it has a word.
        """
        if numeral is None:
            return False
        holders = self.holders.get((matches[0].row.table, numeral), [])[:_MOST_ROWS]
        own = [each.row for each in matches]
        shared = [cell.key for row in own for cell in row.cells if cell.figure is not None]
        own_names = frozenset[str].intersection(*shared) if shared else Terms()
        more = (
            each.terms and each.terms < row.cells[0].terms
            for row in holders
            if row not in own
            for each in matches
        )
        beside = (
            not (cell.key & terms).isdisjoint(cell.key - own_names)
            for row in own
            for cell in row.cells
            if cell.numeral == numeral
        )
        return bool(holders) and not any(more) and not any(beside)

    def _by_words(
        self, matches: list[_RowMatch], claim: ClaimQuery, terms: Terms
    ) -> FieldMatch | None:
        """Return the words of a column, in conflict if the claim has those of another row."""
        row, label = matches[0].row, matches[0].terms
        texts = [cell for each in matches for cell in each.values() if cell.figure is None]
        columns = [cell for cell in texts if cell.key and cell.key <= terms and cell.key - label]
        if not columns and len(matches) == 1 and len(row.cells) == 2 and not row.is_object:
            columns = texts
        if len(matches) > 1 or len(columns) != 1 or not columns[0].terms:
            return None
        (cell,) = columns
        left = terms - label - cell.key - _union(row.cells[at].key for at in matches[0].labels)
        if cell.terms <= left:
            words = cell.source.text.lower().split()
            denies = claim.facts.negative or not NEGATORS.isdisjoint(words)
            return None if denies or left - cell.terms else FieldMatch(cell.source.passage, None)
        if not cell.terms.isdisjoint(left) or (row.is_object and len(row.cells) > 1):
            return None
        others = (
            other.terms
            for each in self.tables[row.table]
            for other in each.cells
            if (row.is_object or other.key == cell.key) and other.terms and other.figure is None
        )
        swapped = any(other <= left and len(left - other) <= _MOST_LEFT for other in others)
        return _otherwise(row, cell) if swapped else None

    def _by_flag(
        self, matches: list[_RowMatch], claim: ClaimQuery, terms: Terms
    ) -> FieldMatch | None:
        """Return the yes or no of the only column that the claim names, if it says no more."""
        flags = [
            (each, cell, _FLAGS[cell.source.text.lower()])
            for each in matches
            for cell in each.values()
            if cell.key and cell.key <= terms and cell.source.text.lower() in _FLAGS
        ]
        if len(flags) != 1:
            return None
        ((match, cell, flag),) = flags
        row = match.row
        words = cell.key | cell.above if row.is_object else row.words
        of_source = _union(each.words for each in self.tables[row.table])
        left = terms - words - _THERE_IS
        left -= {term for term in of_source if term[0].isdigit()}
        of_subject = row.is_object and left <= claim.context and len(left) <= _MOST_LEFT
        if left and not (of_subject and (left - of_source).isdisjoint(_union(claim.names))):
            return None
        denies = claim.facts.negative or "non" in claim.lower
        is_same = flag is not denies
        return FieldMatch(cell.source.passage, None) if is_same else _otherwise(row, cell)

    def match_value(self, claim: ClaimQuery, order: Iterable[int]) -> FieldMatch | None:
        """Return the only figure in prose for what an answer's field names.

        Each of several figures of a row is compared with the prose about the row.
        """
        claim_figures, passages = _figures(claim, Terms()), list(order)
        if len(claim_figures) == 1:
            (figure,) = claim_figures
            return self._in_prose(figure, claim.terms - _terms_of(claim, figure), passages)
        for figure in claim_figures:
            names = _names_of(claim, figure)
            # "Price per year" is not the price of which the sources speak.
            if not names or not names <= self.corpus.postings.keys():
                continue
            match = self._in_prose(figure, names | claim.context, passages)
            if match and match.conflict and self._says_one_thing(match.passage):
                return match
        return None

    def _says_one_thing(self, index: int) -> bool:
        """Return whether a passage neither compares nor computes: "15 euros higher"."""
        tokens, first, last = self.corpus.part(index)
        return _MORE_THAN_ONE.isdisjoint(tokens.lower[first:last])

    def _in_prose(self, figure: Figure, names: Terms, order: Sequence[int]) -> FieldMatch | None:
        shared = frozenset(each for each in names if each in self.corpus.postings)
        if not shared:
            return None
        conflict = None
        for index in order:
            refers_back = self.corpus.refers_back(index)
            near = self.corpus.window(index) if refers_back else self.corpus.passages[index].terms
            if not shared <= near:
                continue
            read = _flat(self.corpus.affirmed(index))
            theirs = [each for each in read if _is_alike(figure, each, shared)]
            if any(_is_same(figure, each) for each in theirs):
                tells_all = len(theirs) == 1 and shared >= names
                return FieldMatch(index, None) if tells_all else None
            if len(theirs) == 1 and conflict is None and not _may_be_same(figure, theirs[0]):
                tokens, _, _ = self.corpus.part(index)
                words = tokens.words[theirs[0].first : theirs[0].last]
                detail = f"the source says “{' '.join(words)}”"
                difference = Conflict(ConflictKind.NUMBER, detail, certain=True)
                conflict = FieldMatch(index, difference)
        return conflict


def _read(cell: SourceCell) -> _Cell:
    tokens = tokenize(_REMARK.sub("", cell.text))
    read = figures(tokens, 0, len(tokens))
    every, inside = _flat(read), read.positions()
    whole = all(at in inside or not tokens.terms[at] for at in range(len(tokens)))
    terms = frozenset(filter(None, tokens.terms))
    figure = every[0] if whole and len(every) == 1 and _is_point(every[0]) else None
    numeral = _written(tokens, figure) if figure is not None else None
    return _Cell(_terms(cell.key), _terms(cell.above), terms, figure, numeral, cell)


def _flat(read: Figures) -> list[Figure]:
    """Return quantities and dates as one list."""
    return [*read.quantities, *read.dates]


def _degrees(figure: Figure | None) -> float:
    """Return a temperature in degrees Celsius; 0 for anything else."""
    if isinstance(figure, Quantity) and figure.unit == "temperature":
        return figure.low
    return 0.0


def _is_point(figure: Figure) -> bool:
    """Return whether a figure is a single value, no range or bound."""
    return isinstance(figure, dates.Date) or figure.low == figure.high


def _numerals(cell: _Cell) -> Iterator[Numeral]:
    """Yield the figure of a cell as it may be written; a date also without its year."""
    if cell.numeral is not None:
        yield cell.numeral
    if isinstance(cell.figure, dates.Date) and cell.figure.year and cell.figure.day:
        yield (None, cell.figure.month, cell.figure.day)


@lru_cache(4096)
def _terms(text: str) -> Terms:
    return frozenset(filter(None, tokenize(text).terms))


def _tables(cells: Iterable[SourceCell]) -> Iterator[tuple[int, list[tuple[_Cell, ...]]]]:
    """Yield the rows that have the same names together, by number; below 0 objects of a source."""
    tables, before, shape = list[tuple[int, list[tuple[_Cell, ...]]]](), -1, Shape()
    for (source, _), members in groupby(sorted(cells, key=_PLACE), key=_PLACE):
        row = tuple(map(_read, members))
        keys = Shape(cell.key for cell in row)
        is_part = keys <= shape or shape <= keys
        # What a tool returns one by one is a table too.
        goes_on = is_part if source == before else len(keys) > 1 and keys == shape
        if not goes_on:
            tables.append((source, []))
        tables[-1][1].append(row)
        before, shape = source, shape | keys if goes_on else keys
    for number, (source, rows) in enumerate(tables):
        yield (number if len(rows) > 1 else -1 - source), rows


def _union(sets: Iterable[Terms]) -> Terms:
    return frozenset[str]().union(*sets)


def _best(items: list[T], counts: list[int]) -> list[T]:
    """Return the items with the highest count."""
    most = max(counts, default=0)
    return [item for item, count in zip(items, counts, strict=True) if count == most]


def _says_no_more(row: _Row, cell: _Cell, claim: ClaimQuery, terms: Terms) -> bool:
    """Return whether a claim says nothing beside a row; of an object only its name counts."""
    words = row.cells[0].terms | cell.key | cell.terms if row.is_object else row.words
    left = {term for term in terms - words if not term[0].isdigit()}
    return len(left) <= _MOST_LEFT and left.isdisjoint(_union(claim.names))


def _columns(match: _RowMatch, claim_figures: list[Figure], terms: Terms) -> list[_Cell]:
    """Return the cells of a row that a figure of the claim can be a value of.

    Those whose name shares most with the claim, beside what all names share; all where none does.
    Of an object, those whose whole name the claim has.
    """
    cells = [
        cell
        for cell in match.values()
        if any(_is_comparable(each, cell.figure) for each in claim_figures)
    ]
    units = {each.unit for each in claim_figures if isinstance(each, Quantity)}
    in_unit = [
        cell for cell in cells if isinstance(cell.figure, Quantity) and cell.figure.unit in units
    ]
    cells = in_unit or cells
    if match.row.is_object:
        cells = [cell for cell in cells if cell.key and cell.key <= terms]
        return [cell for cell in cells if not any(cell.key < other.key for other in cells)]
    all_names = [cell.key | cell.above for cell in cells]
    common = frozenset[str].intersection(*all_names) if cells[1:] else Terms()
    return _best(cells, [len((names & terms) - common - match.terms) for names in all_names])


def _is_comparable(ours: Figure, theirs: Figure | None) -> bool:
    if isinstance(ours, Quantity) and isinstance(theirs, Quantity):
        return ours.unit == theirs.unit or not (ours.unit and theirs.unit)
    return isinstance(ours, dates.Date) and isinstance(theirs, dates.Date)


def _terms_of(claim: ClaimQuery, figure: Figure) -> Terms:
    return frozenset(filter(None, claim.tokens.terms[figure.first : figure.last]))


def _names_of(claim: ClaimQuery, figure: Figure) -> Terms:
    """Return the terms of the name of a figure's cell in an answer's row."""
    words = claim.tokens.words
    starts = (at + 1 for at in range(claim.first, figure.first) if words[at] == ",")
    start = max(starts, default=claim.first)
    names = frozenset(filter(None, claim.tokens.terms[start : figure.first]))
    return names - _terms_of(claim, figure) - claim.context


def _written(tokens: Tokens, figure: Figure) -> Numeral | None:
    """Return a figure as it is written: the first numeral of a quantity, or a date."""
    if isinstance(figure, dates.Date):
        return (figure.year, figure.month, figure.day)
    if figure.unit == dates.CLOCK:
        return figure.low
    for word in tokens.words[figure.first : figure.last]:
        plain = word.replace(",", "")
        if plain.replace(".", "", 1).isdigit():
            return float(plain)
    return None


def _figures(claim: ClaimQuery, name_terms: Terms) -> list[Figure]:
    """Return the figures of the claim that are not part of a name; none of ranges and decades."""
    read = _flat(figures(claim.tokens, claim.first, claim.last))
    has_decade = any(word in ("s", "'s") or word.endswith("0s") for word in claim.lower)
    if has_decade or not all(map(_is_point, read)):
        return []
    return [
        each
        for each in read
        if not (isinstance(each, Quantity) and each.unit in (LABEL, ORDINAL))
        and not _terms_of(claim, each) <= name_terms
    ]


def _is_same(ours: Figure, theirs: Figure | None) -> bool:
    if isinstance(ours, dates.Date) and isinstance(theirs, dates.Date):
        both_say = (ours.year and theirs.year) or (ours.month and theirs.month)
        return bool(both_say) and dates.agree(ours, theirs)
    if isinstance(ours, dates.Date) or isinstance(theirs, dates.Date) or theirs is None:
        return False
    if ours.unit == theirs.unit:
        return agree(ours, theirs)
    if ours.unit and theirs.unit:
        return False
    bare, with_unit = (ours, theirs) if not ours.unit else (theirs, ours)
    worth = UNITS.get(with_unit.spelled, ("", 1.0))[1]
    return abs(bare.low * worth - with_unit.low) <= 1e-9 * max(1.0, abs(with_unit.low))


def _is_alike(ours: Figure, theirs: Figure, shared: Terms) -> bool:
    """Return whether two figures have the same unit, are years, or count what a passage names."""
    if isinstance(ours, Quantity) and isinstance(theirs, Quantity):
        return ours.unit in (theirs.unit, "") and bool(ours.unit or len(shared) > 1)
    return isinstance(ours, dates.Date) and isinstance(theirs, dates.Date)


def _is_whole(ours: Figure, theirs: Figure | None) -> bool:
    """Return whether a figure is no more specific than the one it agrees with."""
    if isinstance(ours, dates.Date) and isinstance(theirs, dates.Date):
        return not ((ours.month and not theirs.month) or (ours.day and not theirs.day))
    return True


def _may_be_same(ours: Figure, theirs: Figure | None) -> bool:
    """Return whether two figures, of different kinds or scales, cannot be compared."""
    if isinstance(ours, dates.Date) and isinstance(theirs, dates.Date):
        return not ((ours.year and theirs.year) or (ours.day and theirs.day))
    if isinstance(ours, dates.Date) or isinstance(theirs, dates.Date) or theirs is None:
        return True
    if ours.unit != theirs.unit and (ours.unit or theirs.unit == "%"):
        return True
    low, high = sorted((abs(ours.low), abs(theirs.low)))
    return any(abs(high - low * scale) <= 0.01 * high for scale in _SCALES)


def _otherwise(row: _Row, cell: _Cell) -> FieldMatch:
    is_named = not row.is_object and row.cells[0] is not cell
    about = row.cells[0].source.text if is_named else cell.source.key
    detail = f"the source says “{cell.source.text}” about “{about}”"
    return FieldMatch(cell.source.passage, Conflict(ConflictKind.FIELD, detail, certain=True))
