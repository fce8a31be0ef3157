"""Questions about a made-up world, each with a right and a wrong answer.

A wrong answer has the same words as the right one, with the value of another row, of another
column or near the right one. Marks stand around the words that are wrong where the answer is.
"""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from tools.training.judge.worlds_facts import (
    Attribute,
    Cell,
    Raw,
    Style,
    World,
    draw,
    draw_style,
    near,
    wording,
)
from tools.training.judge.worlds_sources import article, begun, forms, joined, markdown, plural

_COUNTS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")
_OPEN, _CLOSE = "\ue000", "\ue001"
_LIMITS = ("up to", "at least", "within", "at most", "until", "the age of", "down to", "from {v}",
           "must not exceed", "on board after", "limited to")  # fmt: skip
"""Words of clauses that hold of other values too, and so of more than one thing."""
_LEADS = {"time": "At", "date": "On", "year": "In", "num": "That's", "money": "That's"}


@dataclass(frozen=True)
class Pair:
    """A question with its right and its wrong answer; no right one where the source is silent."""

    query: str
    right: str | None
    wrong: str


Maker = Callable[[World, random.Random], Pair | None]


def unmarked(text: str, kind: str) -> tuple[str, list[list[Any]]]:
    """Return the answer without its marks, and the spans between them."""
    plain, spans = "", []
    for part in text.split(_OPEN):
        inside, mark, rest = part.partition(_CLOSE)
        if mark:
            spans.append([len(plain), len(plain) + len(inside), kind])
        plain += inside + rest
    return plain, spans


def _marked(text: str) -> str:
    return f"{_OPEN}{text}{_CLOSE}"


def _shaped(query: str, shape: str, *values: str) -> Pair:
    """Return the right and the wrong value in one shape, in which they are `{x}`."""
    right, wrong = (begun(shape.replace("{x}", _marked(value))) for value in values)
    return Pair(query, right, wrong)


# Cells and wrong values


def cells(world: World, *types: str) -> list[Cell]:
    """Return the cells that have a value, of these types if any are named."""
    return [cell for cell in world.facts if not types or cell.attribute.kind.type in types]


def _cell(world: World, rng: random.Random, *types: str) -> Cell | None:
    places = cells(world, *types)
    often = [cell for cell in places if (cell.row, cell.a) in world.topics]
    pool = often if often and rng.random() < 0.7 else places
    return rng.choice(pool) if pool else None


def _column(world: World, rng: random.Random, least: int, *types: str) -> list[Cell]:
    """Return a column without gaps of at least so many rows; empty where there is none."""
    full = [
        [cell for cell in world.facts if cell.a == a]
        for a, attribute in enumerate(world.attributes)
        if attribute.kind.type in types and None not in world.column(a)
    ]
    return rng.choice(full) if full and len(world.names) >= least else []


def misread(world: World, cell: Cell, rng: random.Random) -> Raw | None:
    """Return a value that the cell does not have: of another row or column, or near it."""
    kind, right = cell.attribute.kind, cell.raw
    if kind.type == "bool":
        return 1 - int(right)
    others = [other for other in world.facts if other.raw != right]
    column = [other.raw for other in others if other.a == cell.a]
    beside = [c.raw for c in others if c.row == cell.row and c.attribute.kind.like(kind)]
    close, chance = near(kind, right, rng), rng.random()
    if beside and (chance < 0.35 or (chance < 0.88 and not column)):
        return rng.choice(beside)
    return rng.choice(column) if column and (chance < 0.88 or close is None) else close


# Words of questions and answers


def question_of(world: World, attribute: Attribute, name: str) -> str:
    """Return the question for a value, always the same."""
    rng, label = random.Random(f"{world.labels} {name} {attribute.label}"), attribute.spoken
    what = "Who" if attribute.kind.type == "person" else "What"
    if attribute.kind.type == "bool" or rng.random() < 0.6:
        return rng.choice(attribute.questions).format(e=name)
    return rng.choice((f"{what} is the {label} for {name}?", f"{begun(label)}, {name}?",
                       f"Please tell me the {label} for {name}.", f"{label} {name}",
                       f"I need to know the {label} for {name}."))  # fmt: skip


