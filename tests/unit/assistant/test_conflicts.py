"""Limits that do not agree are found, and the strictest of them decides."""

from assistant.synthesis.conflicts import Statement, conflicts_with, stricter
from assistant.synthesis.deciding import decide

ONE = Statement(1, "Work on a scaffold stops when the wind reaches 50 km/h.", "handbook")
OTHER = Statement(2, "Work on a scaffold stops when the wind reaches 40 km/h.", "notice")
TOLD = Statement(3, "Our scaffold wind limit is 25 km/h.", "", remembered=True)
MAY = "May we work on the scaffold at 45 km/h?"


def test_two_documents_and_a_remembered_fact_disagree():
    conflicts = conflicts_with(MAY, ONE, [ONE, OTHER, TOLD])
    assert [item.words for item in conflicts] == [("50 km/h", "40 km/h"), ("50 km/h", "25 km/h")]
    assert conflicts[1].text.endswith("[3], as you told me")


def test_the_same_limit_in_other_units_and_another_matter_do_not():
    same = Statement(2, "Work on a scaffold stops when the wind reaches 13.9 m/s.", "notice")
    basket = Statement(2, "Persons are lifted only below 25 km/h.", "notice")
    assert conflicts_with(MAY, ONE, [same, basket]) == ()


def test_one_document_does_not_disagree_with_itself():
    again = Statement(1, OTHER.text, "handbook")
    assert conflicts_with(MAY, ONE, [again]) == ()


def test_the_strictest_decides():
    decisions = [decide(MAY, item.text) for item in (ONE, OTHER)]
    assert [decision.lead for decision in decisions if decision] == ["Yes", "No"]
    assert stricter(MAY, ONE.text, decisions).lead == "No"
    question = "At what wind does work on the scaffold stop?"
    figures = [decide(question, item.text) for item in (ONE, OTHER)]
    assert stricter(question, ONE.text, figures).lead == "40 km/h"
    spoil = "How far from the edge is spoil kept?"
    texts = ["Spoil is kept at least 1 metre away.", "Spoil is kept at least 2 metres away."]
    assert stricter(spoil, texts[0], [decide(spoil, text) for text in texts]).lead == "2 metres"
