"""Compares a claim with a passage that has its words: the same meaning, or another frame or duty.

"The account can be closed at any time without notice" says that you can close the account whenever
you like, with no notice period. A model that reads meaning doubts such a claim for its different
words. Here both are normalised (`lib.text.equivalents`), with the claim's figures as the source
writes them; the rest must be a whole clause of the passage in the same order. A passage that only
denies or reports the claim's words, or demands what the claim exempts from, conflicts with it.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from analysis.engine.evidence.corpus import Corpus, memoise
from analysis.engine.evidence.framing import Frame
from analysis.engine.facts.reading import spaced
from analysis.engine.rules.conflicts import ClaimQuery
from analysis.engine.rules.figures import Rewording
from analysis.engine.signal_types import Conflict
from analysis.engine.types import ConflictKind
from lib.text.equivalents import BREAK, BY, CONDITIONS, TURN, VOCABULARY, canonical
from lib.text.negation import negations
from lib.text.stems import stem, stem_set
from lib.text.tokens import Tokens, tokenize
from lib.text.words import PREPOSITIONS, PRONOUNS, word_set

Terms = frozenset[str]
_LEAST, _MOST = 2, 16
"""Words of a claim: one states nothing, more are seldom a clause."""
_GENERIC = word_set("you we one they i people")
_NOW, _THEN = word_set("is are"), word_set("was were")
_THIRD = word_set("he she they it")
_POINTING = PRONOUNS | word_set("his her its their")
_FRONTED = PREPOSITIONS | word_set("each every except")
_BEFORE = 3
"""Passages before one from which it may take its subject."""
_MARKS = frozenset((BREAK, TURN, BY))
_STARTS = CONDITIONS - {"@only"}


class _Worded(Struct, frozen=True, gc=False):
    """A normalised text span, with its original words, and the normalised ones without marks."""

    words: tuple[str, ...]
    lower: Sequence[str]
    content: list[str]

    @property
    def is_generic(self) -> bool:
        """True if it is about "you": "you can close it" says that it can be closed."""
        return not _GENERIC.isdisjoint(self.lower[:2])


def restated_by(
    claim: ClaimQuery, rewordings: Sequence[Rewording], corpus: Corpus, order: Sequence[int]
) -> int | None:
    """Return the passage (index) that states the claim in other words, or None."""
    if len(claim.terms) > _MOST:
        return None
    tokens, start = claim.tokens, claim.tokens.starts[claim.first]
    figures = {
        tokens.terms[at]
        for each in rewordings
        for at in range(*tokens.between(start + each.start, start + each.end))
    }
    sought, subject = claim.terms - claim.context - figures, claim.context - claim.terms
    ours: _Worded | None = None
    for at in order:
        passage = corpus.passages[at]
        if corpus.is_record(at) or not sought - passage.terms <= VOCABULARY:
            continue
        ours = ours or _of_claim(claim, rewordings)
        if not _LEAST <= len(ours.content) <= _MOST:
            return None
        theirs = _of_passage(corpus, at)
        if not {*ours.content} - claim.context <= {*theirs.words}:
            continue
        before = _before(corpus, at)
        own_subject = subject - passage.terms <= before
        if own_subject and _restates(ours, theirs, claim.context, before):
            return at
    return None


@memoise
def _of_passage(corpus: Corpus, index: int) -> _Worded:
    """Return a passage normalised."""
    tokens, first, last = corpus.part(index)
    lower = tokens.lower[first:last]
    words = canonical(lower)
    return _Worded(words, lower, _content(words))


def _of_claim(claim: ClaimQuery, rewordings: Sequence[Rewording]) -> _Worded:
    lower = tokenize(_rewritten(claim.text, rewordings)).lower if rewordings else claim.lower
    words = canonical(lower)
    if lower[0] in _FRONTED and BREAK in words:
        # "In the lounge, smoking is forbidden": the place comes last.
        at = words.index(BREAK)
        words = words[at:] + words[:at]
    return _Worded(words, lower, _content(words))


def _rewritten(text: str, rewordings: Sequence[Rewording]) -> str:
    parts, at = list[str](), 0
    for each in rewordings:
        if each.start >= at:
            parts += [text[at : each.start], each.text]
            at = each.end
    return "".join([*parts, text[at:]])


def _before(corpus: Corpus, index: int) -> Terms:
    """Return the terms of the passages before one."""
    source, first = corpus.passages[index].source, max(0, index - _BEFORE)
    near = (each.terms for each in corpus.passages[first:index] if each.source == source)
    return frozenset[str]().union(*near)


def _restates(claim: _Worded, passage: _Worded, subject: Terms, before: Terms) -> bool:
    """Return whether a clause of the passage states the claim.

    It may omit the claim's `subject` if the passage begins with it, or has none and it occurs
    `before`.
    """
    ours, same_words = claim.content, sorted(claim.content)
    if _speaks_of_another(claim, passage):
        return False
    short = [word for word in ours if word not in subject]
    is_short = _LEAST <= len(short) < len(ours)
    opens = subject <= {*passage.content[: len(subject)]}
    none = subject <= before and passage.lower[0] not in _POINTING
    for start, end in _clauses(passage.words):
        clause = passage.words[start:end]
        theirs = _content(clause)
        has_all = sorted(theirs) == same_words
        goes_on = (none and not start) or (opens and TURN not in passage.words[:start])
        omits = is_short and goes_on and theirs == short
        if not (has_all or omits) or not CONDITIONS.isdisjoint(_beside(passage.words, start, end)):
            continue
        if omits:
            return True
        if (BY in claim.words) != (BY in clause):
            return ours != theirs
        mine, other = _by_kind(ours), _by_kind(theirs)
        return mine == other or (claim.is_generic != passage.is_generic and mine[0] == other[0])
    return False


def _speaks_of_another(claim: _Worded, passage: _Worded) -> bool:
    """Return whether the claim is about another person, or reports the past as present."""
    if claim.lower[0] in _THIRD and claim.lower[0] != passage.lower[0]:
        return True
    is_now = not _NOW.isdisjoint(claim.lower) and _NOW.isdisjoint(passage.lower)
    return is_now and not _THEN.isdisjoint(passage.lower)


def _content(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in _MARKS]


def _by_kind(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the figures and the other words: "from 8 to 4 on weekdays" puts them elsewhere."""
    figures = [word for word in words if any(map(str.isdigit, word))]
    return figures, [word for word in words if word not in figures]