def _open_question(world: World, specific: str, rng: random.Random) -> str:
    """Return the question that a sentence answers: for its value, for an overview, or none."""
    overviews = ("What can you tell me about the", "Give me an overview of the", "What about the")
    ask = overviews[sum(map(len, world.labels)) % 3]
    overview = f"{ask} {world.domain.plural}{'.' if ask.startswith('Give') else '?'}"
    return rng.choices((specific, overview, ""), (0.45, 0.45, 0.1))[0]


def _restyled(style: Style, rng: random.Random) -> Style:
    """Return the style of an answer: that of the source, or another with the same currency."""
    return style if rng.random() < 0.65 else replace(draw_style(rng), currency=style.currency)


def _clause(attribute: Attribute, name: str, raw: Raw, style: Style, which: int) -> str:
    value = _marked(wording(attribute.kind, raw, style))
    clause = forms(attribute, raw)[which].format(e=name, v=value)
    return clause if _OPEN in clause else _marked(clause)


def _exact(attribute: Attribute, raw: Raw) -> list[str]:
    """Return the clauses that hold of one value only."""
    return [each for each in forms(attribute, raw) if not any(map(each.count, _LIMITS))]


# Values


def bare(world: World, rng: random.Random) -> Pair | None:
    """Return a question for a value and the value."""
    cell = _cell(world, rng)
    wrong = misread(world, cell, rng) if cell else None
    return _bare(world, cell, wrong, rng) if cell and wrong is not None else None


def _bare(world: World, cell: Cell, wrong: Raw, rng: random.Random) -> Pair:
    kind, style = cell.attribute.kind, _restyled(world.style, rng)
    shapes = ["{x}", "{x}."] * 4 + [f"{lead} {{x}}." for lead in [_LEADS.get(kind.type)] if lead]
    unit = kind.type != "num" or rng.random() > 0.15
    values = (wording(kind, raw, style, unit) for raw in (cell.raw, wrong))
    return _shaped(question_of(world, cell.attribute, cell.name), rng.choice(shapes), *values)


def sentence(world: World, rng: random.Random) -> Pair | None:
    """Return a question and a clause, most often in other words than the source's."""
    cell = _cell(world, rng)
    wrong = misread(world, cell, rng) if cell else None
    return _sentence(world, cell, wrong, rng) if cell and wrong is not None else None


def _sentence(world: World, cell: Cell, wrong: Raw, rng: random.Random) -> Pair:
    attribute, name, style = cell.attribute, cell.name, _restyled(world.style, rng)
    query, either = question_of(world, attribute, name), (cell.raw, wrong)
    plain, shape = attribute.kind.type != "bool", rng.randrange(4)
    if plain and shape < 2:
        values = (wording(attribute.kind, raw, style, not attribute.counts) for raw in either)
        text = (f"the {attribute.spoken} for {name} is {{x}}.", f"{name}: {attribute.label} {{x}}")
        return _shaped(_open_question(world, query, rng), text[shape], *values)
    which = rng.randrange(len(attribute.clauses))
    if cell.a >= 0 and which == world.clause[cell.a]:
        which = rng.randrange(len(attribute.clauses))
    subject_first = attribute.clauses[which].startswith("{e} ")
    subject = "it" if shape == 2 and subject_first and name.startswith("the ") else name
    clauses = [_clause(attribute, subject, raw, style, which) for raw in either]
    if not plain and query.endswith("?") and rng.random() < 0.3:
        words = ("Yes" if raw else "No" for raw in either)
        return Pair(query, *(f"{word}, {text}." for word, text in zip(words, clauses, strict=True)))
    query = query if subject == "it" else _open_question(world, query, rng)
    return Pair(query, *(f"{begun(text)}." for text in clauses))


def silent(world: World, rng: random.Random) -> Pair | None:
    """Return what the source does not say, of a thing or attribute that it lacks or of a gap."""
    (thing, missing), chance = world.absent, rng.random()
    row, a = rng.randrange(len(world.names)), rng.randrange(len(world.attributes))
    filled = {(cell.row, cell.a) for cell in world.facts}
    every = product(range(len(world.names)), range(len(world.attributes)))
    gaps = [place for place in every if place not in filled]
    name, attribute = world.names[row], missing
    if gaps and chance < 0.6:
        row, a = rng.choice(gaps)
        name, attribute = world.names[row], world.attributes[a]
    elif chance < 0.8:
        row, name, attribute = -1, thing, world.attributes[a]
    similar = [cell for cell in world.facts if cell.attribute.kind.like(attribute.kind)]
    values = [cell.raw for cell in similar if cell.row == row] or [cell.raw for cell in similar]
    raw = rng.choice(values or [draw(attribute.kind, rng)])
    tell = _bare if rng.random() < 0.55 else _sentence
    return replace(tell(world, Cell(row, -1, name, attribute, raw), raw, rng), right=None)


