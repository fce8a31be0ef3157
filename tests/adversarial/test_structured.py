"""A right answer that is data is allowed, whatever its form; a wrong value never is."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from analysis.engine import Action
from tests.answers import decided

Rows = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Values of one property by what they are of; `wrong` has a value that no source gives.

    `sources` say the same in prose, as CSV, and as a table of Markdown.
    """

    name: str
    value: str
    right: Rows
    wrong: Rows
    prose: str

    @property
    def has_figures(self) -> bool:
        """True if the values are figures."""
        return self.right[0][1][0].isdigit()

    @property
    def swapped(self) -> Rows:
        """The right values, each given to the next thing."""
        names = [name for name, _ in self.right]
        values = [value for _, value in self.right]
        return tuple(zip(names, [*values[1:], values[0]], strict=True))

    @property
    def sources(self) -> tuple[str, ...]:
        """The same facts in three forms."""
        return self.prose, as_csv(self, self.right), as_markdown(self, self.right)


def as_csv(facts: Facts, rows: Rows) -> str:
    return "\n".join(",".join(row) for row in ((facts.name, facts.value), *rows))


def as_tsv(facts: Facts, rows: Rows) -> str:
    return "\n".join("\t".join(row) for row in ((facts.name, facts.value), *rows))


def as_semicolons(facts: Facts, rows: Rows) -> str:
    """Return values between semicolons, inside a code fence."""
    text = "\n".join(";".join(row) for row in ((facts.name, facts.value), *rows))
    return f"```csv\n{text}\n```"


def as_markdown(facts: Facts, rows: Rows) -> str:
    head = f"| {facts.name} | {facts.value} |\n|---|---|\n"
    return head + "\n".join(f"| {name} | {value} |" for name, value in rows)


def as_records(facts: Facts, rows: Rows) -> str:
    """Return a JSON array of objects."""
    return json.dumps([{facts.name: name, facts.value: value} for name, value in rows])


def as_fenced_records(facts: Facts, rows: Rows) -> str:
    """Return the same, indented and inside a code fence."""
    records = [{facts.name: name, facts.value: value} for name, value in rows]
    return f"```json\n{json.dumps(records, indent=2)}\n```"


def as_nested(facts: Facts, rows: Rows) -> str:
    """Return JSON objects inside each other."""
    return json.dumps({"result": {name: {facts.value: value} for name, value in rows}})


def as_object(facts: Facts, rows: Rows) -> str:
    """Return one JSON object by name."""
    return json.dumps(dict(rows))


def as_lines(facts: Facts, rows: Rows) -> str:
    """Return lines of "name: value"."""
    return "\n".join(f"{name}: {value}" for name, value in rows)


def as_yaml(facts: Facts, rows: Rows) -> str:
    return "\n".join(f"- {facts.name}: {name}\n  {facts.value}: {value}" for name, value in rows)


def as_html(facts: Facts, rows: Rows) -> str:
    head = f"<tr><th>{facts.name}</th><th>{facts.value}</th></tr>"
    body = "".join(f"<tr><td>{name}</td><td>{value}</td></tr>" for name, value in rows)
    return f"<table>\n{head}\n{body}\n</table>"


FORMS = (
    as_csv, as_tsv, as_semicolons, as_markdown, as_records, as_fenced_records, as_nested, as_object,
    as_lines, as_yaml, as_html,
)  # fmt: skip
_IN_ROWS = (as_csv, as_tsv, as_semicolons, as_markdown, as_object, as_lines, as_html)
FACTS = (
    Facts(
        "plan",
        "price",
        (("Basic", "9 euros"), ("Pro", "19 euros"), ("Team", "49 euros")),
        (("Basic", "9 euros"), ("Pro", "29 euros"), ("Team", "49 euros")),
        "The Basic plan costs 9 euros a month. The Pro plan costs 19 euros a month. The price of "
        "the Team plan is 49 euros a month.",
    ),
    Facts(
        "country",
        "capital",
        (("France", "Paris"), ("Norway", "Oslo"), ("Japan", "Tokyo")),
        (("France", "Lyon"), ("Norway", "Bergen"), ("Japan", "Osaka")),
        "Paris is the capital of France. The capital of Norway is Oslo. Japan is an island state "
        "whose capital is Tokyo.",
    ),
    Facts(
        "bridge",
        "opened",
        (("Harbour Bridge", "1964"), ("Mill Bridge", "1987"), ("Old Bridge", "1902")),
        (("Harbour Bridge", "1964"), ("Mill Bridge", "1978"), ("Old Bridge", "1902")),
        "Harbour Bridge opened in 1964. Mill Bridge opened in 1987 and has two lanes. Old Bridge "
        "opened in 1902.",
    ),
)


@dataclass(frozen=True, slots=True)
class StructuredCase:
    """An answer in a form, its source, and whether its values are right."""

    name: str
    answer: str
    source: str
    right: bool


def cases() -> Iterator[StructuredCase]:
    """Yield every form of every set of values, against every form of the source.

    Names that are no figures are held against tables alone: of prose, a judge has to tell.
    """
    for facts in FACTS:
        for at, source in enumerate(facts.sources):
            for form in FORMS:
                name = f"{facts.name}-{form.__name__}-{at}"
                yield StructuredCase(name, form(facts, facts.right), source, True)
                if facts.has_figures or (at and form in _IN_ROWS):
                    yield StructuredCase(f"{name}-wrong", form(facts, facts.wrong), source, False)
                    swapped = form(facts, facts.swapped)
                    yield StructuredCase(f"{name}-swapped", swapped, source, False)


CASES = tuple(cases())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_value_is_held_against_what_the_source_says_of_the_same_thing(case) -> None:
    assert (decided(case.answer, case.source).action is Action.ALLOW) is case.right
