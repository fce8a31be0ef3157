"""A sentence with its figures as the sources write them: "36 inches" is read as "3 feet".

Whether two figures are the same is arithmetic, which a small model does badly and code does
exactly. The judge then reads the sentence in the words of the source.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.engine.rules.figures import Rewording

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Reworded:
    """The new text, and which code points of it are whose: (new start, new end, old start)."""

    text: str
    kept: tuple[tuple[int, int, int], ...]

    def original(self, start: int, end: int) -> Span | None:
        """The place of new code points [start, end) in the old text; None inside a figure."""
        for first, last, old in self.kept:
            if first <= start and end <= last:
                return start - first + old, end - first + old
        return None


def reword(text: str, rewordings: Sequence[Rewording]) -> Reworded:
    """The text with each stretch replaced; one that overlaps an earlier one is left as it is."""
    parts: list[str] = []
    kept: list[tuple[int, int, int]] = []
    at = length = 0
    for item in sorted(rewordings, key=lambda each: each.start):
        if not at <= item.start < item.end <= len(text):
            continue
        plain = text[at : item.start]
        kept.append((length, length + len(plain), at))
        parts += [plain, item.text]
        length += len(plain) + len(item.text)
        at = item.end
    kept.append((length, length + len(text) - at, at))
    return Reworded("".join([*parts, text[at:]]), tuple(kept))