def which_one(world: World, rng: random.Random) -> Pair | None:
    """Return a question for the only thing that has a value, and the thing."""
    cell = _cell(world, rng)
    if not cell or world.column(cell.a).count(cell.raw) != 1:
        return None
    attribute, noun, column = cell.attribute, world.domain.noun, world.facts
    others = [each.name for each in column if each.a == cell.a and each.raw != cell.raw]
    value, clauses = (wording(attribute.kind, cell.raw, _restyled(world.style, rng)),
                      _exact(attribute, cell.raw))  # fmt: skip
    if not others or not clauses:
        return None
    clause = rng.choice(clauses).replace("{v}", value)
    query = f"For which {noun} is the {attribute.spoken} {value}?"
    if clause.startswith("{e} "):
        query = f"Which {noun} {clause.removeprefix('{e} ')}?"
    elif attribute.kind.type == "bool":
        return None
    shapes = ("{x}", "{x}.", clause.replace("{e}", "{x}") + ".")
    return _shaped(query, rng.choice(shapes), cell.name, rng.choice(others))


def yes_or_no(world: World, rng: random.Random) -> Pair | None:
    """Return yes or no, to a question for a property or whether a value is right."""
    cell = _cell(world, rng, "bool") if rng.random() < 0.6 else _cell(world, rng)
    if not cell:
        return None
    attribute, name, holds = cell.attribute, cell.name, bool(cell.raw)
    query = rng.choice(attribute.questions).format(e=name)
    if attribute.kind.type != "bool":
        holds = rng.random() < 0.5
        value, clauses = cell.raw if holds else misread(world, cell, rng), _exact(attribute, 0)
        if value is None or not clauses:
            return None
        words = wording(attribute.kind, value, _restyled(world.style, rng))
        clause = rng.choice(clauses).format(e=name, v=words)
        query = rng.choice((f"Is it true that {clause}?", f"Is it correct that {clause}?",
                            f"{begun(clause)}, right?"))  # fmt: skip
    return _shaped(query, rng.choice(("{x}", "{x}.")), *("yes", "no")[:: 1 if holds else -1])


# Several values


def two_of_one(world: World, rng: random.Random) -> Pair | None:
    """Return two values of a thing, one of them wrong."""
    cell, style = _cell(world, rng), _restyled(world.style, rng)
    beside = [c for c in world.facts if cell and c.row == cell.row and c.a != cell.a]
    wrong = misread(world, cell, rng) if cell else None
    if not cell or not beside or wrong is None:
        return None
    other, which = rng.choice(beside), rng.randrange(len(cell.attribute.clauses))
    used = (cell.attribute.clauses[which], other.attribute.clauses[0])
    if not all(each.startswith("{e} ") and ": " not in each for each in used):
        return None
    first = unmarked(_clause(other.attribute, cell.name, other.raw, style, 0), "")[0]
    facts = [_clause(cell.attribute, cell.name, raw, style, which) for raw in (cell.raw, wrong)]
    if rng.random() < 0.5:
        texts = [f"{fact} and {first.removeprefix(f'{cell.name} ')}." for fact in facts]
    else:
        texts = [f"{first} and {fact.replace(f'{cell.name} ', '', 1)}." for fact in facts]
    return Pair(_open_question(world, "", rng), *map(begun, texts))


