"""Made-up answers are labelled exactly, and no answer gives its label away."""

import json
import random
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.training.judge.data import ENTAIL, NOT_ENTAILED, claims_of
from tools.training.judge.worlds import rows_of
from tools.training.judge.worlds_answers import (
    bare,
    best,
    misread,
    question_of,
    silent,
    unmarked,
    which_one,
)
from tools.training.judge.worlds_facts import (
    Kind,
    Raw,
    Style,
    World,
    domains,
    draw,
    draw_style,
    draw_world,
    near,
    wording,
)
from tools.training.judge.worlds_sources import sources

ROWS = rows_of(3000, seed=5)
SEEDS = st.integers(0, 10_000)


def some_world(seed: int) -> tuple[World, random.Random]:
    rng = random.Random(seed)
    return draw_world(rng, rng.choice(domains()), set()), rng


def test_the_same_seed_gives_the_same_rows() -> None:
    assert rows_of(300, seed=5) == ROWS[:300]
    assert rows_of(300, seed=6) != ROWS[:300]


def test_rows_survive_json_and_have_a_question_or_a_sentence() -> None:
    for row in ROWS:
        assert json.loads(json.dumps(row)) == row
        assert row["response"].strip()
        assert "\ue000" not in json.dumps(row, ensure_ascii=False)
        assert "{" not in row["query"]
        assert row["meta"]["label3"] == "entailment" or row["label"] == 1


def test_half_of_the_rows_are_wrong_and_every_domain_occurs() -> None:
    assert 0.45 < sum(row["label"] for row in ROWS) / len(ROWS) < 0.55
    assert len(domains()) >= 25
    by_source = Counter(row["meta"]["source_id"] for row in ROWS)
    assert max(by_source.values()) <= 17
    assert len({row["id"] for row in ROWS}) == len(ROWS)


def test_no_question_has_the_same_answer_right_and_wrong() -> None:
    labels: dict[tuple[str, str, str], int] = {}
    for row in ROWS:
        key = row["meta"]["source_id"], row["query"], row["response"].rstrip(".")
        assert labels.setdefault(key, row["label"]) == row["label"], row


def test_spans_are_the_wrong_words_and_claims_are_labelled() -> None:
    for row in ROWS:
        assert all(0 <= a < b <= len(row["response"]) for a, b, _ in row["spans"])
        targets = [claim.target for claim in claims_of(row)]
        assert targets
        assert NOT_ENTAILED not in targets
        assert any(target != ENTAIL for target in targets) == bool(row["label"])


def all_words(kind: Kind, raw: Raw) -> set[str]:
    """Return the value in every style, with and without its unit."""
    styles = [
        Style(currency, money, cents, clock12, dates, long_units, commas)
        for currency in range(3)
        for money in range(4)
        for cents in (False, True)
        for clock12 in (False, True)
        for dates in range(4)
        for long_units in (False, True)
        for commas in (False, True)
    ]
    return {
        wording(kind, raw, style, unit).casefold() for style in styles for unit in (True, False)
    }


def longest_name(world: World, text: str | None) -> str:
    """Return the thing that an answer names; "line 3" also begins "line 35"."""
    return max((name for name in world.names if name.casefold() in plain(text)), key=len)


def plain(text: str | None) -> str:
    return unmarked(text or "", "")[0].rstrip(".").casefold()


@given(SEEDS)
def test_a_misread_cell_is_wrong_in_words_too(seed: int) -> None:
    world, rng = some_world(seed)
    for cell in world.facts:
        wrong = misread(world, cell, rng)
        if wrong is not None:
            assert wrong != cell.raw
            words = (wording(cell.attribute.kind, raw, world.style) for raw in (wrong, cell.raw))
            assert len(set(words)) == 2


@settings(deadline=None)
@given(SEEDS)
def test_a_bare_answer_is_right_if_and_only_if_the_cell_that_is_asked_for_says_it(
    seed: int,
) -> None:
    world, rng = some_world(seed)
    pair = bare(world, rng)
    if pair is None:
        return
    [cell] = [c for c in world.facts if question_of(world, c.attribute, c.name) == pair.query]
    words = all_words(cell.attribute.kind, cell.raw)
    right, wrong = (
        {plain(text), plain(text).removeprefix("that's "), re.sub("^(at|on|in) ", "", plain(text))}
        for text in (pair.right, pair.wrong)
    )
    assert right & words
    assert not wrong & words


@settings(deadline=None)
@given(SEEDS)
def test_one_thing_alone_has_what_a_reverse_question_asks_for(seed: int) -> None:
    world, rng = some_world(seed)
    pair = which_one(world, rng)
    if pair is None:
        return
    name = longest_name(world, pair.right)
    row = world.names.index(name)
    fits = [
        cell
        for cell in world.facts
        if cell.row == row and world.column(cell.a).count(cell.raw) == 1
        if cell.attribute.kind.type == "bool"
        or any(word in pair.query.casefold() for word in all_words(cell.attribute.kind, cell.raw))
    ]
    assert fits
    assert longest_name(world, pair.wrong) != name


@given(SEEDS)
def test_counts_and_extremes_are_those_of_the_column(seed: int) -> None:
    world, rng = some_world(seed)
    pair = best(world, rng)
    if pair is None:
        return
    [row] = [n for n, name in enumerate(world.names) if ends(plain(pair.right), name)]
    [other] = [n for n, name in enumerate(world.names) if ends(plain(pair.wrong), name)]
    columns = [world.column(a) for a in range(len(world.attributes)) if None not in world.column(a)]
    assert any(
        pick(column) == column[row] != column[other] and column.count(column[row]) == 1
        for column in columns
        for pick in (max, min)
        if not isinstance(column[0], str)
    )


def ends(text: str, name: str) -> bool:
    """Return whether the text names the thing, and not one whose name goes on."""
    return re.search(rf"{re.escape(name.casefold())}(?! ?\w)|{re.escape(name.casefold())} is the ",
                     text) is not None  # fmt: skip


@given(SEEDS)
def test_what_the_source_is_silent_on_has_no_right_answer(seed: int) -> None:
    world, rng = some_world(seed)
    pair = silent(world, rng)
    assert pair is not None
    assert pair.right is None
    assert world.absent[0] not in world.names
    assert world.absent[1] not in world.attributes
    text = "\n".join(sources(world, [], rng))
    assert not re.search(rf"\b{re.escape(world.absent[0])}\b", text)


@pytest.mark.parametrize("domain", domains(), ids=lambda domain: domain.noun)
def test_near_values_differ_in_words(domain) -> None:
    rng = random.Random(domain.noun)
    for attribute in domain.attributes:
        for _ in range(20):
            raw, style = draw(attribute.kind, rng), draw_style(rng)
            other = near(attribute.kind, raw, rng)
            if other is not None:
                assert wording(attribute.kind, raw, style) != wording(attribute.kind, other, style)


def test_bare_values_stand_in_the_source() -> None:
    """A right figure without another style is found in the source's own words."""
    rows = [row for row in ROWS if row["meta"]["kind"] == "bare" and not row["label"]]
    found = sum(row["response"].rstrip(".").casefold() in "\n".join(row["context"]).casefold()
                for row in rows)  # fmt: skip
    assert found > len(rows) / 3
