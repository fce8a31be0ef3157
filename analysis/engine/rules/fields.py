"""A claim that names a row and a column of a source's data, held against the value there.

"The adult dose of ibuprofen is 600 mg" names one row and one column of a table of doses. An answer
that is data itself is read as such a sentence too.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from analysis.engine.evidence.corpus import Corpus, SourceCell
from analysis.engine.rules.conflicts import ClaimQuery
from analysis.engine.signal_types import Conflict
from analysis.engine.types import ConflictKind
from lib.text import dates
from lib.text.figures import Figures, figures
from lib.text.quantity import LABEL, ORDINAL, Quantity, agree
from lib.text.tokens import tokenize
from lib.text.units import UNITS
from lib.text.words import word_set

Terms = frozenset[str]
Figure = Quantity | dates.Date
_MOST_ROWS = 64
"""Rows that a claim may name before it is taken to be about none of them."""
_MORE_THAN_ONE = word_set(
    "more less fewer higher lower than between difference differ total combined together average "
    "mean both all each every sum increase increased decrease decreased rose fell grew dropped "
    "from respectively first last highest lowest most least oldest newest before after over under "
    "above below until since by another other others same only times twice half including include "
    "included plus minus change changes changed percentage ratio growth range about during "
    "among one"
)
"""Beside these words a figure is worked out, or is that of several rows."""
_SCALES = (100.0, 1e3, 1e6, 1e9)
"""A table may give its figures in another scale, and say so elsewhere."""
_MOST_LEFT = 1
"""Terms of a claim beside the names and values of its row that still say nothing more."""


@dataclass(frozen=True, slots=True)
class FieldMatch:
    """The passage with the value, and the conflict with it; None where the claim says the same."""

    passage: int
    conflict: Conflict | None


@dataclass(frozen=True, slots=True)
class _Cell:
    """A value with the terms of its name, and the figure that it is, if any."""

    key: Terms
    terms: Terms
    figure: Figure | None
    source: SourceCell


@dataclass(frozen=True, slots=True)
class _Row:
    table: int
    cells: tuple[_Cell, ...]


class Fields:
    """The rows and objects of all sources, found by the words of their labels."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.rows: list[_Row] = []
        self.tables: dict[int, list[int]] = defaultdict(list)
        self.by_label: dict[str, list[tuple[int, int]]] = defaultdict(list)
        table, before = 0, None
        for place, members in groupby(sorted(corpus.cells, key=_place), key=_place):
            cells = tuple(map(_read, members))
            shape = place[0], tuple(each.key for each in cells)
            table += shape != before
            before = shape
            self.tables[table].append(len(self.rows))
            for at, each in enumerate(cells):
                if each.terms and (at == 0 or each.figure is None):
                    self.by_label[max(each.terms, key=len)].append((len(self.rows), at))
            self.rows.append(_Row(table, cells))

    def match(self, claim: ClaimQuery) -> FieldMatch | None:
        """The value of which the claim says the same or another; None where it names none."""
        words = claim.tokens.lower[claim.first : claim.last]
        unclear = claim.facts.negative or claim.facts.conditional or claim.facts.asks
        if not self.rows or unclear or not _MORE_THAN_ONE.isdisjoint(words):
            return None
        terms = claim.terms | claim.context
        row_labels = self._row_of(terms)
        if row_labels is None:
            return None
        row, labels = row_labels
        label = frozenset[str]().union(*(row.cells[at].terms | row.cells[at].key for at in labels))
        columns = _columns(row, labels, label, terms)
        keys = label.union(*(cell.key for cell in columns))
        claim_figures = _figures(claim, keys)
        columns = columns or _by_unit(row, labels, claim_figures) or _beside(row, labels)
        if not columns:
            return None
        return self._by_figures(row, columns, claim_figures, terms - keys) or self._by_words(
            row, columns, claim_figures, terms - keys
        )

    def match_value(self, claim: ClaimQuery, order: Iterable[int]) -> FieldMatch | None:
        """The only figure that prose gives of what a field of the answer names, if another one."""
        claim_figures = _figures(claim, frozenset())
        if len(claim_figures) != 1:
            return None
        inside = range(claim_figures[0].first, claim_figures[0].last)
        own = {claim.tokens.terms[at] for at in inside}
        shared = frozenset(each for each in claim.terms - own if each in self.corpus.postings)
        conflict = None
        for index in order:
            terms = self.corpus.passages[index].terms
            if self.corpus.refers_back(index):
                terms |= self.corpus.around(index)
            if not shared or not shared <= terms:
                continue
            read = self.corpus.affirmed(index)
            every: list[Figure] = [*read.quantities, *read.dates]
            theirs = [each for each in every if _is_alike(claim_figures[0], each, shared)]
            if any(_is_same(claim_figures[0], each) for each in theirs):
                tells_all = len(theirs) == 1 and shared >= claim.terms - own
                return FieldMatch(index, None) if tells_all else None
            if (
                len(theirs) == 1
                and conflict is None
                and not _may_be_same(claim_figures[0], theirs[0])
            ):
                passage = self.corpus.passages[index]
                words = self.corpus.tokens[passage.source].words[theirs[0].first : theirs[0].last]
                detail = f"the source says “{' '.join(words)}”"
                difference = Conflict(ConflictKind.NUMBER, detail, certain=True)
                conflict = FieldMatch(index, difference)
        return conflict

    def _row_of(self, terms: Terms) -> tuple[_Row, frozenset[int]] | None:
        """The only row whose labels the terms name, and the places of these labels."""
        matched = defaultdict[int, set[int]](set)
        for term in terms:
            for row, at in self.by_label.get(term, ()):
                cell = self.rows[row].cells[at]
                counts = isinstance(cell.figure, Quantity) and not cell.key <= terms
                is_name = at == 0 or len(self.tables[self.rows[row].table]) > 1
                if cell.terms <= terms and is_name and not counts:
                    matched[row].add(at)
            if len(matched) > _MOST_ROWS:
                return None
        if not matched:
            alone = [rows[0] for rows in self.tables.values() if len(rows) == 1]
            return (self.rows[alone[0]], frozenset()) if len(self.rows) == 1 and alone else None
        if any(0 in places for places in matched.values()):
            # What a row begins with names it; the same words may stand in other rows.
            others = [row for row, places in matched.items() if 0 not in places]
            for row in others:
                del matched[row]
        label_terms = {
            row: frozenset[str]().union(*(self.rows[row].cells[at].terms for at in places))
            for row, places in matched.items()
        }
        best = max(label_terms, key=lambda row: len(label_terms[row]))
        if any(not label_terms[row] < label_terms[best] for row in label_terms if row != best):
            return None
        return self.rows[best], frozenset(matched[best])

    def _by_figures(
        self, row: _Row, columns: Sequence[_Cell], claim_figures: list[Figure], left: Terms
    ) -> FieldMatch | None:
        cells = [cell for cell in columns if cell.figure is not None]
        if not cells or not claim_figures or len(cells) != len(claim_figures):
            return None
        open_figures, open_cells = list(claim_figures), list[_Cell]()
        for cell in cells:
            same = next((each for each in open_figures if _is_same(each, cell.figure)), None)
            if same is None:
                open_cells.append(cell)
            else:
                open_figures.remove(same)
        if not open_cells:
            values = frozenset[str]().union(*(cell.terms for cell in row.cells))
            beyond = [term for term in left - values if not term[0].isdigit()]
            only = claim_figures[0] if len(claim_figures) == 1 else None
            loosely = only is not None and not _is_whole(only, cells[0].figure)
            says_more = len(beyond) > _MOST_LEFT or len(cells) < len(columns) or loosely
            alone = len(self.tables[row.table]) == 1
            return None if says_more or alone else FieldMatch(cells[0].source.passage, None)
        if len(open_cells) > 1 or _may_be_same(open_figures[0], open_cells[0].figure):
            return None
        return _otherwise(row, open_cells[0])

    def _by_words(
        self, row: _Row, columns: Sequence[_Cell], claim_figures: list[Figure], left: Terms
    ) -> FieldMatch | None:
        """The name in the same column of another row, where this row has another name."""
        if (
            claim_figures
            or len(columns) != 1
            or not columns[0].terms
            or columns[0].figure is not None
        ):
            return None
        cell = columns[0]
        if cell.terms <= left:
            alone = len(self.tables[row.table]) == 1
            return None if alone or left - cell.terms else FieldMatch(
                cell.source.passage, None
            )  # fmt: skip
        if not cell.terms.isdisjoint(left):
            return None
        others = (
            other.terms
            for at in self.tables[row.table]
            for other in self.rows[at].cells
            if other.key == cell.key and other.terms and other.figure is None
        )
        swapped = any(other <= left and len(left - other) <= _MOST_LEFT for other in others)
        return _otherwise(row, cell) if swapped else None


