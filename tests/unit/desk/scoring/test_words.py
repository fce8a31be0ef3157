"""The baseline by counting words."""

import pytest

from desk.scoring.words import missing_words


def test_the_worst_claim_counts() -> None:
    source = ["The tower in Paris is 330 metres tall."]
    claims = [
        "The tower is tall",
        "It was built by Gustave Eiffel",
    ]  # tower tall; built gustav eiffel
    assert missing_words(claims[:1], source) == 0
    assert missing_words(claims, source) == 1


def test_the_share_is_of_content_words() -> None:
    # tower, stand, london: of three words one is held ("standing" has the stem of "stands").
    assert missing_words(["The tower stands in London"], ["A tower."]) == pytest.approx(2 / 3)
    share = missing_words(["The tower stands in London"], ["A tower.", "Standing."])
    assert share == pytest.approx(1 / 3)


def test_ideographs_are_compared_in_pairs() -> None:
    assert missing_words(["東京都"], ["東京は大きい"]) == pytest.approx(1 / 2)


def test_nothing_said_is_nothing_missing() -> None:
    assert missing_words([], ["a"]) == 0
    assert missing_words(["the of and"], []) == 0
