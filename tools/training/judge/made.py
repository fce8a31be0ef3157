"""Made-up answers about made-up worlds, for binding a value to its row and its column.

    python -m tools.training.judge.made --out FILE --rows N --seed S

A wrong answer has the same words as a right one, with the value of another row, of another column
or near the right one, so that an answer by itself says nothing about its label.
"""

import argparse
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from typing import Any

from tools.training.judge.made_worlds import (
    Attribute,
    Kind,
    Raw,
    Style,
    World,
    article,
    begun,
    domains,
    draw,
    draw_style,
    draw_world,
    forms,
    joined,
    markdown,
    plural,
    said,
    sources,
)

_COUNTS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")
_OPEN, _CLOSE = "\ue000", "\ue001"
"""Around the words of an answer that are wrong where the answer is."""
_LIMITS = ("up to", "at least", "within", "at most", "until", "the age of", "down to", "from {v}",
           "must not exceed", "on board after", "limited to")
"""Words of clauses that hold of other values too, and so of more than one thing."""
_BOTH = 0.6
"""Share of the questions that get their right and their wrong answer."""
_RIGHT = 0.66
"""Share of right ones among single answers; what the source is silent on has none."""


@dataclass(frozen=True)
class Pair:
    """A question with its right and its wrong answer; no right one where the source is silent."""

    query: str
    right: str | None
    wrong: str


Maker = Callable[[World, random.Random], Pair | None]


def _marked(text: str) -> str:
    return f"{_OPEN}{text}{_CLOSE}"


def _two(right: str, wrong: str, shape: str, query: str) -> Pair:
    """The answers of one shape, in which `{x}` stands for what differs."""
    return Pair(query, *(begun(shape.replace("{x}", _marked(x))) for x in (right, wrong)))


# Values


def near(kind: Kind, raw: Raw, rng: random.Random) -> Raw | None:
    """Return a value a few steps off; None of words, and of yes and no."""
    if isinstance(raw, str) or kind.type == "bool":
        return None
    step = {"date": 7, "time": 15}.get(kind.type, kind.step)
    away = rng.choice((-3, -2, -1, 1, 2, 3)) * step
    moved = round(raw + away, 2)
    return moved if moved >= 2 or kind.low < 0 else round(raw + abs(away), 2)


def misread(world: World, row: int, a: int, rng: random.Random) -> Raw | None:
    """Return a value that the cell does not have: of another row or column, or near it."""
    kind, right = world.attributes[a].kind, world.cells[row][a]
    if right is None:
        return None
    if kind.type == "bool":
        return 1 - int(right)
    column = [raw for raw in world.column(a) if raw not in (None, right)]
    beside = [raw for other, raw in zip(world.attributes, world.cells[row], strict=True)
              if other.kind.like(kind) and raw not in (None, right)]  # fmt: skip
    close = near(kind, right, rng)
    chance = rng.random()
    if beside and (chance < 0.35 or (chance < 0.88 and not column)):
        return rng.choice(beside)
    if close is not None and chance > 0.88:
        return close
    return rng.choice(column) if column else close


def _cell(world: World, rng: random.Random, types: Sequence[str] = ()) -> tuple[int, int] | None:
    """A row and a column that have a value, of one of the types."""
    cells = [(row, a) for row, values in enumerate(world.cells) for a, raw in enumerate(values)
             if raw is not None and (not types or world.attributes[a].kind.type in types)]  # fmt: skip
    often = [cell for cell in cells if cell in world.asked]
    if often and rng.random() < 0.7:
        return rng.choice(often)
    return rng.choice(cells) if cells else None


def _full(world: World, rng: random.Random, *types: str) -> int | None:
    """A column without gaps."""
    columns = [a for a, attribute in enumerate(world.attributes)
               if None not in world.column(a) and attribute.kind.type in types]  # fmt: skip
    return rng.choice(columns) if columns else None


# Questions


def _asked(world: World, attribute: Attribute, name: str) -> str:
    """The question for a value, always the same."""
    rng, label = random.Random(f"{world.labels} {name} {attribute.label}"), attribute.spoken
    what = "Who" if attribute.kind.type == "person" else "What"
    if attribute.kind.type == "bool" or rng.random() < 0.6:
        return rng.choice(attribute.questions).format(e=name)
    return rng.choice((f"{what} is the {label} for {name}?", f"{begun(label)}, {name}?",
                       f"Please tell me the {label} for {name}.", f"{label} {name}",
                       f"I need to know the {label} for {name}."))  # fmt: skip


