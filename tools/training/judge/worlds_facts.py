"""Made-up worlds: a handful of things of one kind, their attributes and values.

`worlds.txt` has the words.
"""

import random
import re
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, cached_property
from pathlib import Path

_WORDS = Path(__file__).with_name("worlds.txt")
Raw = int | float | str
_RANGE = re.compile(r"(-?[\d.:]+)-(-?[\d.:]+)(?:/([\d.]+))?")
_LONG = {"m": "metres", "km": "kilometres", "cm": "centimetres", "mm": "millimetres",
         "min": "minutes", "kg": "kilograms", "g": "grams", "mg": "milligrams", "W": "watts",
         "GB": "gigabytes", "MB": "megabytes", "%": "percent", "°C": "degrees",
         "dB": "decibels", "m²": "square metres", "km/h": "kilometres per hour"}  # fmt: skip
MONEY = (("€", "euros", "EUR"), ("$", "dollars", "USD"), ("£", "pounds", "GBP"))


@dataclass(frozen=True)
class Kind:
    """Values of a type; columns of the same type and unit can be mistaken for each other."""

    type: str
    unit: str = ""
    low: float = 0
    high: float = 0
    step: float = 1
    options: tuple[str, ...] = ()

    def like(self, other: "Kind") -> bool:
        """Return whether values of one could stand in the other's column."""
        if self.type == "code":
            return (self.low, self.high) == (other.low, other.high) and other.type == "code"
        return (self.type, self.unit, self.options) == (other.type, other.unit, other.options)


@dataclass(frozen=True)
class Attribute:
    """A column: clauses of `{e}` and `{v}`; of yes and no, each clause has its denial after it."""

    label: str
    kind: Kind
    sums: bool
    clauses: tuple[str, ...]
    questions: tuple[str, ...]
    ranks: tuple[str, ...]

    @property
    def counts(self) -> bool:
        """True if the label has the unit: "seats" of 40."""
        return self.kind.unit in self.label.split()

    @property
    def spoken(self) -> str:
        """The label as a sentence says it."""
        return f"number of {self.label}" if self.counts else self.label


@dataclass(frozen=True)
class Domain:
    """Things of a kind; in their names only the part in brackets stands in tables."""

    noun: str
    plural: str
    name: str
    titles: tuple[str, ...]
    attributes: tuple[Attribute, ...]


@dataclass(frozen=True)
class Style:
    """The way values are written."""

    currency: int
    money: int
    cents: bool
    clock12: bool
    dates: int
    long_units: bool
    commas: bool


@dataclass(frozen=True)
class Cell:
    """A value that the source gives, with its row and its column."""

    row: int
    a: int
    name: str
    attribute: Attribute
    raw: Raw


@dataclass(frozen=True)
class World:
    """Names as in tables and as in sentences, and the values that the source gives, by row."""

    domain: Domain
    labels: tuple[str, ...]
    names: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    cells: tuple[tuple[Raw | None, ...], ...]
    style: Style
    clause: tuple[int, ...]
    absent: tuple[str, Attribute]
    """A thing and an attribute that the source says nothing about."""
    topics: tuple[tuple[int, int], ...]
    """The cells that most questions are about, so that many answers share a question."""

    def column(self, a: int) -> list[Raw | None]:
        """Return an attribute's values from the first row on."""
        return [row[a] for row in self.cells]

    @cached_property
    def facts(self) -> list[Cell]:
        """The cells that have a value."""
        return [
            Cell(row, a, self.names[row], self.attributes[a], raw)
            for row, values in enumerate(self.cells)
            for a, raw in enumerate(values)
            if raw is not None
        ]