def one_of_two(world: World, rng: random.Random) -> Pair | None:
    """Return a value of each of two things, exchanged where they are wrong."""
    cell, style, shape = _cell(world, rng), _restyled(world.style, rng), rng.randrange(3)
    mates = [c for c in world.facts if cell and c.a == cell.a and c.raw != cell.raw]
    if not cell or not mates or cell.attribute.kind.type == "bool":
        return None
    mate, clause = rng.choice(mates), rng.choice(cell.attribute.clauses)
    values = [_marked(wording(cell.attribute.kind, raw, style)) for raw in (cell.raw, mate.raw)]

    def tell(first: str, second: str) -> str:
        begin, end = clause.format(e=cell.name, v=first), clause.format(e=mate.name, v=second)
        if shape == 0 and clause.startswith("{e} "):
            both = plural(clause.removeprefix("{e} ")).format(v=f"{first} and {second}")
            return begun(f"{cell.name} and {mate.name} {both} respectively.")
        if shape == 1 and clause.startswith("{e} "):
            return begun(f"{begin}, {mate.name} {second}.")
        return begun(f"{begin}, while {end}.")

    return Pair(_open_question(world, "", rng), tell(*values), tell(*values[::-1]))


def several(world: World, rng: random.Random) -> Pair | None:
    """Return a list, a table or a record of values of a column, of which one is wrong."""
    cell, style = _cell(world, rng), _restyled(world.style, rng)
    others = [c for c in world.facts if cell and c.a == cell.a and c.row != cell.row]
    wrong = misread(world, cell, rng) if cell else None
    if not cell or not others or wrong is None or cell.attribute.kind.type == "bool":
        return None
    some = [cell, *rng.sample(others, min(len(others), rng.randint(1, 2)))]
    rng.shuffle(some)
    labels, attribute = [world.labels[each.row] for each in some], cell.attribute
    head, shape = begun(attribute.label), rng.choices(range(4), (3, 4, 1, 2))[0]

    def tell(raw: Raw) -> str:
        raws = [raw if each is cell else each.raw for each in some]
        values = [wording(attribute.kind, each, style, not attribute.counts) for each in raws]
        values[some.index(cell)] = _marked(values[some.index(cell)])
        pairs = list(zip(labels, values, strict=True))
        return (
            "\n".join(f"- {label}: {value}" for label, value in pairs),
            f"{head}: {joined([f'{label} {value}' for label, value in pairs])}.",
            markdown([[begun(world.domain.noun), head], *map(list, pairs)]),
            json.dumps(dict(pairs), ensure_ascii=False),
        )[shape]

    queries = (f"What is the {attribute.spoken} for each of these: {joined(labels)}?",
               f"{head} for {joined(labels)}?")  # fmt: skip
    return Pair(rng.choice(queries), tell(cell.raw), tell(wrong))


# What has to be worked out


def _order(attribute: Attribute) -> tuple[str, str, str, str]:
    if attribute.kind.type in ("time", "date", "year"):
        return "later", "earlier", "latest", "earliest"
    return "higher", "lower", "highest", "lowest"


def compared(world: World, rng: random.Random) -> Pair | None:
    """Return that one thing has more or less than another."""
    column = _column(world, rng, 2, "num", "money", "time", "date", "year")
    one, other = rng.sample(column, 2) if column else (None, None)
    if not one or not other or one.raw == other.raw:
        return None
    high, low, *_ = _order(one.attribute)
    words = [f"the {one.attribute.spoken} is {each} for" for each in (high, low)]
    ranked = one.attribute.ranks and rng.random() < 0.6
    more, less = one.attribute.ranks[:2] if ranked else words
    if one.raw < other.raw:  # type: ignore[operator]
        more, less = less, more
    shape = "{0} {2} {1}." if ranked else "{2} {0} than for {1}."
    query, names = _open_question(world, "", rng), (one.name, other.name)
    if rng.random() < 0.5:
        return Pair(query, *(begun(shape.format(*names, _marked(each))) for each in (more, less)))
    return Pair(query, *(begun(shape.format(*each, more)) for each in (names, names[::-1])))


def best(world: World, rng: random.Random) -> Pair | None:
    """Return the thing that has the most or the least of all."""
    column = _column(world, rng, 3, "num", "money", "time", "date", "year")
    if not column:
        return None
    attribute, top = column[0].attribute, rng.random() < 0.5
    ranked = sorted(column, key=lambda cell: cell.raw, reverse=top)
    if ranked[0].raw == ranked[1].raw:
        return None
    rank, noun, label = _order(attribute)[2 if top else 3], world.domain.noun, attribute.spoken
    value = wording(attribute.kind, ranked[0].raw, _restyled(world.style, rng))
    shapes = ["{x}", "{x}.", f"The {label} is {rank} for {{x}}.",
              f"The {label} is {rank} for {{x}}, at {value}."]  # fmt: skip
    if len(attribute.ranks) == 4 and (most := attribute.ranks[2 if top else 3]):
        shapes += [f"The {most} {noun} is {{x}}.", f"{{x}} is the {most} {noun}."]
    shape, query = rng.choice(shapes), f"For which {noun} is the {label} {rank}?"
    query = query if len(shape) < 5 else _open_question(world, query, rng)
    return _shaped(query, shape, ranked[0].name, rng.choice(ranked[1:]).name)


