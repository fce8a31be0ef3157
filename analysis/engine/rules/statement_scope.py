"""Compares a claim with a passage that has its words by their frames, duties and exemptions."""

from itertools import pairwise

from msgspec import Struct

from analysis.engine.evidence import framing
from analysis.engine.evidence.corpus import Corpus
from analysis.engine.evidence.framing import Frame
from analysis.engine.rules.conflicts import ClaimQuery
from analysis.engine.signal_types import Conflict
from analysis.engine.types import ConflictKind
from lib.text.negation import negations
from lib.text.stems import stem
from lib.text.tokens import Tokens
from lib.text.verbs import predicates
from lib.text.words import word_set

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
_RELEASES = (
    "exempt from", "exempted from", "excused from", "free from", "relieved of", "freed from",
    "can skip", "may skip", "can ignore", "may ignore", "can forgo", "may forgo", "can omit",
    "may omit", "can do without", "may do without", "work without", "can go without",
    "need not", "needn't", "do not have to", "don't have to", "does not have to",
    "doesn't have to", "do not need", "don't need", "does not need", "are not required to",
    "is not required to", "not obliged to", "choose not to", "must not", "mustn't",
    "forbidden to", "not allowed to", "prohibited from", "never",
)  # fmt: skip
_RELEASING = frozenset(map(stem, " ".join(_RELEASES).split()))
_DUTY = word_set("must shall need needs require requires required mandatory compulsory obligatory")
_NOT_DUE = word_set("not no never n't without exempt except cannot")


class ClaimScope(Struct, frozen=True, gc=False):
    """A claim's frame, and the phrase by which it exempts from a duty ("" for none)."""

    claim: ClaimQuery
    frame: Frame
    release: str

    @classmethod
    def of(cls, claim: ClaimQuery) -> "ClaimScope":
        frame = framing.frame_of(claim.tokens, claim.first, claim.last)
        padded = f" {' '.join(claim.lower)} "
        release = next((phrase for phrase in _RELEASES if f" {phrase} " in padded), "")
        return cls(claim, frame, release)

    def conflict(self, corpus: Corpus, index: int) -> Conflict | None:
        """Return how the passage differs (negated, reported, past, a duty); None if it does not."""
        if self.frame is framing.PLAIN and corpus.frames[index] is framing.PLAIN:
            return self._released(corpus, index)
        framed = self._framed_otherwise(corpus, index)
        if framed:
            return Conflict(ConflictKind.FRAME, framed, self._is_certain(corpus.frames[index]))
        return self._released(corpus, index)

    def is_stated(self, corpus: Corpus, index: int) -> bool:
        """Return whether a non-question passage states its words in the same frame."""
        ours, theirs = self.frame, corpus.frames[index]
        alike = ours.denied == theirs.denied and ours.reported == theirs.reported
        return alike and not self.is_over(corpus, index)

    def is_over(self, corpus: Corpus, index: int) -> bool:
        """Return whether the passage is about the past and the claim about the present."""
        return corpus.frames[index].past and self._now()

    def _now(self) -> bool:
        """Return whether the claim is about the present."""
        claim, frame = self.claim, self.frame
        part = claim.tokens, claim.first, claim.last
        return (
            not (frame.past or frame.inside) and framing.speaks_of_now(*part) and predicates(*part)
        )

    def _is_certain(self, theirs: Frame) -> bool:
        """Return whether the frames differ in more than time or an "allegedly" on either side.

        Such claims written for training, and in RAGTruth's answers, are more often right than
        wrong. But an answer that begins with it doubts the source's whole statement.
        """
        ours = self.frame
        if (ours.denied, ours.reported) == (theirs.denied, theirs.reported):
            return ours.inside.startswith(_ELSEWHERE)
        lower = self.claim.lower
        begins = bool(lower) and stem(lower[0]) in _ALLEGED
        return _ALLEGED.isdisjoint(theirs.words if begins else theirs.words | ours.words)

    def _framed_otherwise(self, corpus: Corpus, index: int) -> str:
        """Return how claim and passage state the same in different frames, or ""."""
        passage, theirs = corpus.passages[index], corpus.frames[index]
        terms = self.claim.terms - self.frame.words - theirs.words
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
        """Return in words how the frames around the whole statements differ."""
        ours, theirs = self.frame, corpus.frames[index]
        passage = corpus.passages[index]
        part = corpus.tokens[passage.source], passage.first, passage.last
        if ours.denied != theirs.denied:
            claim = self.claim
            if _negates(claim.tokens, claim.first, claim.last, ours) != _negates(*part, theirs):
                # "Myth: a permit is needed." and "No permit is needed." agree.
                return ""
            return f"the {'claim' if ours.denied else 'source'} denies it"
        reports = not _SPEAKING.isdisjoint(self.claim.lower)
        if ours.reported != theirs.reported and not (theirs.reported and reports):
            return f"the {'claim' if ours.reported else 'source'} only reports what others say"
        if ours.past and not theirs.past and framing.speaks_of_now(*part):
            return "the source says it about the present"
        return "the source says it about the past" if theirs.past and self._now() else ""

    def _released(self, corpus: Corpus, index: int) -> Conflict | None:
        """Return a conflict if the claim exempts from what the passage requires."""
        if not self.release or corpus.frames[index].denied:
            return None
        passage = corpus.passages[index]
        terms = self.claim.terms - _RELEASING
        if not terms or not terms <= passage.terms:
            return None
        if not _obliges(corpus.tokens[passage.source], passage.first, passage.last):
            return None
        detail = f"“{self.release}”: the source requires it"
        return Conflict(ConflictKind.ANTONYM, detail, certain=True)


def _negates(tokens: Tokens, first: int, last: int, frame: Frame) -> bool:
    """Return whether a statement has a negation other than its frame's."""
    return any(
        tokens.terms[each.at] not in frame.words and stem(tokens.lower[each.at]) not in frame.words
        for each in negations(tokens, first, last)
    )


def _obliges(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a passage imposes a duty and lifts none."""
    words = tokens.lower[first:last]
    if not _NOT_DUE.isdisjoint(words) or any(word.endswith("n't") for word in words):
        return False
    has_to = any(pair in (("have", "to"), ("has", "to")) for pair in pairwise(words))
    return has_to or not _DUTY.isdisjoint(words)
