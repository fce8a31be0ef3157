"""Rewrites a sentence's figures as the sources write them: "36 inches" as "3 feet".

Whether two figures are equal is arithmetic, which models do badly and code does exactly. The models
then read the sentence in the source's words.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.engine.claims.reading import Reading
from analysis.engine.evidence.hypotheses import Hypothesis
from analysis.engine.rules.figures import Rewording
from analysis.engine.signals.grounding import Grounded

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Reworded:
    """The new text, and its unchanged spans as (new start, new end, old start)."""

    text: str
    unchanged_spans: tuple[tuple[int, int, int], ...]

    def original(self, start: int, end: int) -> Span | None:
        """Return the old position of new code points [start, end), or None inside a figure."""
        for first, last, old in self.unchanged_spans:
            if first <= start and end <= last:
                return start - first + old, end - first + old
        return None


def reword(text: str, rewordings: Sequence[Rewording]) -> Reworded:
    """Return the text with each rewording applied; overlaps of an earlier one are skipped."""
    parts: list[str] = []
    unchanged_spans: list[tuple[int, int, int]] = []
    at = length = 0
    for item in sorted(rewordings, key=lambda each: each.start):
        if not at <= item.start < item.end <= len(text):
            continue
        plain = text[at : item.start]
        unchanged_spans.append((length, length + len(plain), at))
        parts += [plain, item.text]
        length += len(plain) + len(item.text)
        at = item.end
    unchanged_spans.append((length, length + len(text) - at, at))
    return Reworded("".join([*parts, text[at:]]), tuple(unchanged_spans))


def reword_sentence(reading: Reading, grounded: Grounded, item: Hypothesis) -> Reworded:
    """Return the sentence after its question, with figures as the sources write them."""
    rewordings: list[Rewording] = []
    for index in item.statements:
        result, claim = grounded.claims[index], reading.statements[index].claim
        for each in result.rewordings if result else ():
            place = reading.decoded.part(claim.start + each.start, claim.start + each.end)
            start, end = (at - item.first + item.lead for at in place)
            rewordings.append(Rewording(start, end, each.text))
    return reword(item.text, rewordings)