def _place(cell: SourceCell) -> tuple[int, int]:
    return cell.source, cell.record


def _read(cell: SourceCell) -> _Cell:
    tokens = tokenize(cell.text)
    read = figures(tokens, 0, len(tokens))
    every: list[Figure] = [*read.quantities, *read.dates]
    inside = read.positions()
    whole = all(at in inside or not tokens.terms[at] for at in range(len(tokens)))
    terms = frozenset(filter(None, tokens.terms))
    alone = whole and len(every) == 1 and _is_point(every[0])
    return _Cell(_terms(cell.key), terms, every[0] if alone else None, cell)


def _is_point(figure: Figure) -> bool:
    """Whether a figure is one value, no range or bound."""
    return isinstance(figure, dates.Date) or figure.low == figure.high


def _terms(text: str) -> Terms:
    return frozenset(filter(None, tokenize(text).terms))


def _columns(row: _Row, labels: Iterable[int], label: Terms, terms: Terms) -> list[_Cell]:
    """The cells whose whole name the terms have, one for each name: the longest names first."""
    cells = [cell for at, cell in enumerate(row.cells) if at not in set(labels)]
    columns = [cell for cell in cells if cell.key and cell.key <= terms and cell.key - label]
    return [
        cell for cell in columns
        if not any(cell.key < other.key for other in columns)
        and sum(other.key == cell.key for other in cells) == 1
    ]  # fmt: skip


