"""The draws of the judge's training, and the copied and misstated sentences among them."""

import json
import random
from itertools import islice

import pytest

from tools.training.judge.data import (
    CONTRADICT,
    ENTAIL,
    Block,
    LabelledClaim,
    blocks,
    claims_of,
    held_out,
)
from tools.training.judge.mix import deck, draws, needs_question, pooled, with_copies

SHORT, TATQA = "served/dstc9.cross.train.jsonl", "served/tatqa.train.jsonl"


def pair(n: int) -> Block:
    """Return a premise with one claim."""
    return Block((f"Premise {n}.",), "", (LabelledClaim(f"Claim {n}.", None, n % 2 * CONTRADICT),))


def test_pairs_are_pooled_and_none_is_lost() -> None:
    pairs = [pair(n) for n in range(20)]
    groups = pooled(pairs)
    assert [len(group.claims) for group in groups] == [6, 6, 6, 2]
    claims = {claim.text: claim.target for group in groups for claim in group.claims}
    assert claims == {f"Claim {n}.": CONTRADICT if n % 2 else ENTAIL for n in range(20)}
    for group in groups:
        own = [claim.text.replace("Claim", "Premise") for claim in group.claims]
        assert list(group.texts) == own
    assert pooled(pairs) == groups, "the same groups every time"


def answer(source: int) -> dict[str, object]:
    return {
        "context": [f"The fair of {source} was in Ulm."],
        "query": "Where?",
        "response": "Ulm",
        "label": 0,
        "meta": {"source_id": f"fair-{source}"},
    }


@pytest.mark.parametrize("name", [SHORT, TATQA])
def test_a_tenth_of_the_answers_is_held_out_by_source(name, tmp_path) -> None:
    rows = [answer(source) for source in range(200) for _ in range(2)]
    (tmp_path / "served").mkdir()
    (tmp_path / name).write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    trained = {block.texts for block in deck(tmp_path, name)}
    measured = {block.texts for block in blocks(tmp_path / name, held_out)}
    assert not trained & measured
    assert len(trained | measured) == 200
    assert 10 <= len(measured) <= 30


def test_the_question_is_never_left_out_where_it_alone_tells() -> None:
    block = Block(("Ann lives in Ulm, Bob in Bonn.",), "Where is Bob?", ())
    assert all(each.question for each in islice(draws({SHORT: [block]}), 60))
    assert not all(each.question for each in islice(draws({TATQA: [block]}), 60))
    assert needs_question("served/dstc9.real.train.jsonl")


def test_an_empty_deck_is_never_drawn_from() -> None:
    block = pair(1)
    assert list(islice(draws({SHORT: [], TATQA: [block]}), 5)) == [block] * 5


def test_what_a_chatbot_asks_is_no_claim() -> None:
    row = {**answer(1), "task": "dialog", "label": 1, "spans": []}
    response = "No, it was in Bonn. Anything else I can do for you?"
    (claim,) = claims_of({**row, "response": response})
    assert claim.text == "No, it was in Bonn."
    assert claim.target != ENTAIL
    assert [claim.text for claim in claims_of({**row, "response": "In Bonn?"})] == ["In Bonn?"]


BLOCK = Block(
    ("Refunds take 14 days and go to the card. Returns are free if unworn and unopened. Ask us.",),
    "How long?",
    (LabelledClaim("You get your money in two weeks.", (), ENTAIL),),
)


def test_copies_are_supported_and_changed_figures_are_not():
    random.seed(3)
    for _ in range(30):
        claims = with_copies(BLOCK, [BLOCK]).claims
        assert claims[0] == BLOCK.claims[0]
        for claim in claims[1:]:
            if claim.target == ENTAIL:
                assert claim.text.rstrip(".") in BLOCK.texts[0]
            elif claim.target == CONTRADICT:
                ((start, end),) = claim.spans
                assert claim.text[start:end] != "14"
                assert claim.text[:start] == "Refunds take "


def test_a_condition_is_never_cut_off():
    random.seed(3)
    texts = [c.text for _ in range(40) for c in with_copies(BLOCK, [BLOCK]).claims]
    assert not any(text == "Returns are free if unworn." for text in texts)