def _open_question(world: World, specific: str, rng: random.Random) -> str:
    """The question that a sentence answers: for its value, for an overview, or none."""
    domain = world.domain
    overviews = (f"What can you tell me about the {domain.plural}?",
                 f"Give me an overview of the {domain.plural}.",
                 f"I need information on the {domain.plural}.")  # fmt: skip
    overview = overviews[sum(map(len, world.labels)) % 3]
    return rng.choices((specific, overview, ""), (0.45, 0.45, 0.1))[0]


# Answers


def _bare(attribute: Attribute, raw: Raw, other: Raw, query: str, style: Style,
          rng: random.Random) -> Pair:  # fmt: skip
    kind = attribute.kind
    lead = {"time": "At", "date": "On", "year": "In"}.get(kind.type, "That's")
    shape = rng.choices(("{x}", "{x}.", f"{lead} {{x}}."), (4, 4, 1))[0]
    if kind.type in ("cat", "bool"):
        shape = rng.choice(("{x}", "{x}."))
    unit = not (kind.type == "num" and rng.random() < 0.15)
    return _two(said(kind, raw, style, unit), said(kind, other, style, unit), shape, query)


def bare(world: World, rng: random.Random) -> Pair | None:
    """A value."""
    found = _cell(world, rng)
    if not found or (wrong := misread(world, *found, rng)) is None:
        return None
    (row, a), style = found, restyled(world.style, rng)
    query = _asked(world, world.attributes[a], world.names[row])
    return _bare(world.attributes[a], world.cells[row][a] or 0, wrong, query, style, rng)


def restyled(style: Style, rng: random.Random) -> Style:
    """Return the style of an answer: that of the source, or another with the same currency."""
    return style if rng.random() < 0.65 else replace(draw_style(rng), currency=style.currency)


def _clause(attribute: Attribute, name: str, raw: Raw, style: Style, which: int) -> str:
    value = _marked(said(attribute.kind, raw, style))
    clause = forms(attribute, raw)[which].format(e=name, v=value)
    return clause if _OPEN in clause else _marked(clause)


def which_one(world: World, rng: random.Random) -> Pair | None:
    """The only thing that has a value."""
    found = _cell(world, rng)
    if not found:
        return None
    (row, a), style = found, restyled(world.style, rng)
    attribute, raw = world.attributes[a], world.cells[row][a]
    others = [name for name, each in zip(world.names, world.column(a), strict=True)
              if each not in (None, raw)]  # fmt: skip
    if raw is None or world.column(a).count(raw) != 1 or not others:
        return None
    value, noun = said(attribute.kind, raw, style), world.domain.noun
    clauses = [each for each in forms(attribute, raw) if not any(map(each.count, _LIMITS))]
    if not clauses:
        return None
    clause = rng.choice(clauses).format(e="{e}", v=value)
    if clause.startswith("{e} "):
        query = f"Which {noun} {clause.removeprefix('{e} ')}?"
    elif attribute.kind.type != "bool":
        query = f"For which {noun} is the {attribute.spoken} {value}?"
    else:
        return None
    shapes = ("{x}", "{x}.", clause.replace("{e}", "{x}") + ".")
    return _two(world.names[row], rng.choice(others), rng.choices(shapes, (3, 3, 2))[0], query)


def yes_or_no(world: World, rng: random.Random) -> Pair | None:
    """Yes or no, to a question for a property or whether a value is right."""
    found = _cell(world, rng, ("bool",)) if rng.random() < 0.6 else _cell(world, rng)
    if not found:
        return None
    (row, a), style = found, restyled(world.style, rng)
    attribute, name, raw = world.attributes[a], world.names[row], world.cells[row][a]
    if attribute.kind.type == "bool":
        query, holds = rng.choice(attribute.questions).format(e=name), bool(raw)
    else:
        holds = rng.random() < 0.5
        value = raw if holds else misread(world, row, a, rng)
        clauses = [each for each in attribute.clauses if not any(map(each.count, _LIMITS))]
        if value is None or not clauses:
            return None
        clause = rng.choice(clauses).format(e=name, v=said(attribute.kind, value, style))
        query = rng.choice((f"Is it true that {clause}?", f"Is it correct that {clause}?",
                            f"{begun(clause)}, right?"))  # fmt: skip
    shape = rng.choice(("{x}", "{x}."))
    return _two(*(("yes", "no") if holds else ("no", "yes")), shape, query)


