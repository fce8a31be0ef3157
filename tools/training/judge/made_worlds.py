"""Made-up worlds, a handful of things of one kind and their attributes, as sources in many forms.

`made_worlds.txt` has the words.
"""

import csv
import io
import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

_WORDS = Path(__file__).with_name("made_worlds.txt")
Raw = int | float | str
_RANGE = re.compile(r"(-?[\d.:]+)-(-?[\d.:]+)(?:/([\d.]+))?")
_LONG = {"m": "metres", "km": "kilometres", "cm": "centimetres", "mm": "millimetres",
         "min": "minutes", "kg": "kilograms", "g": "grams", "mg": "milligrams", "W": "watts",
         "GB": "gigabytes", "MB": "megabytes", "%": "percent", "°C": "degrees",
         "dB": "decibels", "m²": "square metres", "km/h": "kilometres per hour"}  # fmt: skip
_MONEY = (("€", "euros", "EUR"), ("$", "dollars", "USD"), ("£", "pounds", "GBP"))
_PLURAL = {"is": "are", "has": "have", "was": "were", "does": "do", "goes": "go",
           "carries": "carry"}  # fmt: skip


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
        """Return if values of one could stand in the other's column."""
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
        """Return if the label has the unit: "seats" of 40."""
        return self.kind.unit in self.label.split()

    @property
    def spoken(self) -> str:
        """Return the label as a sentence says it."""
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
    """How values are written."""

    currency: int
    money: int
    cents: bool
    clock12: bool
    dates: int
    long_units: bool
    commas: bool


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
    asked: tuple[tuple[int, int], ...]
    """The cells that most questions are about, so that many answers share a question."""

    def column(self, a: int) -> list[Raw | None]:
        """Return an attribute's values from the first row on."""
        return [row[a] for row in self.cells]


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


def said(kind: Kind, raw: Raw, style: Style, unit: bool = True) -> str:
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
        symbol, word, code = _MONEY[style.currency]
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


def _things(pattern: str, number: int, rng: random.Random, taken: set[str]) -> dict[str, str]:
    """Names in sentences by names in tables."""
    things: dict[str, str] = {}
    while len(things) < number:
        name = _filled(pattern, rng)
        label = name[name.index("[") + 1 : name.index("]")]
        if label not in taken:
            things[label[0].upper() + label[1:]] = name.replace("[", "").replace("]", "")
            taken.add(label)
    return things


def draw_world(rng: random.Random, domain: Domain, taken: set[str], small: bool = False) -> World:
    """Return a world of the domain none of whose names is taken yet."""
    types = [each.kind.type for each in domain.attributes]
    deep = max(map(types.count, types)) > 4
    rows = rng.randint(1, 3) if deep else rng.randint(3, 6 if "{weekday}" in domain.name else 8)
    rows = 2 if small else rows
    things = _things(domain.name, rows + 1, rng, taken)
    most = len(domain.attributes) - 1
    chosen = rng.sample(domain.attributes, 2 if small else rng.randint(3, most))
    absent = rng.choice([each for each in domain.attributes if each not in chosen])
    columns = []
    for attribute in chosen:
        column: list[Raw | None] = []
        for _ in range(rows):
            known = [each for each in column if each is not None]
            repeated = known and rng.random() < 0.08
            column.append(rng.choice(known) if repeated else draw(attribute.kind, rng))
        if not small and rows > 1 and rng.random() < 0.3:
            column[rng.randrange(rows)] = None
        columns.append(column)
    labels, names = list(things), list(things.values())
    cells = [(row, a) for row in range(rows) for a in range(len(chosen))]
    return World(domain, tuple(labels[:rows]), tuple(names[:rows]), tuple(chosen),
                 tuple(zip(*columns, strict=True)), draw_style(rng),
                 tuple(rng.randrange(len(each.clauses)) for each in chosen),
                 (names[rows], absent), tuple(rng.sample(cells, min(4, len(cells)))))  # fmt: skip


# Sentences


def begun(text: str) -> str:
    """Return the text with a capital at its start."""
    first = re.search(r"[^\W_]", text)
    at = first.start() if first else 0
    return text[:at] + text[at : at + 1].upper() + text[at + 1 :]