def reckoned(world: World, rng: random.Random) -> Pair | None:
    """Return the sum or the difference of two values, or of two others."""
    column = _column(world, rng, 3, "num", "money")
    if not column or not column[0].attribute.sums:
        return None
    one, two, three = rng.sample(column, 3)
    x, y, z = (float(cell.raw) for cell in (one, two, three))
    names, label = f"{one.name} and {two.name}", one.attribute.spoken
    if rng.random() < 0.6:
        right, wrong = x + y, x + z
        query = f"What is the total {label} of {names}?"
        whole = f"the {label} of {names} adds up to"
    else:
        right, wrong = abs(x - y), abs(x - z)
        query = f"What is the difference in {label} between {names}?"
        whole = f"the difference in {label} between {names} is"
    if round(right - wrong, 2) == 0 or min(right, wrong) < 2:
        return None
    style, kind = _restyled(world.style, rng), one.attribute.kind
    values = (wording(kind, round(each, 2), style) for each in (right, wrong))
    return _shaped(query, rng.choice(("{x}", "{x}.", f"{whole} {{x}}.")), *values)


def count_of(world: World, rng: random.Random) -> Pair | None:
    """Return how many things have a property, or more of something than one of them."""
    column, noun = _column(world, rng, 3, "bool", "num", "money"), world.domain.plural
    if not column:
        return None
    attribute = column[0].attribute
    ranked = sorted((cell.raw for cell in column), reverse=True)
    if attribute.kind.type == "bool":
        clause, number = rng.choice(forms(attribute, 1)), ranked.count(1)
        if not clause.startswith("{e} ") or not 0 < number < len(ranked):
            return None
        verb = clause.removeprefix("{e} ")
    else:
        number = rng.randint(1, len(ranked) - 1)
        if ranked[number - 1] == ranked[number]:
            return None
        limit = wording(attribute.kind, ranked[number], _restyled(world.style, rng))
        verb = f"has {article(attribute.spoken)} of more than {limit}"
    wrong = rng.choice([n for n in range(1, len(ranked)) if n != number])
    whole, spelled = rng.random() < 0.4, rng.random() < 0.6
    texts = []
    for n in (number, wrong):
        rest = f" of the {noun} {verb if n == 1 else plural(verb)}." if whole else ""
        texts.append(begun(_marked(_COUNTS[n] if spelled else str(n)) + rest))
    return Pair(f"How many {noun} {plural(verb)}?", *texts)


def list_of(world: World, rng: random.Random) -> Pair | None:
    """Return the things that have a property, or one that has not among them."""
    column = _column(world, rng, 3, "bool", "cat", "person", "place")
    if not column:
        return None
    raw, attribute = rng.choice(column).raw, column[0].attribute
    inside = [cell.name for cell in column if cell.raw == raw]
    outside = [cell.name for cell in column if cell.raw != raw]
    clause = rng.choice(forms(attribute, raw))
    if len(inside) < 2 or not outside or not clause.startswith("{e} "):
        return None
    verb = plural(clause.removeprefix("{e} ")).format(v=wording(attribute.kind, raw, world.style))
    rng.shuffle(inside)
    at = rng.randrange(len(inside))
    names = joined([*inside[1 : at + 1], "{x}", *inside[at + 1 :]])
    shape = rng.choice((f"{names} {verb}.", names, f"{names}."))
    return _shaped(f"Which {world.domain.plural} {verb}?", shape, inside[0], rng.choice(outside))


MAKERS: dict[Maker, float] = {
    bare: 0.26, sentence: 0.20, two_of_one: 0.07, one_of_two: 0.06, silent: 0.12,
    yes_or_no: 0.10, which_one: 0.09, several: 0.05, compared: 0.07, best: 0.06, reckoned: 0.06,
    count_of: 0.06, list_of: 0.07,
}  # fmt: skip
"""Shares of the kinds of questions."""