@cache
def _words() -> tuple[dict[str, tuple[str, ...]], tuple[Domain, ...]]:
    pools: dict[str, tuple[str, ...]] = {}
    domains: list[Domain] = []
    for line in _WORDS.read_text(encoding="utf-8").splitlines():
        if line.startswith("@"):
            name, _, words = line[1:].partition(": ")
            pools[name] = tuple(words.split(", "))
        elif line.startswith("== "):
            noun, plural, pattern, titles = line[3:].split(" | ")
            domains.append(Domain(noun, plural, pattern, tuple(titles.split("; ")), ()))
        elif line and not line.startswith("#"):
            added = (*domains[-1].attributes, _attribute(line, pools))
            domains[-1] = replace(domains[-1], attributes=added)
    return pools, tuple(domains)


def _attribute(line: str, pools: dict[str, tuple[str, ...]]) -> Attribute:
    label, spec, clauses, questions, *rest = (part.strip() for part in line.split("|"))
    ranks = tuple(word.strip() for word in rest[0].split(",")) if rest and rest[0] else ()
    return Attribute(label, _kind(spec.removesuffix(" +"), pools), spec.endswith("+"),
                     tuple(clauses.split("; ")), tuple(questions.split("; ")), ranks)  # fmt: skip


def _kind(spec: str, pools: dict[str, tuple[str, ...]]) -> Kind:
    name, _, rest = spec.partition(" ")
    if name in ("cat", "pool"):
        return Kind("cat", options=tuple(rest.split(", ")) if name == "cat" else pools[rest])
    unit, _, span = rest.rpartition(" ")
    if not (match := _RANGE.fullmatch(span)):
        return Kind(name)
    low, high = (_minutes(end) if ":" in end else float(end) for end in match.groups()[:2])
    return Kind(name, unit, low, high, float(match[3] or 1))


def _minutes(clock: str) -> float:
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)


def domains() -> tuple[Domain, ...]:
    """Return all domains."""
    return _words()[1]


# Values


def draw(kind: Kind, rng: random.Random) -> Raw:
    """Return a value of the kind; dates as ordinals, times as minutes, yes and no as 1 and 0."""
    if kind.type == "date":
        return rng.randint(date(int(kind.low), 1, 1).toordinal(),
                           date(int(kind.high), 12, 31).toordinal())  # fmt: skip
    if kind.type in ("person", "place"):
        return _filled(f"{{{kind.type}}}", rng)
    if kind.type == "bool":
        return rng.randint(0, 1)
    if kind.type == "cat":
        return rng.choice(kind.options)
    steps = rng.randint(0, int((kind.high - kind.low) / kind.step))
    return round(kind.low + steps * kind.step, 2)


def near(kind: Kind, raw: Raw, rng: random.Random) -> Raw | None:
    """Return a value a few steps off; None of words, and of yes and no."""
    if isinstance(raw, str) or kind.type == "bool":
        return None
    step = {"date": 7, "time": 15}.get(kind.type, kind.step)
    away = rng.choice((-3, -2, -1, 1, 2, 3)) * step
    moved = round(raw + away, 2)
    return moved if moved >= 2 or kind.low < 0 else round(raw + abs(away), 2)


def wording(kind: Kind, raw: Raw, style: Style, unit: bool = True) -> str:
    """Return the value in words."""
    if isinstance(raw, str):
        return raw
    if kind.type == "bool":
        return "yes" if raw else "no"
    if kind.type == "date":
        day = date.fromordinal(int(raw))
        return day.strftime(("%-d %B %Y", "%B %-d, %Y", "%Y-%m-%d", "%d.%m.%Y")[style.dates])
    if kind.type == "time":
        hour, minute = divmod(int(raw), 60)
        if not style.clock12:
            return f"{hour}:{minute:02}"
        return f"{(hour - 1) % 12 + 1}{f':{minute:02}' if minute else ''} {'ap'[hour > 11]}m"
    whole = float(raw).is_integer()
    if kind.type == "money":
        text = f"{raw:,.0f}" if whole and not style.cents else f"{raw:,.2f}"
    else:
        text = f"{raw:,.0f}" if whole else f"{raw:,.1f}"
    text = text if style.commas and kind.type in ("money", "num") else text.replace(",", "")
    if not unit:
        return text
    if kind.type == "money":
        symbol, word, code = MONEY[style.currency]
        return (f"{symbol}{text}", f"{text} {word}", f"{code} {text}", f"{text} {symbol}")[
            style.money
        ]
    name = _LONG.get(kind.unit, kind.unit) if style.long_units else kind.unit
    return f"{text}{'' if name == '%' else ' '}{name}".strip()


