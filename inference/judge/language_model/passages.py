"""Selects the parts of long sources that mention the claims, for a language model."""

import math
import re
from collections.abc import Sequence

_PARAGRAPH = re.compile(r"[^\n]+")
_WORD = re.compile(r"\w{3,}")


def fitting(
    sources: Sequence[str], claims: Sequence[str], characters: int
) -> tuple[list[str], float]:
    """Return the sources within `characters`, and the share (0-1) of them that remains.

    If they are longer, the paragraphs with most of the claims' words stay, in order; every source
    keeps its index, so that it can be cited.
    """
    total = sum(map(len, sources))
    if total <= characters:
        return list(sources), 1.0
    words = _words(" ".join(claims))
    parts = [
        (source, match.start(), match.group())
        for source, text in enumerate(sources)
        for match in _PARAGRAPH.finditer(text)
    ]
    ranked = sorted(parts, key=lambda part: (-_share(part[2], words), part[0], part[1]))
    paragraphs, length = [], 0
    for source, start, text in ranked:
        if length >= characters:
            break
        paragraphs.append((source, start, text[: characters - length]))
        length += len(text) + 1
    of_source: list[list[str]] = [[] for _ in sources]
    for source, _, text in sorted(paragraphs):
        of_source[source].append(text)
    return ["\n".join(texts) for texts in of_source], min(1.0, characters / total)


def _words(text: str) -> frozenset[str]:
    return frozenset(match.group().lower() for match in _WORD.finditer(text))


def _share(text: str, claim_words: frozenset[str]) -> float:
    """Return the density of the claims' words in a paragraph; length alone does not count."""
    return len(_words(text) & claim_words) / math.sqrt(len(text) + 200)
