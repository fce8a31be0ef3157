"""Questions put together by likeness, and named by their own words."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from desk.dashboard.trends.topics import groups, kept_ids, names


def around(*directions: int, spread: float = 0.1, width: int = 8) -> np.ndarray:
    """Return vectors near the named axes, each a little different."""
    rows = np.eye(width, dtype=np.float32)[list(directions)]
    rows[:, -1] += spread * np.arange(len(rows)) / max(len(rows), 1)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_like_questions_come_together_the_largest_group_first() -> None:
    clusters = groups(around(0, 1, 0, 1, 1, 2, 0, 1))
    assert [sorted(group) for group in clusters] == [[1, 3, 4, 7], [0, 2, 6]]


def test_too_few_are_no_topic() -> None:
    assert groups(around(0, 0, 1, 1, 2)) == []
    assert groups(np.zeros((0, 1), dtype=np.float32)) == []


@given(st.lists(st.integers(0, 5), max_size=40))
def test_no_question_is_in_two_groups_and_all_of_a_group_are_like_its_middle(directions) -> None:
    vectors = around(*directions) if directions else np.zeros((0, 8), dtype=np.float32)
    clusters = groups(vectors)
    members = [at for group in clusters for at in group]
    assert len(members) == len(set(members))
    for group in clusters:
        likeness = vectors[list(group)] @ vectors[group[0]]
        assert (likeness >= 0.55).all()


def test_names_are_the_words_that_set_a_group_apart() -> None:
    questions = [
        "How do I reset my password?", "Where can I reset passwords?", "Reset the password please",
        "How many days of parental leave do I get?", "Is parental leave paid?", "parental leave",
    ]  # fmt: skip
    word_lists = names([(0, 1, 2), (3, 4, 5)], questions)
    assert set(word_lists[0][:2]) == {"reset", "password"}
    assert set(word_lists[1][:2]) == {"parental", "leave"}


def test_a_topic_keeps_its_id_while_most_of_it_stays() -> None:
    before = {"a": 7, "b": 7, "c": 8, "d": 8, "e": 7}
    assert kept_ids([["a", "b", "c"], ["d", "x"], ["y"]], before) == [7, 8, None]


def test_one_id_is_given_once() -> None:
    before = dict.fromkeys("abcd", 7)
    assert kept_ids([["a", "b", "c"], ["d"]], before) == [7, None]
