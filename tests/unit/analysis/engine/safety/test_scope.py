"""Only a question that plainly asks for another class or subject leaves the scope."""

import pytest

from analysis.engine.safety.scope import (
    Scope,
    asked_scope,
    fits,
    given_scope,
    searched_scope,
    words_of,
)

MATHS = Scope(10, "Mathematics")
SCIENCE = Scope(10, "Science")


@pytest.mark.parametrize(
    ("query", "scope"),
    [
        ("What is inertia for class 12?", Scope(12)),
        ("Explain the class 12 physics syllabus", Scope(12, "physics")),
        ("What does the 9th grade textbook say?", Scope(9)),
        ("What is taught in class XI?", Scope(11)),
        ("In chemistry, what is a mole?", Scope(None, "chemistry")),
        ("Help me with my biology homework", Scope(None, "biology")),
        ("What comes in the social science exam?", Scope(None, "social science")),
        # Not plainly: a lever, a use, an idiom, two classes, two subjects.
        ("What is a class 2 lever?", Scope()),
        ("How are vectors used in physics?", Scope()),
        ("Who was the greatest mathematician in history?", Scope()),
        ("Is class 9 maths harder than for class 10?", Scope(None, "mathematics")),
        ("Is the maths exam harder than the physics exam?", Scope()),
        ("What is an arithmetic progression?", Scope()),
        ("", Scope()),
    ],
)
def test_what_a_question_names_as_its_own(query, scope):
    assert asked_scope(query) == scope


@pytest.mark.parametrize(
    ("requested", "collection_scope", "fitting"),
    [
        (Scope(), MATHS, True),
        (Scope(12), MATHS, False),
        (Scope(10), MATHS, True),
        (Scope(12), Scope(None, "Mathematics"), True),
        (Scope(None, "maths"), MATHS, True),
        (Scope(None, "physics"), MATHS, False),
        (Scope(None, "physics"), SCIENCE, True),
        (Scope(None, "science"), Scope(10, "Physics"), True),
        (Scope(None, "science"), Scope(10, "Social Science"), False),
        (Scope(None, "history"), Scope(10, "Social Science"), True),
        (Scope(None, "Crane safety"), Scope(None, "Safety"), True),
        (Scope(None, "Payroll"), Scope(None, "Safety"), False),
        (Scope(12, "physics"), Scope(), True),
    ],
)
def test_fitting(requested, collection_scope, fitting):
    assert fits(requested, collection_scope) is fitting


@pytest.mark.parametrize(
    ("scopes", "words"),
    [
        ([MATHS], "the class 10 Mathematics material"),
        ([MATHS, MATHS], "the class 10 Mathematics material"),
        ([Scope(9)], "the class 9 material"),
        ([Scope(None, "Safety")], "the Safety material"),
        ([SCIENCE, MATHS], "the class 10 Science and class 10 Mathematics material"),
        ([SCIENCE, Scope()], ""),
        ([Scope(n) for n in range(4)], ""),
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
    many = searched_scope("What is it for class 12?", {}, [Scope(n) for n in range(5)])
    assert many.outside == "the searched collections (it asks for class 12)"


def test_one_collection_that_fits_is_enough_and_none_searched_is_no_scope():
    assert searched_scope("What is it for class 9?", {}, [MATHS, Scope(9)]).outside == ""
    assert searched_scope("What is it for class 9?", {}, []) is None


@pytest.mark.parametrize(
    ("document", "scope"),
    [
        ({"class_number": 10, "subject": " Maths "}, Scope(10, "Maths")),
        ({"class": "10"}, Scope(10)),
        ({"class_number": True, "subject": 3}, Scope()),
        ({"region": "north"}, Scope()),
    ],
)
def test_a_clients_scope(document, scope):
    assert given_scope(document) == scope
