"""Rows as the product hands them to a judge, and differences of weights packed in few bits."""

import numpy as np
import pytest

from inference.judge.parameters import GROUP, expand_nibbles
from tools.training.judge.data import CONTRADICT, ENTAIL
from tools.training.judge.pack import to_nibbles
from tools.training.judge.served import served_blocks

CONTEXT = ["The line opened in 1874. The company bought it in 1891 and electrified it in 1936."]


def row(query: str, response: str, label: int, spans: list[list[object]]) -> dict[str, object]:
    return {
        "context": CONTEXT,
        "query": query,
        "response": response,
        "label": label,
        "spans": spans,
        "meta": {"source_id": "line", "label3": "contradiction" if label else "entailment"},
    }


def test_a_bare_answer_is_learned_behind_its_question() -> None:
    question = "When was the line electrified?"
    (block,) = served_blocks([row(question, "1936", 0, []), row(question, "1891", 1, [])])
    assert block["query"] == ""
    claims = [(claim["text"], claim["target"]) for claim in block["claims"]]
    assert claims == [(f"{question} 1936", ENTAIL), (f"{question} 1891", CONTRADICT)]


def test_yes_is_learned_as_the_statement_that_it_makes() -> None:
    (block,) = served_blocks([row("Did the line open in 1874?", "Yes.", 0, [])])
    (claim,) = block["claims"]
    assert claim["text"] == "The line open in 1874."
    assert block["query"] == ""


def test_marked_words_keep_their_places() -> None:
    (block,) = served_blocks([row("When did the line open?", "1891", 1, [[0, 4, "conflict"]])])
    (claim,) = block["claims"]
    ((start, end),) = claim["spans"]
    assert claim["text"][start:end] == "1891"


def test_a_sentence_that_leans_on_its_question_is_learned_with_it() -> None:
    response = "It was bought by the company in 1891."
    (block,) = served_blocks([row("What happened to the line?", response, 0, [])])
    assert block["query"] == "What happened to the line?"
    assert block["claims"][0]["text"] == response


def test_four_bits_err_by_at_most_half_a_step():
    change = np.random.default_rng(0).normal(0, 0.01, (8, 4 * GROUP)).astype(np.float32)
    packed, scales = to_nibbles(change)
    assert packed.nbytes == change.size // 2
    error = np.abs(expand_nibbles(packed, scales) - change).reshape(8, 4, GROUP)
    largest = np.abs(change).reshape(8, 4, GROUP).max(axis=-1)
    assert (error.max(axis=-1) <= largest / 14 * 1.01).all()


def test_nothing_changed_stays_nothing():
    packed, scales = to_nibbles(np.zeros((2, GROUP), np.float32))
    assert expand_nibbles(packed, scales) == pytest.approx(0, abs=1e-6)
