"""One level of base64: runs that decode to readable text, with their place."""

import base64
import binascii
import re
from collections.abc import Iterator

_RUN = re.compile(r"[A-Za-z0-9+/_-]{16,}", re.ASCII)
"""One repeated set and nothing after it, so it cannot backtrack."""


def decoded(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield code points [start, end) of each base64 run and the text inside it."""
    for match in _RUN.finditer(text):
        inside = _decode(match[0])
        if inside and _readable(inside):
            yield match.start(), match.end(), inside


def _decode(run: str) -> str:
    plain = run.rstrip("=").replace("-", "+").replace("_", "/")
    plain = plain[: len(plain) - (len(plain) % 4 == 1)]
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _readable(text: str) -> bool:
    """Return whether a text is mostly letters and spaces: a sentence, not an identifier."""
    good = sum(char.isalpha() or char in " .,!?'\n" for char in text)
    return good >= 0.85 * len(text) and " " in text.strip()
