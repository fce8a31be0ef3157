"""A made-up world as sources: prose, tables, records, lists, and mixtures of them."""

import csv
import io
import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

from tools.training.judge.worlds_facts import MONEY, Attribute, Raw, World, wording

_PLURAL = {"is": "are", "has": "have", "was": "were", "does": "do", "goes": "go",
           "carries": "carry"}  # fmt: skip

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
    """Return the source's clause for a value without its subject; None if that is not first."""
    clause = forms(world.attributes[a], raw)[world.clause[a]]
    return clause.removeprefix("{e} ") if clause.startswith("{e} ") else None


def _facts(world: World, a: int, rows: Sequence[int]) -> list[tuple[str, Raw]]:
    pairs = [(world.names[row], world.cells[row][a]) for row in rows]
    return [(name, raw) for name, raw in pairs if raw is not None]


def _clause(world: World, a: int, name: str, raw: Raw) -> str:
    attribute = world.attributes[a]
    clause = forms(attribute, raw)[world.clause[a]]
    return clause.format(e=name, v=wording(attribute.kind, raw, world.style))


def _prose(world: World, rows: Sequence[int], columns: Sequence[int], rng: random.Random) -> str:
    """Return sentences of one to three facts: some gather a column, the others a row."""
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
    attribute, facts = world.attributes[a], _facts(world, a, rows)
    if attribute.kind.type == "bool":
        return _by_answer(world, a, facts, rng)
    texts = []
    while facts:
        some, facts = facts[: (size := rng.randint(1, 3))], facts[size:]
        predicate = predicates(world, a, some[0][1])
        values = [wording(attribute.kind, raw, world.style) for _, raw in some]
        if len(some) > 1 and predicate and rng.random() < 0.5 and "," not in "".join(values):
            together = plural(predicate).format(v=joined(values))
            text = f"{joined([name for name, _ in some])} {together} respectively"
        elif len(some) > 1:
            unit = attribute.kind.type != "num" or rng.random() < 0.6
            others = [
                f"{name} {wording(attribute.kind, raw, world.style, unit)}" for name, raw in some
            ]
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
    world: World, a: int, facts: Sequence[tuple[str, Raw]], rng: random.Random
) -> list[str]:
    groups = {raw: [name for name, each in facts if each == raw] for raw in (1, 0)}
    words = {raw: predicates(world, a, raw) for raw in groups}
    if not (words[1] and words[0]) or not all(groups.values()):
        return [begun(_clause(world, a, name, raw)) + "." for name, raw in facts]
    said_of = {raw: f"{joined(names)} {plural(str(words[raw])) if len(names) > 1 else words[raw]}"
               for raw, names in groups.items()}  # fmt: skip
    one, other = rng.sample((1, 0), 2)
    complete = len(facts) == len(world.names)
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
    return empty if raw is None else wording(world.attributes[a].kind, raw, world.style, unit)


def _grid(world: World, rows: Sequence[int], columns: Sequence[int], rng: random.Random
          ) -> list[list[str]]:  # fmt: skip
    """Return head and rows as cells; units are in the head or in the cells."""
    in_head, empty = rng.random() < 0.5, rng.choice(("–", "-", "n/a", "", "?"))
    head = [begun(world.domain.noun)]
    for a in columns:
        attribute = world.attributes[a]
        unit = (MONEY[world.style.currency][world.style.money % 3]
                if attribute.kind.type == "money" else attribute.kind.unit)  # fmt: skip
        has_unit = in_head and unit and not attribute.counts
        head.append(begun(attribute.label) + (f" ({unit})" if has_unit else ""))
    cells = [[_cell(world, row, a, not in_head, empty) for a in columns] for row in rows]
    return [head, *([world.labels[row], *line] for row, line in zip(rows, cells, strict=True))]


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
        return (int(raw) if float(raw).is_integer() else raw) if plain else wording(
            kind, raw, world.style)  # fmt: skip

    def key(a: int) -> str:
        attribute, kind = world.attributes[a], world.attributes[a].kind
        unit = MONEY[world.style.currency][2] if kind.type == "money" else kind.unit
        added = f"_{unit.lower()}" if in_key and unit and not attribute.counts else ""
        return re.sub(r"[ -]", "_", attribute.label) + added

    in_key, indent = rng.random() < 0.5, rng.choice((None, 1, 2))
    records = {world.labels[row]: {key(a): value(row, a) for a in columns} for row in rows}
    data: Any = records
    if rng.random() < 0.6:
        data = [{"name": label, **record} for label, record in records.items()]
    wrapper = {world.domain.plural.replace(" ", "_"): data}
    return json.dumps(wrapper, ensure_ascii=False, indent=indent)


def _lines(world: World, rows: Sequence[int], columns: Sequence[int], rng: random.Random) -> str:
    """Return rows as "label: value" in blocks, lines or bullets under a heading or a lead-in."""
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
    """Return a list of clauses for each row."""
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
