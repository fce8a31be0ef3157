"""What a passage with a claim's words says of it once frames, duties and conditions are read."""

from dataclasses import dataclass

from analysis.engine.evidence import framing
from analysis.engine.evidence.corpus import Corpus
from analysis.engine.evidence.framing import Frame
from analysis.engine.rules import conditions, obligations
from analysis.engine.rules.conflicts import ABOUT, Asked, aboutness
from analysis.engine.types import Conflict, ConflictKind

_LEFT_OUT = 2
"""A claim that differs from the passage by who or whether shares all but so many of its terms,
and one that denies it all but twice as many: "Contrary to what you read, it is wrong that …"."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What is asked of every passage about one claim, read once."""

    asked: Asked
    frame: Frame
    release: str
    words: list[str]
    now: bool

    @classmethod
    def of(cls, asked: Asked) -> "Scope":
        """Read the claim."""
        part = asked.tokens, asked.first, asked.last
        return cls(
            asked,
            framing.frame_of(*part),
            obligations.releases(*part),
            obligations.lower_words(*part),
            framing.speaks_of_now(*part),
        )

    def conflict(self, corpus: Corpus, index: int) -> tuple[Conflict, float] | None:
        """What the passage says to the contrary, and how much it is about the claim (0-1)."""
        found = self._difference(corpus, index)
        if found is None:
            return None
        kind, why = found
        about = aboutness(self.asked, corpus, index, frozenset())
        terms = max(1, len(self.asked.terms))
        beside = _LEFT_OUT * (1 + self.frame.denied)
        nearly = len(self.asked.terms & corpus.passages[index].terms) >= terms - beside
        return (Conflict(kind, why), max(about, ABOUT)) if about >= ABOUT or nearly else None

    def is_stated(self, corpus: Corpus, index: int) -> bool:
        """Whether the passage states its words: it neither asks, denies nor speaks of the past."""
        frame = corpus.frame(index)
        then = self.now and frame.past
        return frame.denied == self.frame.denied and not then and not corpus.facts(index).asks

    def leaves_open(self, corpus: Corpus, index: int) -> bool:
        """Whether the passage sets no condition where the claim does, or speaks of the past."""
        passage = corpus.passages[index]
        if self.now and corpus.frame(index).past:
            return True
        held = passage.terms | corpus.around(index)
        words = self._words(corpus, index)
        return conditions.added(self.asked.tokens, self.asked.first, self.asked.last, held, words)

    def _difference(self, corpus: Corpus, index: int) -> tuple[ConflictKind, str] | None:
        passage, theirs = corpus.passages[index], corpus.frame(index)
        if self.frame.denied != theirs.denied:
            side = "claim" if self.frame.denied else "source"
            return ConflictKind.NEGATION, f"the {side} says that it is not so"
        tokens = corpus.tokens[passage.source]
        if self.release and obligations.obliges(tokens, passage.first, passage.last):
            return ConflictKind.ANTONYM, f"“{self.release}”: the source requires it"
        words = self._words(corpus, index)
        if obligations.another_actor(self.words, words, frozenset(corpus.postings)):
            return ConflictKind.NAME, "the source says it of somebody else"
        if obligations.is_disarranged(self.words, words):
            return ConflictKind.NAME, "the source has it the other way round"
        if obligations.narrows_choice(self.words, words):
            return ConflictKind.FIELD, "the source leaves a choice"
        return None

    def _words(self, corpus: Corpus, index: int) -> list[str]:
        passage = corpus.passages[index]
        tokens = corpus.tokens[passage.source]
        return obligations.lower_words(tokens, passage.first, passage.last)
