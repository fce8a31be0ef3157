"""The slot that a fact fills, if any."""

import re

from memory.slots.types import Slot

_NAME = re.compile(r"^(?:hi,? )?(?:i am|i'm|my name is|my name's|call me) ([A-Z][\w'’-]+)", re.I)


def slot_of(fact: str) -> Slot | None:
    """The slot that the words fill and its value, or None where they name no single value."""
    name = _NAME.match(fact)
    return Slot("name", name[1].lower()) if name and name[1][0].isupper() else None
