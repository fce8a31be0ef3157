"""The baseline that any verifier must beat: counting words, with no model at all."""

from collections.abc import Iterable

from text.tokens import CJK, bigrams, tokenize


def missing_words(claims: Iterable[str], sources: Iterable[str]) -> float:
    """Share (0-1) of content words that the sources lack, in the worst of the claims.

    Words are compared by stem with all sources together; 0 where no claim has a content word.
    """
    held = frozenset(term for source in sources for term in terms(source))
    return max((_lacking(terms(claim), held) for claim in claims), default=0.0)


def terms(text: str) -> frozenset[str]:
    """The content words of a text by stem, and pairs of ideographs."""
    tokens = tokenize(text)
    found = {term for term in tokens.terms if term}
    signs = [word for word, kind in zip(tokens.words, tokens.kinds, strict=True) if kind == CJK]
    return frozenset(found.union(bigrams(signs)))


def _lacking(said: frozenset[str], held: frozenset[str]) -> float:
    return len(said - held) / len(said) if said else 0.0