def sentence(world: World, rng: random.Random) -> Pair | None:
    """A clause, most often in other words than the source's."""
    found = _cell(world, rng)
    if not found or (wrong := misread(world, *found, rng)) is None:
        return None
    row, a = found
    return _sentence(world, world.attributes[a], world.names[row], world.cells[row][a] or 0, wrong,
                     world.clause[a], rng)  # fmt: skip


def _sentence(world: World, attribute: Attribute, name: str, raw: Raw, other: Raw, said_so: int,
              rng: random.Random) -> Pair:  # fmt: skip
    style, query = restyled(world.style, rng), _asked(world, attribute, name)
    which = rng.choice([n for n in range(len(attribute.clauses)) if n != said_so] or [said_so])
    which = which if rng.random() < 0.75 else said_so
    plain, shape = attribute.kind.type != "bool", rng.randrange(4)
    if plain and shape < 2:
        label = attribute.spoken
        clause = (f"the {label} for {name} is {{x}}.", f"{name}: {attribute.label} {{x}}")
        values = [said(attribute.kind, each, style, not attribute.counts) for each in (raw, other)]
        return _two(values[0], values[1], clause[shape], _open_question(world, query, rng))
    starts = attribute.clauses[which].startswith("{e} ")
    subject = "it" if shape == 2 and starts and name.startswith("the ") else name
    clauses = [_clause(attribute, subject, each, style, which) for each in (raw, other)]
    if not plain and query.endswith("?") and rng.random() < 0.3:
        texts = [f"{'Yes' if each else 'No'}, {text}."
                 for each, text in zip((raw, other), clauses, strict=True)]  # fmt: skip
        return Pair(query, *texts)
    query = query if subject == "it" else _open_question(world, query, rng)
    return Pair(query, *(f"{begun(text)}." for text in clauses))


def silent(world: World, rng: random.Random) -> Pair | None:
    """What the source does not say, of a thing or an attribute that it lacks, or of a gap."""
    thing, attribute = world.absent
    gaps = [(row, a) for row, cells in enumerate(world.cells) for a, raw in enumerate(cells)
            if raw is None]  # fmt: skip
    chance = rng.random()
    if gaps and chance < 0.6:
        row, a = rng.choice(gaps)
        name, attribute, beside = world.names[row], world.attributes[a], world.cells[row]
    elif chance < 0.8:
        a = rng.randrange(len(world.attributes))
        name, attribute, beside = thing, world.attributes[a], ()
    else:
        row = rng.randrange(len(world.names))
        name, beside = world.names[row], world.cells[row]
    known = [raw for other, cells in ((b, world.column(n)) for n, b in enumerate(world.attributes))
             for raw in cells if raw is not None and other.kind.like(attribute.kind)]  # fmt: skip
    same = [raw for other, raw in zip(world.attributes, beside, strict=False)
            if raw is not None and other.kind.like(attribute.kind)]  # fmt: skip
    value = rng.choice(same or known or [draw(attribute.kind, rng)])
    if rng.random() < 0.55:
        style, query = restyled(world.style, rng), _asked(world, attribute, name)
        pair = _bare(attribute, value, value, query, style, rng)
    else:
        pair = _sentence(world, attribute, name, value, value, -1, rng)
    return replace(pair, right=None)