def article(noun: str) -> str:
    """Return "a" or "an" before the noun."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def joined(words: Sequence[str]) -> str:
    """Return "a, b and c"."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def forms(attribute: Attribute, raw: Raw) -> tuple[str, ...]:
    """Return the clauses that say the value: of yes and no, those of the one that it is."""
    if attribute.kind.type != "bool":
        return attribute.clauses
    return tuple(each.split("~")[0 if raw else 1] for each in attribute.clauses)


def plural(predicate: str) -> str:
    """Return a predicate for more than one: "is long" as "are long"."""
    verb, _, rest = predicate.partition(" ")
    if verb in _PLURAL:
        verb = _PLURAL[verb]
    elif verb.endswith(("ches", "shes", "sses", "xes")):
        verb = verb[:-2]
    elif verb.endswith("s"):
        verb = verb[:-1]
    return f"{verb} {rest}".replace(" its ", " their ")


def predicates(world: World, a: int, raw: Raw) -> str | None:
    """Return the source's clause for a value without its subject; None where it begins otherwise."""
    clause = forms(world.attributes[a], raw)[world.clause[a]]
    return clause.removeprefix("{e} ") if clause.startswith("{e} ") else None


def _given(world: World, a: int, rows: Sequence[int]) -> list[tuple[str, Raw]]:
    pairs = [(world.names[row], world.cells[row][a]) for row in rows]
    return [(name, raw) for name, raw in pairs if raw is not None]


def _clause(world: World, a: int, name: str, raw: Raw) -> str:
    attribute = world.attributes[a]
    clause = forms(attribute, raw)[world.clause[a]]
    return clause.format(e=name, v=said(attribute.kind, raw, world.style))


def _prose(world: World, rows: Sequence[int], columns: Sequence[int], rng: random.Random) -> str:
    """Sentences of one to three facts: some gather a column, the others a row."""
    share = rng.choice((0.0, 0.3, 1.0))
    gathered = [a for a in columns if len(rows) > 1 and rng.random() < share]
    sentences = [text for row in rows for text in
                 _of_row(world, row, [a for a in columns if a not in gathered], rng)]  # fmt: skip
    sentences += [text for a in gathered for text in _of_column(world, a, rows, rng)]
    if rng.random() < 0.4:
        rng.shuffle(sentences)
    return " ".join(sentences)


def _of_row(world: World, row: int, columns: Sequence[int], rng: random.Random) -> list[str]:
    name, cells = world.names[row], world.cells[row]
    left = [(a, raw) for a in rng.sample(columns, len(columns)) if (raw := cells[a]) is not None]
    texts = []
    while left:
        facts, left = left[: (size := rng.randint(1, 3))], left[size:]
        clauses = [_clause(world, a, name, raw) for a, raw in facts]
        if not all(clause.startswith(f"{name} ") and ": " not in clause for clause in clauses):
            texts += [begun(clause) + "." for clause in clauses]
            continue
        parts = [clause[len(name) + 1 :] for clause in clauses]
        who = "who" if world.domain.name == "[{person}]" else "which"
        shape = rng.randrange(3)
        if len(parts) > 1 and shape == 0:
            rest = joined(parts[1:])
            texts.append(f"{begun(name)}, {who} {parts[0]}, {rest}.")
        elif len(parts) > 1 and shape == 1 and who == "which":
            texts.append(f"{begun(name)} {parts[0]}. It {joined(parts[1:])}.")
        else:
            texts.append(f"{begun(name)} {joined(parts)}.")
    return texts