def _by_unit(row: _Row, labels: frozenset[int], claim_figures: list[Figure]) -> list[_Cell]:
    """The only cell with the unit of the only figure of the claim."""
    units = {each.unit for each in claim_figures if isinstance(each, Quantity)}
    if not labels or len(claim_figures) != 1 or not units - {""}:
        return []
    cells = [cell for cell in row.cells if isinstance(cell.figure, Quantity)]
    alike = [
        cell for cell in cells if isinstance(cell.figure, Quantity) and cell.figure.unit in units
    ]
    return alike if len(alike) == 1 else []


def _beside(row: _Row, labels: frozenset[int]) -> list[_Cell]:
    """The other cell of a row of two, which needs no name."""
    two = len(row.cells) == len(labels) + 1 == 2
    return [cell for at, cell in enumerate(row.cells) if at not in labels] if two else []


def _figures(claim: ClaimQuery, name_terms: Terms) -> list[Figure]:
    """The figures of the claim that are not part of a name."""
    tokens = claim.tokens
    read: Figures = figures(tokens, claim.first, claim.last)
    if not all(map(_is_point, read.quantities)):
        return []
    quantities: list[Figure] = [
        each
        for each in read.quantities
        if each.unit not in (LABEL, ORDINAL) and not _numbers_a_name(claim, each)
    ]
    decade = any(
        word in ("s", "'s") or word[-2:] == "0s" for word in tokens.lower[claim.first : claim.last]
    )
    return (
        []
        if decade
        else [
            each
            for each in (*quantities, *read.dates)
            if not {tokens.terms[at] for at in range(each.first, each.last)} - {""} <= name_terms
        ]
    )


def _numbers_a_name(claim: ClaimQuery, quantity: Quantity) -> bool:
    """Whether a bare number stands behind a name: "Arena 2"."""
    tokens, before = claim.tokens, quantity.first - 1
    bare = not quantity.unit and not quantity.things
    return bare and before > claim.first and tokens.words[before][:1].isupper()


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
    """Whether two figures have the same unit, are years, or count what a passage names."""
    if isinstance(ours, Quantity) and isinstance(theirs, Quantity):
        return ours.unit in (theirs.unit, "") and bool(ours.unit or len(shared) > 1)
    return isinstance(ours, dates.Date) and isinstance(theirs, dates.Date)


def _is_whole(ours: Figure, theirs: Figure | None) -> bool:
    """Whether a figure says no more than the one it agrees with."""
    if isinstance(ours, dates.Date) and isinstance(theirs, dates.Date):
        return not ((ours.month and not theirs.month) or (ours.day and not theirs.day))
    return True


def _may_be_same(ours: Figure, theirs: Figure | None) -> bool:
    """Whether two figures cannot be held against each other: of two kinds or in two scales."""
    if isinstance(ours, dates.Date) and isinstance(theirs, dates.Date):
        return not (ours.year and theirs.year)
    if isinstance(ours, dates.Date) or isinstance(theirs, dates.Date) or theirs is None:
        return True
    if (ours.unit != theirs.unit and (ours.unit or theirs.unit == "%")) or not theirs.low:
        return True
    low, high = sorted((abs(ours.low), abs(theirs.low)))
    return any(abs(high - low * scale) <= 0.01 * high for scale in _SCALES)


def _otherwise(row: _Row, cell: _Cell) -> FieldMatch:
    about = row.cells[0].source.text if row.cells[0] is not cell else cell.source.key
    detail = f"the source says “{cell.source.text}” about “{about}”"
    return FieldMatch(cell.source.passage, Conflict(ConflictKind.FIELD, detail, certain=True))
