"""A bound on the size of a check as a document: what is left out of it is counted."""

import json
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

MOST_BYTES = 2_000_000
"""Of the document as JSON. What is left out stays stored and in the decision record."""
Document = dict[str, Any]


def limit_size(document: Document, most: int = MOST_BYTES) -> Document:
    """The document with `left_out`: how many signals, and how many claims, do not stand in it.

    From the last claim on, first the signals go, then the claims themselves.
    """
    claims: list[Document] = document["claims"]
    room = most - _size({**document, "claims": []})
    slim = [claim | {"signal": None} for claim in claims]
    sizes, bare = list(map(_size, claims)), list(map(_size, slim))
    fitting = _fitting(bare, room)
    spare = room - sum(bare[:fitting])
    whole = _fitting([a - b for a, b in zip(sizes, bare, strict=True)][:fitting], spare)
    left_out = {"signals": fitting - whole, "claims": len(claims) - fitting}
    return document | {"claims": claims[:whole] + slim[whole:fitting], "left_out": left_out}


def _fitting(sizes: Sequence[int], room: int) -> int:
    """How many of the first fit into the room."""
    return sum(total <= room for total in accumulate(sizes))


def _size(value: Any) -> int:
    """Bytes of JSON with what separates it from its neighbour; times and ids as text."""
    return len(json.dumps(value, ensure_ascii=False, default=str).encode(errors="replace")) + 2
