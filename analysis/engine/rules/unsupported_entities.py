"""Finds what occurs in no source and not in the question: figures, names and whole sentences.

Fabrications usually contain a changed number or an invented name; words that merely paraphrase are
no sign of one. A short sentence that shares no word with the sources, the question or the claims
before it ("Refunds take 14 days. As if!", "That rule is gone.", "Stimmt nicht.") may take back what
was said, and the sources cannot tell. Such sentences are rare in answers of people and models.
"""

from collections.abc import Container
from dataclasses import dataclass

from analysis.engine.claims import assertions
from analysis.engine.claims.reading import METHOD_FIELD, METHOD_ROW, Reading, SentenceRange
from analysis.engine.evidence.corpus import Corpus, terms_of
from analysis.engine.rules.conflicts import ClaimQuery
from lib.text.blocks import BlockKind
from lib.text.citations import reference_entries
from lib.text.figures import labels
from lib.text.names import capitals
from lib.text.stems import stem
from lib.text.tokens import MARK, Tokens, numbers, tokenize
from lib.text.units import CURRENCIES, SMALL

_MOST_IN_WORDS = 20
"""The largest number that a source may have as a word and a claim as a numeral."""
_FEW_WORDS = 3
_OPENS = frozenset(".!?:\"“'(‘")
"""A capital after one of these is no sign of a name."""


@dataclass(frozen=True, slots=True)
class KnownTerms:
    """The numerals of the sources and the question, by value, and the question's terms."""

    numerals: frozenset[float | str]
    question_terms: frozenset[str]


def known_terms(corpus: Corpus, query: str) -> KnownTerms:
    """Return the numerals and terms of sources and question, read once for all claims."""
    question = tokenize(query)
    digits = {
        _value(tokens.words[at])
        for tokens in (*corpus.tokens, question)
        for at in numbers(tokens, 0, len(tokens))
    }
    digits |= {
        value
        for word, value in SMALL.items()
        if value <= _MOST_IN_WORDS and stem(word) in corpus.postings
    }
    return KnownTerms(frozenset(digits), frozenset(filter(None, question.terms)))


def absent_figures(
    tokens: Tokens, first: int, last: int, sources: KnownTerms, settled: Container[int]
) -> int:
    """Return how many numerals of tokens [first, last) have a value that occurs nowhere.

    `settled` are tokens of figures that the sources confirm in other words or units.
    """
    numbered = labels(tokens, first, last)
    return sum(
        _value(tokens.words[at]) not in sources.numerals
        for at in numbers(tokens, first, last)
        if at not in numbered and at not in settled and not _numbers_an_item(tokens, at)
    )


def absent_names(tokens: Tokens, first: int, last: int, corpus: Corpus, sources: KnownTerms) -> int:
    """Return how many capitalised words in tokens [first, last) occur nowhere."""
    numbered = labels(tokens, first, last)
    return sum(
        bool(tokens.terms[at])
        and tokens.terms[at] not in corpus.postings
        and tokens.terms[at] not in sources.question_terms
        and tokens.words[at - 1] not in _OPENS
        and at not in numbered
        and tokens.lower[at] not in CURRENCIES
        for at in capitals(tokens, first + 1, last)
    )


def _value(word: str) -> float | str:
    """Return the value of "1,250.5"; a word such as "1.2.3" is unchanged."""
    plain = word.replace(",", "")
    try:
        return float(plain)
    except ValueError:
        return plain


def _numbers_an_item(tokens: Tokens, at: int) -> bool:
    """Return whether a number is "2." at the head of a line, or the "00" of "9:00"."""
    leads = at == 0 or tokens.starts[at] > tokens.ends[at - 1] + 1
    dotted = tokens.words[at + 1 : at + 2] == ["."] and leads
    return dotted or (tokens.words[at] == "00" and tokens.words[at - 1 : at] == [":"])


def says_nothing(claim: ClaimQuery, corpus: Corpus) -> bool:
    """Return whether no word of a short answer is in a source or the question.

    "Bingo", "[x]" and "VGhlIA==" say nothing that could be looked up.
    """
    tokens, terms = claim.tokens, claim.terms
    if not claim.own_words or len(terms) > _FEW_WORDS or numbers(tokens, claim.first, claim.last):
        return False
    return terms.isdisjoint(corpus.postings) and terms.isdisjoint(claim.context)


_OF_DATA = (METHOD_FIELD, METHOD_ROW)
_MOST_WORDS = 8
_ENDS = frozenset((".", "!", "…"))
_MOST = 5
"""The most sentences that are quoted."""


def asides(reading: Reading, corpus: Corpus, query: str) -> tuple[str, ...]:
    """Return the sentences after a claim of which no source says anything; data has none."""
    if any(each.claim.extraction_method in _OF_DATA for each in reading.statements):
        return ()
    question = tokenize(query)
    seen = set(terms_of(question, 0, len(question)))
    first_claim = reading.statements[0].sentence if reading.statements else len(reading.lines)
    entries = reference_entries(reading.text)
    sentences = list[str]()
    for at, line in enumerate(reading.lines):
        terms = set(terms_of(reading.tokens, line.first, line.last))
        is_new = terms.isdisjoint(seen) and terms.isdisjoint(corpus.postings)
        if at > first_claim and is_new and _may_take_back(reading, line):
            tokens = reading.tokens
            start, end = tokens.starts[line.first], tokens.ends[line.last - 1]
            if not any(first <= start < last for first, last in entries):
                sentences.append(reading.text[start:end])
        seen |= terms
    return tuple(sentences[:_MOST])


def _may_take_back(reading: Reading, line: SentenceRange) -> bool:
    """Return whether a line is a short sentence: no courtesy, question or title, without names."""
    tokens, part = reading.tokens, (line.first, line.last)
    words = [at for at in range(*part) if tokens.kinds[at] != MARK]
    if not 0 < len(words) <= _MOST_WORDS or list(capitals(tokens, words[0] + 1, line.last)):
        return False
    ends = _ENDS.intersection(tokens.words[words[-1] : line.last])
    return (
        (bool(ends) or line.kind in (BlockKind.PROSE, BlockKind.ITEM))
        and tokens.words[line.last - 1] != ":"
        and not assertions.is_social(tokens, *part)
        and not assertions.is_question(tokens, *part)
        and not assertions.refers(tokens, *part)
        and not assertions.is_aside(tokens, *part)
        and not assertions.signs_off(tokens, *part)
        and not assertions.asserts_nothing(tokens, *part, part)
    )