def _clauses(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield each run of words from one break to another."""
    edges = [
        at for at, word in enumerate(words) if not at or word in (BREAK, TURN) or word in _STARTS
    ]
    for place, start in enumerate(edges):
        for end in (*edges[place + 1 :], len(words)):
            if end - start > 2 * _MOST or TURN in words[start + 1 : end]:
                break
            yield start, end


def _beside(words: Sequence[str], start: int, end: int) -> Sequence[str]:
    """Return the words beside a run of words, up to a semicolon."""
    before, behind = words[:start], words[end:]
    turns = [at for at, word in enumerate(before) if word == TURN]
    first = turns[-1] if turns else 0
    last = behind.index(TURN) if TURN in behind else len(behind)
    return (*before[first:], *behind[:last])


_ALLEGED = stem_set("allegedly supposedly purportedly")
"""Hedges that a claim may leave out and still be right."""
_SPEAKING = word_set(
    "allege alleges alleged allegedly claim claims claimed say says said accuse accuses accused "
    "charge charges charged report reports reported suggest suggests suggested argue argues argued "
    "according"
)
_LEAST_SHARED = 0.8
"""Share of a claim's terms, without its frame, that a passage with another frame must have."""
_RELEASES = (
    "exempt from", "exempted from", "excused from", "free from", "relieved of", "freed from",
    "can skip", "may skip", "can ignore", "may ignore", "can forgo", "may forgo", "can omit",
    "may omit", "can do without", "may do without", "work without", "can go without",
    "need not", "needn't", "do not have to", "don't have to", "does not have to",
    "doesn't have to", "do not need", "don't need", "does not need", "are not required to",
    "is not required to", "not obliged to", "choose not to", "must not", "mustn't",
    "forbidden to", "not allowed to", "prohibited from", "never",
)  # fmt: skip
_RELEASING = stem_set(" ".join(_RELEASES))
_DUTY = word_set("must shall need needs require requires required mandatory compulsory obligatory")
_NOT_DUE = word_set("not no never n't without exempt except cannot")


def framed_otherwise(claim: ClaimQuery, ours: Frame, corpus: Corpus, index: int) -> Conflict | None:
    """Return the conflict with a passage that only denies or reports the claim, or the reverse.

    An "allegedly" on either side is not certain: such claims are more often right than wrong. But
    an answer that begins with it doubts the source's whole statement.
    """
    theirs, passage = corpus.frame(index), corpus.passages[index]
    terms = claim.terms - ours.words - theirs.words
    if not terms or len(terms & passage.terms) < _LEAST_SHARED * len(terms):
        return None
    if ours.denied != theirs.denied:
        ours_negates = _negates(claim.tokens, claim.first, claim.last, ours)
        if ours_negates != _negates(*corpus.part(index), theirs):
            # "Myth: a permit is needed." and "No permit is needed." agree.
            return None
        why = f"the {'claim' if ours.denied else 'source'} denies it"
    elif ours.reported != theirs.reported and not (
        theirs.reported and not _SPEAKING.isdisjoint(claim.lower)
    ):
        why = f"the {'claim' if ours.reported else 'source'} only reports what others say"
    else:
        return None
    begins = stem(claim.lower[0]) in _ALLEGED
    sure = _ALLEGED.isdisjoint(theirs.words if begins else theirs.words | ours.words)
    return Conflict(ConflictKind.FRAME, why, certain=sure)


def release_of(claim: ClaimQuery) -> str:
    """Return the phrase by which a claim exempts from a duty, or ""."""
    words = spaced(claim.lower)
    return next((phrase for phrase in _RELEASES if f" {phrase} " in words), "")


def released(claim: ClaimQuery, release: str, corpus: Corpus, index: int) -> Conflict | None:
    """Return a conflict if the claim exempts from what the passage requires."""
    passage, terms = corpus.passages[index], claim.terms - _RELEASING
    if not release or not terms or not terms <= passage.terms or corpus.frame(index).denied:
        return None
    if not _obliges(*corpus.part(index)):
        return None
    detail = f"“{release}”: the source requires it"
    return Conflict(ConflictKind.ANTONYM, detail, certain=True)


def _negates(tokens: Tokens, first: int, last: int, frame: Frame) -> bool:
    """Return whether a statement has a negation other than its frame's, which has one at most."""
    negators = [stem(tokens.lower[each.at]) for each in negations(tokens, first, last)]
    return len(negators) > any(negator in frame.words for negator in negators)


def _obliges(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a passage imposes a duty and lifts none."""
    words = tokens.lower[first:last]
    if not _NOT_DUE.isdisjoint(words) or any(word.endswith("n't") for word in words):
        return False
    has_to = any(pair in (("have", "to"), ("has", "to")) for pair in pairwise(words))
    return has_to or not _DUTY.isdisjoint(words)
