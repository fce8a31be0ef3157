"""The sentences of what a manager said."""

import re

from text.sentences import sentences

# sentencex takes the "h." of "25 km/h. The crane" for an initial and goes on.
_AFTER_UNIT = re.compile(r"(?<=/[hs]\.)\s+(?=[A-Z])")


def split(statement: str) -> list[str]:
    """The sentences, without the spaces between them."""
    found = (statement[one.start : one.end] for one in sentences(statement))
    parts = (part.strip() for sentence in found for part in _AFTER_UNIT.split(sentence))
    return [part for part in parts if part]
