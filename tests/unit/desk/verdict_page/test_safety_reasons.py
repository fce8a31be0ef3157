"""Each reason of a safety check is said in a sentence of its own."""

import pytest

from analysis.engine.safety.model import RejectionReason
from desk.verdict_page.reasons import _ANY_SAFETY, sentence


@pytest.mark.parametrize("reason", [each for each in RejectionReason if each.value])
def test_each_reason_of_a_safety_check_has_its_sentence(reason: RejectionReason) -> None:
    message = f"add {reason.value!r} to _SAFETY in desk/verdict_page/reasons.py"
    assert sentence(f"safety_{reason.value}") != str(_ANY_SAFETY), message
