"""Only a question that plainly asks for another class or subject leaves the scope."""

import pytest

from analysis.engine.safety.scope import (
    SearchScope,
    asked_scope,
    fits,
    given_scope,
    searched_scope,
    words_of,
)

MATHS = SearchScope(10, "Mathematics")
SCIENCE = SearchScope(10, "Science")


@pytest.mark.parametrize(
    ("query", "scope"),
    [
        ("What is inertia for class 12?", SearchScope(12)),
        ("Explain the class 12 physics syllabus", SearchScope(12, "physics")),
        ("What does the 9th grade textbook say?", SearchScope(9)),
        ("What is taught in class XI?", SearchScope(11)),
        ("In chemistry, what is a mole?", SearchScope(None, "chemistry")),
        ("Help me with my biology homework", SearchScope(None, "biology")),
        ("What comes in the social science exam?", SearchScope(None, "social science")),
        # Not plainly: a lever, a use, an idiom, two classes, two subjects.
        ("What is a class 2 lever?", SearchScope()),
        ("How are vectors used in physics?", SearchScope()),
        ("Who was the greatest mathematician in history?", SearchScope()),
        ("Is class 9 maths harder than for class 10?", SearchScope(None, "mathematics")),
        ("Is the maths exam harder than the physics exam?", SearchScope()),
        ("What is an arithmetic progression?", SearchScope()),
        ("", SearchScope()),
    ],
)
def test_what_a_question_names_as_its_own(query, scope):
    assert asked_scope(query) == scope


@pytest.mark.parametrize(
    ("requested", "collection_scope", "fitting"),
    [
        (SearchScope(), MATHS, True),
        (SearchScope(12), MATHS, False),
        (SearchScope(10), MATHS, True),
        (SearchScope(12), SearchScope(None, "Mathematics"), True),
        (SearchScope(None, "maths"), MATHS, True),
        (SearchScope(None, "physics"), MATHS, False),
        (SearchScope(None, "physics"), SCIENCE, True),
        (SearchScope(None, "science"), SearchScope(10, "Physics"), True),
        (SearchScope(None, "science"), SearchScope(10, "Social Science"), False),
        (SearchScope(None, "history"), SearchScope(10, "Social Science"), True),
        (SearchScope(None, "Crane safety"), SearchScope(None, "Safety"), True),
        (SearchScope(None, "Payroll"), SearchScope(None, "Safety"), False),
        (SearchScope(12, "physics"), SearchScope(), True),
    ],
)
def test_fitting(requested, collection_scope, fitting):
    assert fits(requested, collection_scope) is fitting


@pytest.mark.parametrize(
    ("scopes", "words"),
    [
        ([MATHS], "the class 10 Mathematics material"),
        ([MATHS, MATHS], "the class 10 Mathematics material"),
        ([SearchScope(9)], "the class 9 material"),
        ([SearchScope(None, "Safety")], "the Safety material"),
        ([SCIENCE, MATHS], "the class 10 Science and class 10 Mathematics material"),
        ([SCIENCE, SearchScope()], ""),
        ([SearchScope(n) for n in range(4)], ""),
    ],
)
def test_words(scopes, words):
    assert words_of(scopes) == words


def test_a_question_of_another_class_or_subject_is_outside():
    of_question = searched_scope("What is inertia in class 12?", {}, [MATHS])
    assert of_question.outside == "the class 10 Mathematics material (it asks for class 12)"
    of_client = searched_scope(
        "What is inertia?", {"class_number": 10, "subject": "Physics"}, [MATHS]
    )
    assert of_client.outside.endswith("(it asks for class 10 Physics)")
    many = searched_scope("What is it for class 12?", {}, [SearchScope(n) for n in range(5)])
    assert many.outside == "the searched collections (it asks for class 12)"


def test_one_collection_that_fits_is_enough_and_none_searched_is_no_scope():
    assert searched_scope("What is it for class 9?", {}, [MATHS, SearchScope(9)]).outside == ""
    assert searched_scope("What is it for class 9?", {}, []) is None


@pytest.mark.parametrize(
    ("document", "scope"),
    [
        ({"class_number": 10, "subject": " Maths "}, SearchScope(10, "Maths")),
        ({"class": "10"}, SearchScope(10)),
        ({"class_number": True, "subject": 3}, SearchScope()),
        ({"region": "north"}, SearchScope()),
    ],
)
def test_a_clients_scope(document, scope):
    assert given_scope(document) == scope
