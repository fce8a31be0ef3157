"""Questions with the sentences of their documents, for training; words stand for a model."""

import random

import numpy as np
import pytest
import torch  # noqa: TID253

from tools.training.judge.data import ENTAIL, NEUTRAL, Block, LabelledClaim
from tools.training.judge_of_answers import data
from tools.training.judge_of_answers.train import block_of, loss_of, wording

DOCUMENT = "# Leave\n\nAnnual leave is 27 days. Sick notes are due on day four. Ask Mrs Orme first."
WORDS = ("leave", "27", "sick", "notes", "four", "orme")


def vectors(texts):
    rows = np.array([[word in text.lower() for word in WORDS] for text in texts], float)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


@pytest.fixture(autouse=True)
def _without_model(monkeypatch):
    monkeypatch.setattr(data, "embed_passages", vectors)


def row(question, answer):
    return {"query": question, "response": answer, "label": 0, "context": DOCUMENT}


def test_the_sentence_that_gives_the_answer_is_labelled():
    texts = data.sentences_of(data.texts_of(DOCUMENT))
    assert texts == [
        "Leave. Annual leave is 27 days.",
        "Leave. Sick notes are due on day four.",
        "Leave. Ask Mrs Orme first.",
    ]
    found = data.question_of(row("How long is leave?", "27 days."), texts, vectors(texts))
    assert found["labels"] == [1, 0, 0]
    unsaid = row("How long is leave?", "The notice does not say how many days of leave there are.")
    assert data.question_of(unsaid, texts, vectors(texts))["labels"] == [0, 0, 0]


def test_what_nothing_answers_for_sure_is_left_out():
    texts = data.sentences_of(data.texts_of(DOCUMENT))
    assert data.question_of(row("Who pays?", "The firm pays."), texts, vectors(texts)) is None
    assert data.question_of(row("", "27 days."), texts, vectors(texts)) is None
    assert data.question_of(row("How long?", "27 days. " * 40), texts, vectors(texts)) is None
    assert data.texts_of(['{"days": 27}']) == []


def test_what_a_reader_said_takes_the_place_of_what_words_and_vectors_say():
    texts = data.sentences_of(data.texts_of(DOCUMENT))
    found = data.question_of(row("How long is leave?", "27 days."), texts, vectors(texts))
    said = {"answers": ["Ask Mrs Orme first."], "also": [texts[0]], "near": "Who pays?"}
    read = data.with_reader(found, said)
    assert read["labels"] == [-1, 0, 1]
    assert (read["near"], "typed" in read) == ("Who pays?", False)
    assert data.with_reader(found, {"typed": ["leave?"]}) == found | {"typed": ["leave?"]}


def test_the_questions_of_a_collection_are_labelled_by_the_copied_sentences(tmp_path):
    (tmp_path / "1.md").write_text(DOCUMENT)
    (tmp_path / "questions.jsonl").write_text(
        '{"question": "Leave?", "typed": ["leave"], "answers": ["Annual leave is 27 days."],'
        ' "also": ["Ask Mrs Orme first."]}\n'
        '{"question": "Pay?", "typed": ["pay"], "answers": ["Pay is monthly."], "also": []}'
    )
    (tmp_path / "near.jsonl").write_text('{"question": "Sick pay?"}')
    leave, near = data.collection_questions(tmp_path)
    assert (leave["question"], leave["typed"], leave["labels"]) == ("Leave?", ["leave"], [1, 0, -1])
    assert (near["question"], near["labels"]) == ("Sick pay?", [0, 0, 0])


def test_a_question_is_learned_with_and_without_its_answer():
    item = {"question": "How?", "texts": ["a", "b"], "labels": [1, 0], "scores": [1.0, 0.0]}
    blocks = [block_of(item, [item], random.Random(seed)) for seed in range(40)]
    targets = {tuple((claim.text, claim.target) for claim in block.claims[:2]) for block in blocks}
    assert (("a", ENTAIL), ("b", NEUTRAL)) in targets
    assert any(block.claims[0].text == "b" for block in blocks)
    assert {block.question for block in blocks} == {"How?", "How", "how?", "how"}


def test_a_question_is_learned_in_full_and_in_a_few_words():
    full = {"question": "May we pour at 3 degrees?"}
    asked = {wording(full, random.Random(seed)) for seed in range(60)}
    full_and_few = {"May we pour at 3 degrees?", "pour 3 degrees?", "pour 3 degrees"}
    assert full_and_few <= {question for question, _ in asked}
    assert all(is_answered for _, is_answered in asked)


def test_a_question_is_learned_in_other_words_and_told_from_one_that_nothing_answers():
    item = {"question": "How?", "texts": ["a", "b"], "labels": [1, 0], "scores": [1.0, 0.0]}
    item |= {"typed": ["how so"], "near": "Why?"}
    blocks = [block_of(item, [item], random.Random(seed)) for seed in range(40)]
    assert {"how so", "Why?"} < {block.question for block in blocks}
    near = [block for block in blocks if block.question == "Why?"]
    assert {claim.target for block in near for claim in block.claims} == {NEUTRAL}


def test_the_loss_falls_as_the_answer_is_told_from_the_others():
    claims = (LabelledClaim("a", None, ENTAIL), LabelledClaim("b", None, NEUTRAL))
    block = Block((), "How?", claims)
    unsure, sure = torch.zeros(2, 3), torch.tensor([[4.0, 0, 0], [-4.0, 0, 0]])
    assert loss_of(sure, block) < loss_of(unsure, block)
    none = Block((), "How?", claims[1:])
    assert loss_of(sure[1:], none) < loss_of(unsure[1:], none)
