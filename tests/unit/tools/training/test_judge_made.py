"""Made-up answers are labelled exactly, and no answer gives its label away."""

import json
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.training.judge.data import ENTAIL, NOT_ENTAILED, claims_of
from tools.training.judge.made import bare, made, misread, near, silent, unmarked, which_one
from tools.training.judge.made_worlds import (
    World,
    domains,
    draw,
    draw_style,
    draw_world,
    said,
    sources,
)

ROWS = made(3000, seed=5)
SEEDS = st.integers(0, 10_000)


def some_world(seed: int) -> tuple[World, random.Random]:
    rng = random.Random(seed)
    return draw_world(rng, rng.choice(domains()), set()), rng


def test_the_same_seed_gives_the_same_rows() -> None:
    assert made(300, seed=5) == ROWS[:300]
    assert made(300, seed=6) != ROWS[:300]


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


@given(SEEDS)
def test_a_misread_cell_is_wrong_in_words_too(seed: int) -> None:
    world, rng = some_world(seed)
    for row, cells in enumerate(world.cells):
        for a, right in enumerate(cells):
            wrong = misread(world, row, a, rng)
            kind = world.attributes[a].kind
            assert (wrong is None) or right is not None
            if right is not None and wrong is not None:
                assert wrong != right
                assert said(kind, wrong, world.style) != said(kind, right, world.style)


@given(SEEDS)
def test_a_bare_answer_is_right_only_if_the_cell_says_it(seed: int) -> None:
    world, rng = some_world(seed)
    pair = bare(world, rng)
    if pair is not None:
        right, wrong = unmarked(pair.right or "", "")[0], unmarked(pair.wrong, "")[0]
        assert right.casefold() != wrong.casefold()


@given(SEEDS)
def test_only_one_thing_answers_a_question_in_reverse(seed: int) -> None:
    world, rng = some_world(seed)
    pair = which_one(world, rng)
    if pair is not None:
        matching = [a for a in range(len(world.attributes)) for raw in world.column(a)
                    if raw is not None and world.column(a).count(raw) == 1]  # fmt: skip
        assert matching


@given(SEEDS)
def test_what_the_source_is_silent_on_has_no_right_answer(seed: int) -> None:
    world, rng = some_world(seed)
    pair = silent(world, rng)
    assert pair is not None
    assert pair.right is None
    assert world.absent[0] not in world.names
    assert world.absent[1] not in world.attributes
    text = "\n".join(sources(world, [], rng))
    assert world.absent[0] not in text


@pytest.mark.parametrize("domain", domains(), ids=lambda domain: domain.noun)
def test_near_values_differ_in_words(domain) -> None:
    rng = random.Random(domain.noun)
    for attribute in domain.attributes:
        for _ in range(20):
            raw, style = draw(attribute.kind, rng), draw_style(rng)
            other = near(attribute.kind, raw, rng)
            if other is not None:
                assert said(attribute.kind, raw, style) != said(attribute.kind, other, style)


def test_bare_values_stand_in_the_source() -> None:
    """A right figure without another style is found in the source's own words."""
    rows = [row for row in ROWS if row["meta"]["kind"] == "bare" and not row["label"]]
    found = sum(row["response"].rstrip(".").casefold() in "\n".join(row["context"]).casefold()
                for row in rows)  # fmt: skip
    assert found > len(rows) / 3