def _of_column(world: World, a: int, rows: Sequence[int], rng: random.Random) -> list[str]:
    attribute, given = world.attributes[a], _given(world, a, rows)
    if attribute.kind.type == "bool":
        return _by_answer(world, a, given, rng)
    texts = []
    while given:
        some, given = given[: (size := rng.randint(1, 3))], given[size:]
        predicate = predicates(world, a, some[0][1])
        values = [said(attribute.kind, raw, world.style) for _, raw in some]
        if len(some) > 1 and predicate and rng.random() < 0.5 and "," not in "".join(values):
            together = plural(predicate).format(v=joined(values))
            text = f"{joined([name for name, _ in some])} {together} respectively"
        elif len(some) > 1:
            unit = attribute.kind.type != "num" or rng.random() < 0.6
            others = [f"{name} {said(attribute.kind, raw, world.style, unit)}" for name, raw in some]
            first = _clause(world, a, *some[0])
            if predicate:
                text = ", ".join([first, *others[1:-1], f"and {others[-1]}"])
            else:
                text = "; ".join(_clause(world, a, name, raw) for name, raw in some)
        else:
            text = _clause(world, a, *some[0])
        texts.append(begun(text) + ".")
    return texts


def _by_answer(
    world: World, a: int, given: Sequence[tuple[str, Raw]], rng: random.Random
) -> list[str]:
    groups = {raw: [name for name, each in given if each == raw] for raw in (1, 0)}
    words = {raw: predicates(world, a, raw) for raw in groups}
    if not (words[1] and words[0]) or not all(groups.values()):
        return [begun(_clause(world, a, name, raw)) + "." for name, raw in given]
    said_of = {raw: f"{joined(names)} {plural(str(words[raw])) if len(names) > 1 else words[raw]}"
               for raw, names in groups.items()}  # fmt: skip
    one, other = rng.sample((1, 0), 2)
    complete = len(given) == len(world.names)
    if complete and len(groups[other]) == 1 and len(groups[one]) > 1 and rng.random() < 0.7:
        text = f"All {world.domain.plural} except {groups[other][0]} {plural(str(words[one]))}."
        return [text]
    if rng.random() < 0.5:
        return [f"Unlike {joined(groups[other])}, {said_of[one]}."]
    return [begun(f"{said_of[one]}, while {said_of[other]}.")]


# Tables, records and lists


def _cell(world: World, row: int, a: int, unit: bool, empty: str) -> str:
    raw = world.cells[row][a]
    unit = unit and not world.attributes[a].counts
    return empty if raw is None else said(world.attributes[a].kind, raw, world.style, unit)


def _grid(world: World, rows: Sequence[int], columns: Sequence[int], rng: random.Random
          ) -> list[list[str]]:  # fmt: skip
    """Head and rows as cells; units in the head or in the cells."""
    in_head, empty = rng.random() < 0.5, rng.choice(("–", "-", "n/a", "", "?"))
    head = [begun(world.domain.noun)]
    for a in columns:
        attribute = world.attributes[a]
        unit = (_MONEY[world.style.currency][world.style.money % 3]
                if attribute.kind.type == "money" else attribute.kind.unit)  # fmt: skip
        shown = in_head and unit and not attribute.counts
        head.append(begun(attribute.label) + (f" ({unit})" if shown else ""))
    return [head] + [[world.labels[row], *(_cell(world, row, a, not in_head, empty) for a in columns)]
                     for row in rows]  # fmt: skip


def _table(world: World, rows: Sequence[int], columns: Sequence[int], rng: random.Random) -> str:
    grid = _grid(world, rows, columns, rng)
    form = rng.randrange(5)
    if form == 1:
        grid = [list(line) for line in zip(*grid, strict=True)]
    if form < 2:
        return markdown(grid)
    title = rng.choice(world.domain.titles)
    if form == 2:
        lines = ["".join(f"<{tag}>{cell}</{tag}>" for cell in line)
                 for line, tag in zip(grid, ["th"] + ["td"] * len(grid), strict=False)]  # fmt: skip
        body = "\n".join(f"<tr>{line}</tr>" for line in lines)
        return f"<table>\n<caption>{title}</caption>\n{body}\n</table>"
    if form == 3:
        return f"## {title}\n\n{markdown(grid)}"
    out = io.StringIO()
    csv.writer(out, delimiter=rng.choice(",;\t"), lineterminator="\n").writerows(grid)
    return out.getvalue().strip()


