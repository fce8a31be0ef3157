"""The yes-or-no fields and the opening hours of records.

"RestaurantsReservations: false" is a field about reservations, so that a claim can be compared with
it whatever the wording.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from analysis.engine.rules.cells import Cell, Flag, Terms, union
from analysis.engine.rules.opening_hours import Week, read_week
from lib.text.reader.values import spoken
from lib.text.stems import stem
from lib.text.words import word_set

_OFFERED = word_set("free paid available")
"""Values that say yes."""
_GROUP_WORDS = {Flag.YES: "yes", Flag.NO: "no to all", Flag.OPEN: "not stated"}
_LEADING = word_set("is has have good great accepts offers allows takes caters by for the a")
"""Words before what a key is about: "GoodForGroups" is about groups."""
_TRAILING = word_set("allowed available offered accepted permitted")
_MOST_KEYS = 13
"""Values below more keys are not read."""
_Path = tuple[str, ...]
_Object = dict[str, Cell | None]
"""The values of an object by key, None for an object or list."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field that says yes, no or nothing about one thing, and its passage.

    `name` is the thing, its words joined and stemmed; `group` the stem of its group ("parking" for
    garage, street and lot), empty for none; `display_text` is the field in words.
    """

    name: str
    group: str
    flag: Flag
    display_text: str
    passage: int
    is_group: bool = False
    is_listed: bool = False
    """True if it belongs to one of several items of a list."""


@dataclass(frozen=True, slots=True)
class Record:
    """The direct statements of one record, and the terms of its texts, which may say more."""

    fields: tuple[Field, ...]
    weeks: tuple[Week, ...]
    prose: Terms


def read_records(cells: Iterable[Cell]) -> list[Record]:
    """Return the records among the sources, of which these are the values."""
    by_source = defaultdict[int, list[Cell]](list)
    for cell in cells:
        if 0 < len(cell.source.path) <= _MOST_KEYS:
            by_source[cell.source.source].append(cell)
    return [_read(cells) for cells in by_source.values()]


def _read(cells: list[Cell]) -> Record:
    objects = _objects(cells)
    fields, weeks = list[Field](), list[Week]()
    for path, values in objects.items():
        week = _week(values)
        if week:
            weeks.append(week)
        else:
            fields += _fields(path, objects)
    prose = union(cell.terms for cell in cells if _flag(cell) is None)
    return Record(tuple(fields), tuple(weeks), prose)


def _objects(cells: list[Cell]) -> dict[_Path, _Object]:
    """Return the objects that the values make, by path; lists, whose keys are numbers, are none."""
    objects = defaultdict[_Path, _Object](dict)
    for cell in cells:
        path = cell.source.path
        for at, key in enumerate(path, 1):
            if not key.isdecimal():
                objects[path[: at - 1]][key] = cell if at == len(path) else None
    return objects


def _week(values: _Object) -> Week | None:
    cells = [cell.source for cell in values.values() if cell]
    if not cells or len(cells) < len(values):
        return None
    return read_week({cell.key.lower(): cell.text for cell in cells}, cells[0].passage)


def _fields(path: _Path, objects: dict[_Path, _Object]) -> Iterator[Field]:
    """Yield the fields of one object, and one for each group of flags in it."""
    values = objects[path]
    shared = _shared_prefixes(values)
    group = stem(_about(path[-1], frozenset())[-1]) if path and _group(values) else ""
    is_listed = any(map(str.isdecimal, path))
    for key, cell in values.items():
        about = _about(key, shared)
        if cell is None:
            if members := _group(objects.get((*path, key), {})):
                flag, passage = _any(members), members[0].source.passage
                text = f"{_words(key)}: {_GROUP_WORDS[flag]}"
                yield Field(stem(about[-1]), group, flag, text, passage, True, is_listed)
        elif value := _flag(cell):
            text, passage = f"{_words(key)}: {cell.source.text}", cell.source.passage
            yield Field(stem("".join(about)), group, value, text, passage, False, is_listed)


def _flag(cell: Cell) -> Flag | None:
    return Flag.YES if cell.source.text.strip().lower() in _OFFERED else cell.flag


def _group(values: _Object) -> list[Cell]:
    """Return the values of an object that holds several flags and nothing else."""
    flags = [cell for cell in values.values() if cell and cell.flag]
    return flags if len(flags) == len(values) > 1 else []


def _any(members: list[Cell]) -> Flag:
    """Return yes if one member says so, no if all deny it, else that it is open."""
    flags = {cell.flag for cell in members}
    return Flag.YES if Flag.YES in flags else Flag.NO if flags == {Flag.NO} else Flag.OPEN


def _words(key: str) -> str:
    """Return a key as words: "OutdoorSeating" as "outdoor seating"."""
    return spoken(key, ((0, len(key)),)).lower() or "value"


def _shared_prefixes(keys: Iterable[str]) -> Terms:
    """Return the first words that several keys share: "restaurants" of "RestaurantsTakeOut"."""
    names = (_words(key).split() for key in keys)
    firsts = Counter(name[0] for name in names if len(name) > 1)
    return frozenset(word for word, count in firsts.items() if count > 1)


def _about(key: str, shared: Terms) -> list[str]:
    parts = _words(key).split()
    if len(parts) > 1 and parts[0] in shared:
        parts = parts[1:]
    while len(parts) > 1 and parts[0] in _LEADING:
        parts = parts[1:]
    while len(parts) > 1 and parts[-1] in _TRAILING:
        parts = parts[:-1]
    return parts
