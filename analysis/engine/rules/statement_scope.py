"""What a passage with a claim's words says of it once frames, duties and conditions are read."""

from msgspec import Struct

from analysis.engine.evidence import framing
from analysis.engine.evidence.corpus import Corpus
from analysis.engine.evidence.framing import PLAIN, Frame
from analysis.engine.rules import conditions, obligations
from analysis.engine.rules.conflicts import ABOUT, ClaimQuery, aboutness
from analysis.engine.signal_types import Conflict
from analysis.engine.types import ConflictKind
from lib.text.stems import stem
from lib.text.verbs import predicates
from lib.text.words import word_set

_SURE = 1.0
_ALLEGED = frozenset(map(stem, word_set("allegedly supposedly purportedly")))
"""Who says "allegedly" protects himself; a claim that leaves it out may still be right."""
_ELSEWHERE = ("in ", "if only")
"""How frames begin that put a statement into another world."""
_SPEAKING = word_set(
    "allege alleges alleged allegedly claim claims claimed say says said accuse accuses accused "
    "charge charges charged report reports reported suggest suggests suggested argue argues argued "
    "according"
)
_LEAST_SHARED = 0.8
"""Share of a claim's terms outside of its frame that a passage has which says it in another one."""
_LEFT_OUT = 2
"""A claim that differs from the passage by who or whether shares all but so many of its terms,
and one that denies it all but twice as many: "Contrary to what you read, it is wrong that …"."""