def markdown(grid: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; the first row is its head."""
    lines = [f"| {' | '.join(line)} |" for line in grid]
    return "\n".join([lines[0], "|" + "---|" * len(grid[0]), *lines[1:]])


def _record(world: World, rows: Sequence[int], columns: Sequence[int], rng: random.Random) -> str:
    def value(row: int, a: int) -> Any:
        raw, kind = world.cells[row][a], world.attributes[a].kind
        if raw is None or kind.type == "bool":
            return raw if raw is None else bool(raw)
        plain = kind.type in ("num", "money") and (in_key or world.attributes[a].counts)
        return (int(raw) if float(raw).is_integer() else raw) if plain else said(
            kind, raw, world.style)  # fmt: skip

    def key(a: int) -> str:
        attribute, kind = world.attributes[a], world.attributes[a].kind
        unit = _MONEY[world.style.currency][2] if kind.type == "money" else kind.unit
        added = f"_{unit.lower()}" if in_key and unit and not attribute.counts else ""
        return re.sub(r"[ -]", "_", attribute.label) + added

    in_key, indent = rng.random() < 0.5, rng.choice((None, 1, 2))
    records = {world.labels[row]: {key(a): value(row, a) for a in columns} for row in rows}
    data: Any = records
    if rng.random() < 0.6:
        data = [{"name": label, **record} for label, record in records.items()]
    named = {world.domain.plural.replace(" ", "_"): data}
    return json.dumps(named, ensure_ascii=False, indent=indent)


def _lines(world: World, rows: Sequence[int], columns: Sequence[int], rng: random.Random) -> str:
    """Rows as "label: value" in blocks, lines or bullets under a heading or a lead-in."""
    form, mark = rng.randrange(4), rng.choice(("- ", "* ", "• ", ""))
    title = rng.choice(world.domain.titles)
    lines = [rng.choice((f"# {title}", f"{title}:", title, f"{title}\n"))]
    for row in rows:
        pairs = [(world.attributes[a].label, _cell(world, row, a, True, "")) for a in columns]
        fields = [(label, cell) for label, cell in pairs if cell]
        name = world.labels[row] if rng.random() < 0.8 or form else begun(world.names[row])
        if form == 0:
            lines.append(
                f"{mark}{name}: " + "; ".join(f"{cell} ({label})" for label, cell in fields)
            )
        elif form == 1:
            lines.append(f"{mark}{name}: " + ", ".join(f"{label} {cell}" for label, cell in fields))
        elif form == 2:
            lines += [f"{name}:", *(f"  {label}: {cell}" for label, cell in fields)]
        else:
            lines += [f"### {name}", *(f"- **{begun(label)}:** {cell}" for label, cell in fields)]
    return "\n".join(lines)


def _bullets(world: World, rows: Sequence[int], columns: Sequence[int], rng: random.Random) -> str:
    """A list of clauses for each row."""
    lines = [f"{rng.choice(world.domain.titles)}:"]
    for row in rows:
        lines += [f"- {text}" for text in _of_row(world, row, columns, rng)]
    return "\n".join(lines)


_FORMS: tuple[Callable[[World, Sequence[int], Sequence[int], random.Random], str], ...] = (
    _prose, _prose, _prose, _prose, _table, _table, _table, _record, _lines, _lines, _bullets,
)  # fmt: skip


def sources(world: World, others: Sequence[World], rng: random.Random) -> list[str]:
    """Return the world as one text or two, and the others as one each."""
    rows, columns = range(len(world.labels)), range(len(world.attributes))
    cut = rng.random() if len(rows) > 1 else rng.random() * 0.85
    if cut < 0.65:
        texts = [rng.choice(_FORMS)(world, rows, columns, rng)]
    elif cut < 0.85:
        middle = rng.randint(1, len(columns) - 1)
        texts = [
            rng.choice(_FORMS)(world, rows, part, rng)
            for part in (columns[:middle], columns[middle:])
        ]
    else:
        middle = rng.randint(1, len(rows) - 1)
        texts = [
            rng.choice(_FORMS)(world, part, columns, rng) for part in (rows[:middle], rows[middle:])
        ]
    texts += [rng.choice(_FORMS)(each, range(len(each.labels)), range(len(each.attributes)), rng)
              for each in others]  # fmt: skip
    rng.shuffle(texts)
    return [text for text in texts if text]
