"""Rows as the product hands them to a judge."""

from tools.training.judge.data import CONTRADICT, ENTAIL
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


def test_a_bare_answer_is_learned_with_its_question() -> None:
    question = "When was the line electrified?"
    (block,) = served_blocks([row(question, "1936", 0, []), row(question, "1891", 1, [])])
    assert block["query"] == question
    claims = [(claim["text"], claim["target"]) for claim in block["claims"]]
    assert claims == [("1936", ENTAIL), ("1891", CONTRADICT)]


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