def draw_style(rng: random.Random) -> Style:
    return Style(rng.randrange(3), rng.choice((0, 0, 1, 2, 3)), rng.random() < 0.5,
                 rng.random() < 0.3, rng.choice((0, 0, 1, 2, 3)), rng.random() < 0.4,
                 rng.random() < 0.6)  # fmt: skip


# Worlds


def _filled(pattern: str, rng: random.Random) -> str:
    pools = _words()[0]

    def fill(match: re.Match[str]) -> str:
        if match[1] == "person":
            return f"{rng.choice(pools['first'])} {rng.choice(pools['last'])}"
        if match[1] == "place":
            tail = f" {rng.choice(pools['tail'])}" if rng.random() < 0.3 else ""
            return rng.choice(pools["start"]) + rng.choice(pools["end"]) + tail
        if match[1] == "brand":
            mid = rng.choice(pools["mid"]) if rng.random() < 0.7 else ""
            return rng.choice(pools["open"]) + mid + rng.choice(pools["close"])
        if match[1] in pools:
            return rng.choice(pools[match[1]])
        letter, digits = rng.choice("ABCDEFGHKLMPRSTVX"), rng.randint(2, 98)
        return {"model": f"{letter}{rng.choice(('', '-', ' '))}{digits * 10}",
                "code": f"{letter}{digits}", "error": f"{rng.choice('EFH')}{digits}",
                "num": str(digits), "small": str(digits), "longnum": str(rng.randint(10000, 99999)),
                }[match[1]]  # fmt: skip

    return re.sub(r"\{(\w+)\}", fill, pattern)


def _things(pattern: str, number: int, rng: random.Random, used: set[str]) -> dict[str, str]:
    """Return names in sentences by names in tables."""
    things: dict[str, str] = {}
    while len(things) < number:
        name = _filled(pattern, rng)
        label = name[name.index("[") + 1 : name.index("]")]
        if label not in used:
            things[label[0].upper() + label[1:]] = name.replace("[", "").replace("]", "")
            used.add(label)
    return things


def draw_world(rng: random.Random, domain: Domain, used: set[str], small: bool = False) -> World:
    """Return a world of the domain none of whose names is taken yet."""
    types = [each.kind.type for each in domain.attributes]
    deep = max(map(types.count, types)) > 4
    rows = rng.randint(1, 3) if deep else rng.randint(3, 6 if "{weekday}" in domain.name else 8)
    rows = 2 if small else rows
    things = _things(domain.name, rows + 1, rng, used)
    most = len(domain.attributes) - 1
    attributes_here = rng.sample(domain.attributes, 2 if small else rng.randint(3, most))
    absent = rng.choice([each for each in domain.attributes if each not in attributes_here])
    columns = []
    for attribute in attributes_here:
        column: list[Raw | None] = []
        for _ in range(rows):
            present = [each for each in column if each is not None]
            repeated = present and rng.random() < 0.08
            column.append(rng.choice(present) if repeated else draw(attribute.kind, rng))
        if not small and rows > 1 and rng.random() < 0.3:
            column[rng.randrange(rows)] = None
        columns.append(column)
    labels, names = list(things), list(things.values())
    cells = [(row, a) for row in range(rows) for a in range(len(attributes_here))]
    return World(domain, tuple(labels[:rows]), tuple(names[:rows]), tuple(attributes_here),
                 tuple(zip(*columns, strict=True)), draw_style(rng),
                 tuple(rng.randrange(len(each.clauses)) for each in attributes_here),
                 (names[rows], absent), tuple(rng.sample(cells, min(4, len(cells)))))  # fmt: skip
