"""Limits that do not agree are found."""

from assistant.synthesis.conflicts import Statement, conflicts_with

ONE = Statement(1, "Work on a scaffold stops when the wind reaches 50 km/h.", "handbook")
OTHER = Statement(2, "Work on a scaffold stops when the wind reaches 40 km/h.", "notice")
TOLD = Statement(3, "Our scaffold wind limit is 25 km/h.", "", remembered=True)


def test_two_documents_and_a_remembered_fact_disagree():
    conflicts = conflicts_with(ONE, [ONE, OTHER, TOLD])
    assert [item.words for item in conflicts] == [("50 km/h", "40 km/h"), ("50 km/h", "25 km/h")]
    assert conflicts[1].text.endswith("[3], as remembered")


def test_the_same_limit_in_other_units_and_another_matter_do_not():
    same = Statement(2, "Work on a scaffold stops when the wind reaches 13.9 m/s.", "notice")
    basket = Statement(2, "Persons are lifted only below 25 km/h.", "notice")
    assert conflicts_with(ONE, [same, basket]) == ()


def test_one_document_does_not_disagree_with_itself():
    again = Statement(1, OTHER.text, "handbook")
    assert conflicts_with(ONE, [again]) == ()
