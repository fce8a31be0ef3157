"""Detects claims that a passage states in words of exactly the same meaning.

"The account can be closed at any time without notice" says that you can close the account whenever
you like, with no notice period. A model that reads meaning doubts such a claim for its different
words. Here both are normalised (`lib.text.equivalents`), with the claim's figures as the source
writes them; the rest must be a whole clause of the passage in the same order.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from analysis.engine.evidence.corpus import Corpus, memoise
from analysis.engine.rules.conflicts import ClaimQuery
from analysis.engine.rules.figures import Rewording
from lib.text.equivalents import BREAK, BY, CONDITIONS, TURN, VOCABULARY, canonical
from lib.text.tokens import tokenize
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
    figures = _terms_in(claim, [(each.start, each.end) for each in rewordings])
    sought, subject = claim.terms - claim.context - figures, claim.context - claim.terms
    ours: _Worded | None = None
    for at in order:
        passage = corpus.passages[at]
        if corpus.records[passage.source] or not sought - passage.terms <= VOCABULARY:
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


def _terms_in(claim: ClaimQuery, spans: Sequence[tuple[int, int]]) -> Terms:
    tokens, start = claim.tokens, claim.tokens.starts[claim.first]
    return frozenset(
        tokens.terms[at]
        for first, last in spans
        for at in range(*tokens.between(start + first, start + last))
    )


def _of_claim(claim: ClaimQuery, rewordings: Sequence[Rewording]) -> _Worded:
    lower: Sequence[str] = claim.tokens.lower[claim.first : claim.last]
    if rewordings:
        lower = tokenize(_rewritten(claim.text, rewordings)).lower
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
    near = (each for each in corpus.passages[first:index] if each.source == source)
    return frozenset[str]().union(*(each.terms for each in near))


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
        if len(theirs) == len(ours) and sorted(theirs) == same_words:
            if CONDITIONS.isdisjoint(_beside(passage.words, start, end)):
                return _in_order(claim, passage, clause)
            continue
        omits = (none and not start) or (opens and TURN not in passage.words[:start])
        if not (is_short and omits and theirs == short):
            continue
        if CONDITIONS.isdisjoint(_beside(passage.words, start, end)):
            return True
    return False


def _speaks_of_another(claim: _Worded, passage: _Worded) -> bool:
    """Return whether the claim is about another person, or reports the past as present."""
    if claim.lower[0] in _THIRD and claim.lower[0] != passage.lower[0]:
        return True
    is_now = not _NOW.isdisjoint(claim.lower) and _NOW.isdisjoint(passage.lower)
    return is_now and not _THEN.isdisjoint(passage.lower)


def _content(words: Sequence[str]) -> list[str]:
    if _MARKS.isdisjoint(words):
        return list(words)
    return [word for word in words if word not in _MARKS]


def _in_order(claim: _Worded, passage: _Worded, clause: Sequence[str]) -> bool:
    """Return whether the same words are in an order with the same meaning."""
    ours, theirs = _content(claim.words), _content(clause)
    if (BY in claim.words) != (BY in clause):
        return ours != theirs
    if ours == theirs:
        return True
    if _figures(ours) != _figures(theirs):
        return False
    others = [[word for word in words if not _has_digit(word)] for words in (ours, theirs)]
    return claim.is_generic != passage.is_generic or others[0] == others[1]


def _figures(words: Sequence[str]) -> list[str]:
    return list(filter(_has_digit, words))


def _has_digit(word: str) -> bool:
    return not word.isalpha() and any(map(str.isdigit, word))


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