def two_facts(world: World, rng: random.Random) -> Pair | None:
    """Two values of a thing, one of them wrong; or one value of two things, exchanged."""
    style, found = restyled(world.style, rng), _cell(world, rng)
    if not found:
        return None
    row, a = found
    attribute, raw, name = world.attributes[a], world.cells[row][a], world.names[row]
    others = [b for b, each in enumerate(world.cells[row]) if b != a and each is not None]
    if rng.random() < 0.5:
        wrong = misread(world, row, a, rng)
        if not others or wrong is None or raw is None:
            return None
        b = rng.choice(others)
        second = world.attributes[b]
        which = rng.randrange(len(attribute.clauses))
        beside = _clause(second, name, world.cells[row][b] or 0, style, 0)
        beside = beside.replace(_OPEN, "").replace(_CLOSE, "").removeprefix(f"{name} ")
        first = [_clause(attribute, name, each, style, which) for each in (raw, wrong)]
        if rng.random() < 0.5:
            texts = [f"{begun(each)} and {beside}." for each in first]
        else:
            cut = [each.replace(f"{name} ", "", 1) for each in first]
            texts = [f"{begun(name)} {beside} and {each}." for each in cut]
        used = (attribute.clauses[which], second.clauses[0])
        starts = all(each.startswith("{e} ") and ": " not in each for each in used)
        return Pair(_open_question(world, "", rng), *texts) if starts else None
    rows = [n for n, each in enumerate(world.column(a)) if each not in (None, raw)]
    if attribute.kind.type == "bool" or raw is None or not rows:
        return None
    mate = rng.choice(rows)
    values = [_marked(said(attribute.kind, each, style)) for each in (raw, world.cells[mate][a])
              if each is not None]  # fmt: skip
    clause, names = rng.choice(attribute.clauses), (name, world.names[mate])
    shape = rng.randrange(3)

    def told(first: str, second: str) -> str:
        begin, end = clause.format(e=names[0], v=first), clause.format(e=names[1], v=second)
        if shape == 0 and clause.startswith("{e} "):
            together = plural(clause.removeprefix("{e} ")).format(v=f"{first} and {second}")
            return begun(f"{joined(names)} {together} respectively.")
        if shape == 1 and clause.startswith("{e} "):
            return begun(f"{begin}, {names[1]} {second}.")
        return begun(f"{begin}, while {end}.")

    return Pair(_open_question(world, "", rng), told(*values), told(*values[::-1]))


def several(world: World, rng: random.Random) -> Pair | None:
    """A list, a table or a record of a column's values, of which one is wrong."""
    types = ("num", "money", "time", "date", "year", "person", "place", "cat", "code")
    found, style = _cell(world, rng, types), restyled(world.style, rng)
    if not found or (wrong := misread(world, *found, rng)) is None:
        return None
    row, a = found
    attribute = world.attributes[a]
    rows = [n for n, raw in enumerate(world.column(a)) if raw is not None and n != row]
    rows = rng.sample(rows, min(len(rows), rng.randint(1, 2)))
    rows = rng.sample([row, *rows], len(rows) + 1)
    labels = [world.labels[n] for n in rows]
    shape = rng.choices(range(4), (3, 4, 1, 2))[0]
    texts = []
    for value in (world.cells[row][a], wrong):
        cells = [value if n == row else world.cells[n][a] for n in rows]
        values = [said(attribute.kind, raw, style, not attribute.counts)
                  for raw in cells if raw is not None]  # fmt: skip
        values[rows.index(row)] = _marked(values[rows.index(row)])
        pairs = list(zip(labels, values, strict=True))
        texts.append((
            "\n".join(f"- {label}: {value}" for label, value in pairs),
            f"{begun(attribute.label)}: {joined([f'{label} {value}' for label, value in pairs])}.",
            markdown([[begun(world.domain.noun), begun(attribute.label)], *map(list, pairs)]),
            json.dumps(dict(pairs), ensure_ascii=False),
        )[shape])  # fmt: skip
    query = f"What is the {attribute.spoken} of each of these: {joined(labels)}?"
    return Pair(rng.choice((query, f"{begun(attribute.label)} for {joined(labels)}?")), *texts)


