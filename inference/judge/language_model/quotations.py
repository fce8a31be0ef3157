"""Finds a language model's quotations in the sources: only what is found counts."""

import re
from collections.abc import Sequence

from inference.judge.types import EvidenceWindow
from lib.text.stems import stem
from lib.text.words import STOPWORDS

_LEAST_WORDS = 2
"""A single word stands almost anywhere and proves nothing; a figure or a field may be one."""
_WORD = re.compile(r"\w+")
_GAPS = re.compile(r"\s+")
_WIDEST = 24
"""White space between two words of a quotation: a wider gap is a passage that was taken out."""
_GAP = rf"\s{{1,{_WIDEST}}}"
_ALIKE = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-", "—": "-",
                        "‑": "-", "\u00a0": " "})  # fmt: skip
"""Characters that models write for one another."""


def find(quotation: str, sources: Sequence[str], claim: str) -> EvidenceWindow | None:
    """Return the code points of a quotation in a source, or None if no source has it.

    None also if it shares no content word with the claim. White space and typographic quotation
    marks and dashes may differ, letters and digits may not. Text that is no evidence is blank in a
    source, and no quotation spans it.
    """
    words = _GAPS.split(quotation.translate(_ALIKE).strip())
    if not _proves_something(words) or _content(quotation).isdisjoint(_content(claim)):
        return None
    pattern = re.compile(r"(?<!\w)" + _GAP.join(map(re.escape, words)) + r"(?!\w)", re.I)
    for source, text in enumerate(sources):
        match = pattern.search(text.translate(_ALIKE))
        if match:
            return EvidenceWindow(source, match.start(), match.end(), 1.0)
    return None


def _content(text: str) -> frozenset[str]:
    """Return the stems of content words, and the figures."""
    words = map(str.lower, _WORD.findall(text))
    return frozenset(stem(word) for word in words if word not in STOPWORDS)


def _proves_something(words: Sequence[str]) -> bool:
    text = "".join(words)
    if not any(map(str.isalnum, text)):
        return False
    return len(words) >= _LEAST_WORDS or any(map(str.isdigit, text))
