"""The baseline that any verifier must beat: word counts without a model."""

from collections.abc import Iterable

from lib.text.tokens import CJK, bigrams, tokenize


def missing_words(claims: Iterable[str], sources: Iterable[str]) -> float:
    """Return the share (0-1) of content words that the sources lack, of the worst claim.

    Words are compared by stem with all sources together; 0 if no claim has a content word.
    """
    source_terms = frozenset(term for source in sources for term in terms(source))
    terms_of_claims = filter(None, map(terms, claims))
    return max((len(some - source_terms) / len(some) for some in terms_of_claims), default=0.0)


def terms(text: str) -> frozenset[str]:
    """Return the stems of a text's content words, and pairs of ideographs."""
    tokens = tokenize(text)
    terms = {term for term in tokens.terms if term}
    signs = [word for word, kind in zip(tokens.words, tokens.kinds, strict=True) if kind == CJK]
    return frozenset(terms.union(bigrams(signs)))
