"""Hidden characters are shown by their names; everything else stays."""

import pytest

from analysis.templatetags.visible import visible


def test_a_right_to_left_override_cannot_turn_a_number_round() -> None:
    assert visible("pay \u202e90 euros\u202c") == (
        "pay ⟨right-to-left override⟩90 euros⟨pop directional formatting⟩"
    )


@pytest.mark.parametrize("text", ["plain", "شارع ٩٠", "עברית", "😀\n\ttabs", "e\u0301", ""])
def test_ordinary_text_stays(text) -> None:
    assert visible(text) == text