def compared(world: World, rng: random.Random) -> Pair | None:
    """One thing has more than another, or the most of all."""
    a, style = _full(world, rng, "num", "money", "time", "date", "year"), restyled(world.style, rng)
    if a is None:
        return None
    attribute, column = world.attributes[a], [raw for raw in world.column(a) if raw is not None]
    high, low = ("later", "earlier") if attribute.kind.type in ("time", "date", "year") else (
        "higher", "lower")  # fmt: skip
    top, label = rng.random() < 0.5, attribute.spoken
    if len(column) > 1 and rng.random() < 0.5:
        one, other = rng.sample(range(len(column)), 2)
        if column[one] == column[other]:
            return None
        names, query = (world.names[one], world.names[other]), _open_question(world, "", rng)
        more, less = f"the {label} is {high} for", f"the {label} is {low} for"
        ranked = attribute.ranks and rng.random() < 0.6
        if ranked:
            more, less = attribute.ranks[:2]
        if column[one] < column[other]:  # type: ignore[operator]
            more, less = less, more
        shape = "{0} {m} {1}." if ranked else "{m} {0} than for {1}."
        if top:
            return Pair(
                query, *(begun(shape.format(*names, m=_marked(each))) for each in (more, less))
            )
        return Pair(query, *(begun(shape.format(*each, m=more)) for each in (names, names[::-1])))
    best = (max if top else min)(column)  # type: ignore[type-var]
    row = column.index(best)
    if column.count(best) > 1 or len(column) < 3:
        return None
    ranks = ("latest", "earliest") if high == "later" else ("highest", "lowest")
    most = attribute.ranks[2:][0 if top else 1] if len(attribute.ranks) == 4 else ""
    noun, rank = world.domain.noun, ranks[0 if top else 1]
    query = f"For which {noun} is the {label} {rank}?"
    shapes = ["{x}", "{x}.", f"The {label} is {rank} for {{x}}.",
              f"The {label} is {rank} for {{x}}, at {said(attribute.kind, best, style)}."]  # fmt: skip
    if most:
        shapes += [f"The {most} {noun} is {{x}}.", f"{{x}} is the {most} {noun}."]
    shape = rng.choice(shapes)
    others = [name for n, name in enumerate(world.names) if n != row]
    query = query if len(shape) < 5 else _open_question(world, query, rng)
    return _two(world.names[row], rng.choice(others), shape, query)


def reckoned(world: World, rng: random.Random) -> Pair | None:
    """The sum or the difference of two values, or of two others."""
    columns = [a for a, attribute in enumerate(world.attributes)
               if attribute.sums and world.column(a).count(None) <= len(world.names) - 3]  # fmt: skip
    if not columns:
        return None
    a, style = rng.choice(columns), restyled(world.style, rng)
    attribute = world.attributes[a]
    rows = [row for row, raw in enumerate(world.column(a)) if raw is not None]
    one, two, three = rng.sample(rows, 3)
    x, y, z = (float(world.cells[row][a] or 0) for row in (one, two, three))
    sums = rng.random() < 0.6
    right, wrong = (x + y, x + z) if sums else (abs(x - y), abs(x - z))
    if round(right - wrong, 2) == 0 or min(right, wrong) < 2:
        return None
    names, label = joined([world.names[one], world.names[two]]), attribute.spoken
    query = f"What is the total {label} of {names}?" if sums else (
        f"What is the difference in {label} between {names}?")  # fmt: skip
    whole = f"the {label} of {names} adds up to {{x}}." if sums else (
        f"the difference in {label} between {names} is {{x}}.")  # fmt: skip
    values = [said(attribute.kind, round(each, 2), style) for each in (right, wrong)]
    return _two(values[0], values[1], rng.choice(("{x}", "{x}.", whole, whole)), query)


def counted(world: World, rng: random.Random) -> Pair | None:
    """How many things have a property, or more of something than one of them."""
    a, rows = _full(world, rng, "bool", "num", "money"), len(world.names)
    if a is None or rows < 3:
        return None
    attribute, column = world.attributes[a], [raw for raw in world.column(a) if raw is not None]
    noun, style = world.domain.plural, restyled(world.style, rng)
    if attribute.kind.type == "bool":
        clause = rng.choice(forms(attribute, 1))
        number, one = column.count(1), clause.removeprefix("{e} ")
        if not clause.startswith("{e} ") or not 0 < number < rows:
            return None
    else:
        number = rng.randint(1, rows - 1)
        ranked = sorted(column, reverse=True)  # type: ignore[type-var]
        if ranked[number - 1] == ranked[number]:
            return None
        limit = said(attribute.kind, ranked[number], style)
        one = f"has {article(attribute.spoken)} of more than {limit}"
    wrong = rng.choice([n for n in range(1, rows) if n != number])
    query, spelled = f"How many {noun} {plural(one)}?", rng.random() < 0.6
    full = rng.choice(("", "", " of the "))
    texts = []
    for n in (number, wrong):
        word = _marked(_COUNTS[n] if spelled else str(n))
        rest = f"{full}{noun} {one if n == 1 else plural(one)}." if full else ""
        texts.append(begun(word + rest))
    return Pair(query, *texts)


