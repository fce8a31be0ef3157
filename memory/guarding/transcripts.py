"""Detects pasted conversations."""

import re

from memory.guarding.types import Refusal

MOST_CHARACTERS = 2_000
_TURN = re.compile(
    r"^\s*(?:\[?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?\]?\s*)?[\w .'’-]{1,30}(?:\s?\(\w+\))?:\s+\S", re.M
)
_STAMPED = re.compile(r"^\s*[\[(]?\d{1,2}:\d{2}(?::\d{2})?[\])]?\s", re.M)
_NUMBER = re.compile(r"\d(?:[ .-]?\d){6,24}")
_MOST_NUMBERS = 12
_TRANSCRIPT = Refusal("transcript", "A transcript is not kept; state the fact in a sentence.")
_LONG = Refusal(
    "transcript", f"More than {MOST_CHARACTERS} characters are no statement but a text."
)
_LIST = Refusal("transcript", "A list of long numbers is no statement.", hidden=True)


def refusal(statement: str) -> Refusal | None:
    """Return the refusal of several turns or a long text, or None. Reads the whole statement."""
    if len(statement) > MOST_CHARACTERS:
        return _LONG
    if len(_NUMBER.findall(statement)) > _MOST_NUMBERS:
        return _LIST
    turns = max(len(_TURN.findall(statement)), len(_STAMPED.findall(statement)))
    return _TRANSCRIPT if turns >= 2 else None