class ClaimScope(Struct, frozen=True, gc=False):
    """What is asked of every passage about one claim, read once."""

    claim: ClaimQuery
    frame: Frame
    release: str
    words: list[str]
    """The claim's, in lower case."""
    obliges: bool
    conditional: bool
    plain: bool
    """Whether it stands in no frame, denies nothing and speaks of no duty."""

    @classmethod
    def of(cls, claim: ClaimQuery) -> "ClaimScope":
        part = claim.tokens, claim.first, claim.last
        frame, words = framing.frame_of(*part), obligations.lower_words(*part)
        release, obliges = obligations.releases(*part), obligations.lays_duty(words)
        plain = frame is PLAIN and not (release or obliges or claim.facts.denied)
        return cls(claim, frame, release, words, obliges, conditions.sets_one(*part), plain)

    def _now(self) -> bool:
        """Whether the claim says it of the present."""
        claim, frame = self.claim, self.frame
        part = claim.tokens, claim.first, claim.last
        return (
            not (frame.past or frame.inside) and framing.speaks_of_now(*part) and predicates(*part)
        )

    def conflict(self, corpus: Corpus, index: int) -> tuple[Conflict, float] | None:
        """What the passage says to the contrary, and how much it is about the claim (0-1)."""
        if self.plain and corpus.frames[index] is PLAIN:
            return None
        framed = self._framed_otherwise(corpus, index)
        if framed:
            certain = self._is_certain(corpus.frames[index])
            return Conflict(ConflictKind.FRAME, framed, certain), _SURE
        difference = self._difference(corpus, index)
        if difference is None:
            return None
        kind, why = difference
        about = aboutness(self.claim, corpus, index, frozenset())
        terms = max(1, len(self.claim.terms))
        beside = _LEFT_OUT * (1 + self.frame.denied)
        nearly = len(self.claim.terms & corpus.passages[index].terms) >= terms - beside
        return (Conflict(kind, why), max(about, ABOUT)) if about >= ABOUT or nearly else None

    def _is_certain(self, theirs: Frame) -> bool:
        """Whether the frames differ in more than their time or an "allegedly" of either side.

        Of such claims written for training, and of answers of RAGTruth, more are right than wrong.
        But an answer that begins with it puts the whole statement of the source in doubt.
        """
        ours = self.frame
        if (ours.denied, ours.reported) == (theirs.denied, theirs.reported):
            return ours.inside.startswith(_ELSEWHERE)
        begins = bool(self.words) and stem(self.words[0]) in _ALLEGED
        return _ALLEGED.isdisjoint(theirs.words if begins else theirs.words | ours.words)

    def is_stated(self, corpus: Corpus, index: int) -> bool:
        """Whether a passage that asks nothing states its words, and in no other frame."""
        ours, theirs = self.frame, corpus.frames[index]
        alike = ours.denied == theirs.denied and ours.reported == theirs.reported
        return alike and not (theirs.past and self._now())

    def leaves_open(self, corpus: Corpus, index: int) -> bool:
        """Whether the passage sets no condition where the claim does, or speaks of the past."""
        passage = corpus.passages[index]
        if corpus.frames[index].past and self._now():
            return True
        if not self.conditional:
            return False
        passage_terms = passage.terms | corpus.around(index)
        words = self._words(corpus, index)
        return conditions.adds_condition(
            self.claim.tokens, self.claim.first, self.claim.last, passage_terms, words
        )

    def _framed_otherwise(self, corpus: Corpus, index: int) -> str:
        """How claim and passage say the same in different frames; "" where they do not."""
        passage, theirs = corpus.passages[index], corpus.frames[index]
        terms = self.claim.terms
        if self.frame.words or theirs.words:
            terms = terms - self.frame.words - theirs.words
        shared = len(terms & passage.terms)
        if terms and shared >= _LEAST_SHARED * len(terms):
            around = self._other_frame(corpus, index)
            if around:
                return around
        plain = not (theirs.inside or theirs.past or corpus.facts[index].negative)
        says_no_more = 2 * shared >= len(passage.terms)
        if not plain or not says_no_more or corpus.facts[index].conditional:
            return ""
        if self.frame.inside and terms and shared == len(terms):
            return f"“{self.frame.inside}”: the source states it outright"
        return ""

    def _other_frame(self, corpus: Corpus, index: int) -> str:
        """In which frame around the whole statement claim and passage differ, in words."""
        ours, theirs = self.frame, corpus.frames[index]
        if ours.denied != theirs.denied:
            return f"the {'claim' if ours.denied else 'source'} denies it"
        if ours.reported != theirs.reported and not (theirs.reported and self._reports()):
            return f"the {'claim' if ours.reported else 'source'} only reports what others say"
        passage = corpus.passages[index]
        part = corpus.tokens[passage.source], passage.first, passage.last
        if ours.past and not theirs.past and framing.speaks_of_now(*part):
            return "the source says it about the present"
        return "the source says it about the past" if theirs.past and self._now() else ""

    def _reports(self) -> bool:
        """Whether the claim says who says it."""
        return not _SPEAKING.isdisjoint(self.words)

    def _difference(self, corpus: Corpus, index: int) -> tuple[ConflictKind, str] | None:
        passage, theirs = corpus.passages[index], corpus.frames[index]
        if self.frame.denied != theirs.denied:
            side = "claim" if self.frame.denied else "source"
            return ConflictKind.NEGATION, f"the {side} denies it"
        tokens = corpus.tokens[passage.source]
        if self.release and obligations.obliges(tokens, passage.first, passage.last):
            return ConflictKind.ANTONYM, f"“{self.release}”: the source requires it"
        if not self.obliges:
            return None
        words = self._words(corpus, index)
        if obligations.another_actor(self.words, words, frozenset(corpus.postings)):
            return ConflictKind.NAME, "the source says it about someone else"
        if obligations.is_disarranged(self.words, words):
            return ConflictKind.NAME, "the source has it the other way round"
        if obligations.narrows_choice(self.words, words):
            return ConflictKind.FIELD, "the source allows a choice"
        return None

    def _words(self, corpus: Corpus, index: int) -> list[str]:
        passage = corpus.passages[index]
        tokens = corpus.tokens[passage.source]
        return obligations.lower_words(tokens, passage.first, passage.last)