def listed(world: World, rng: random.Random) -> Pair | None:
    """The things that have a property, or one that has not among them."""
    a = _full(world, rng, "bool", "cat", "person", "place")
    if a is None:
        return None
    attribute, column, raw = world.attributes[a], world.column(a), rng.choice(world.column(a))
    inside = [name for name, each in zip(world.names, column, strict=True) if each == raw]
    outside = [name for name in world.names if name not in inside]
    clause = rng.choice(forms(attribute, raw or 0))
    if len(inside) < 2 or not outside or not clause.startswith("{e} "):
        return None
    verb = clause.removeprefix("{e} ").format(v=said(attribute.kind, raw or 0, world.style))
    shown = rng.sample(inside, len(inside))
    at = rng.randrange(len(shown))
    texts = [[_marked(name) if n == at else each for n, each in enumerate(shown)]
             for name in (shown[at], rng.choice(outside))]  # fmt: skip
    shape = rng.choice((f"{{x}} {plural(verb)}.", "{x}", "{x}."))
    query = f"Which {world.domain.plural} {plural(verb)}?"
    return Pair(query, *(begun(shape.replace("{x}", joined(names))) for names in texts))


_MAKERS: dict[Maker, float] = {
    bare: 0.26, sentence: 0.20, two_facts: 0.11, silent: 0.12, yes_or_no: 0.10, which_one: 0.09,
    several: 0.05, compared: 0.12, reckoned: 0.04, counted: 0.06, listed: 0.06,
}  # fmt: skip


# Rows


def rows_of(number: int, rng: random.Random) -> Iterator[dict[str, Any]]:
    """The rows about one source."""
    others, taken = rng.choice((0, 0, 0, 1, 2)), set[str]()
    main, *distant = rng.sample(domains(), others + 1)
    world = draw_world(rng, main, taken)
    context = sources(world, [draw_world(rng, each, taken, small=True) for each in distant], rng)
    most, seen = rng.randint(8, 16), set[tuple[str, str]]()
    for _ in range(100):
        maker = rng.choices(list(_MAKERS), list(_MAKERS.values()))[0]
        if len(seen) >= most:
            break
        pair = maker(world, rng)
        if not pair or pair.right == pair.wrong:
            continue
        answers = [(pair.right, 0), (pair.wrong, 1)]
        rng.shuffle(answers)
        if pair.right is not None and rng.random() > _BOTH:
            answers = [(pair.right, 0) if rng.random() < _RIGHT else (pair.wrong, 1)]
        for text, label in answers:
            key = pair.query, (text or "").rstrip(".")
            if text is None or key in seen:
                continue
            seen.add(key)
            label3 = "entailment" if not label else (
                "neutral" if maker is silent else "contradiction")  # fmt: skip
            response, spans = unmarked(text, "neutral" if maker is silent else "conflict")
            yield {
                "id": f"made-{number}-{len(seen)}", "dataset": "made", "task": "qa",
                "query": pair.query, "context": context, "response": response, "label": label,
                "spans": spans if label else [],
                "meta": {"source_id": f"made-{number}", "kind": maker.__name__, "label3": label3},
            }  # fmt: skip


def unmarked(text: str, kind: str) -> tuple[str, list[list[Any]]]:
    """Return the answer without its marks, and the spans between them."""
    plain, spans = "", []
    for part in text.split(_OPEN):
        inside, mark, rest = part.partition(_CLOSE)
        if mark:
            spans.append([len(plain), len(plain) + len(inside), kind])
        plain += inside + rest
    return plain, spans


def made(number: int, seed: int) -> list[dict[str, Any]]:
    """Return that many rows, the same for the same seed."""
    rng = random.Random(seed)
    rows = (row for world in count(1) for row in rows_of(world, rng))
    return list(islice(rows, number))


def main() -> None:
    """Write the rows that the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in made(args.rows, args.seed))
    args.out.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
