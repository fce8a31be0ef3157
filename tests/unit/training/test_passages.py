import json
import random

from training.answers import edited, trains
from training.examples import Label
from training.generate.facts import of_record
from training.generate.invent import invented
from training.generate.passages import of_document
from training.generate.restate import restate, time_last, with_possessive
from training.generate.sentences import bank

TEXT = (
    "In 1998, the harbour of Bergen was closed for repairs by the council. "
    "Anna Lind, who led the council, said that 14 ferries were moved to Oslo. "
    "The repairs cost 3.5 million kroner and took nine months. "
    "However, most fishermen were not paid for the time that they lost. "
    "The new quay has cranes, lamps, and benches along the old wall."
)
LENT = bank(
    [["Ravi Mehta built a kiln near the old mill in Pune during the winter."]], random.Random(1)
)


def examples(count: int = 300):
    return list(of_document([TEXT], LENT, count, random.Random(4)))


def test_examples_of_all_labels_come_from_one_document():
    assert {example.label for example in examples()} == set(Label)


def test_what_is_entailed_has_no_marks_and_what_is_changed_has():
    for example in examples():
        if example.label is Label.ENTAIL:
            assert example.spans == ()
        elif example.kind != "passages/removed":
            assert example.spans
            assert all(example.claim[a:b].strip() for a, b in example.spans)


def test_the_evidence_of_a_removed_sentence_is_gone():
    for example in examples():
        if example.kind == "passages/removed":
            assert example.claim.rstrip(".") not in example.window


def test_restating_keeps_names_and_figures():
    for seed in range(50):
        sentence = restate("Anna Lind moved 14 ferries from Bergen to Oslo", random.Random(seed))
        assert "Anna Lind" in sentence
        assert "14" in sentence or "fourteen" in sentence


def test_ways_of_saying_it_again():
    chance = random.Random(0)
    assert time_last("In 1998, it was closed", chance) == "It was closed in 1998"
    assert with_possessive("Look at the harbour of Bergen", chance) == "Look at Bergen's harbour"


def test_records_give_marked_falsehoods():
    text = invented(random.Random(3))
    records = list(of_record(text, 200, random.Random(5)))
    assert {example.label for example in records} == {
        Label.ENTAIL,
        Label.NEUTRAL,
        Label.CONTRADICT,
    }
    for example in records:
        assert (example.label is Label.ENTAIL) == (not example.spans)


def test_invented_records_are_json_with_an_inner_object():
    for seed in range(20):
        data = json.loads(invented(random.Random(seed)))
        assert any(isinstance(value, dict) for value in data.values())


def test_an_edited_summary_is_marked_where_it_differs():
    original, changed = "Ned asks Tom for a crib.", "Ned asks Tina for a crib."
    [(a, b)] = edited(original, changed)
    assert changed[a:b] == "Tina"
    assert edited(original, original) is None


def test_a_row_trains_or_reports_never_both():
    from scoring.split import split_of

    rows = [{"context": [f"text {at}"]} for at in range(400)]
    assert not any(trains(row) for row in rows if split_of(row) == "report")
    assert 90 < sum(trains(row) for row in rows) < 190
