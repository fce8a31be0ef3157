"""Citation integrity (verifier API): does `[3]` exist, and does its source support the claim?

The measure is the share of the claim's content words (0-1) in the sources it cites.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.engine.claims.reading import Reading, Statement, marks_of_claims
from analysis.engine.evidence.corpus import Corpus, memoise, terms_of
from analysis.engine.safety.model import Referencing
from analysis.engine.signal_types import CitedSource, NliScores
from analysis.engine.signals.grounding import ground, scores_of
from analysis.engine.signals.runner import SignalResult, not_applicable
from analysis.engine.types import SignalStatus
from lib.text.citations import Mark, leading_marks, marks
from lib.text.markup import QUOTES
from lib.text.tokens import Tokens

MODEL = "citations-1"
NO_MARKS = "The answer cites nothing"
NO_SOURCES = "No sources were given that could be cited"
QUOTED_WORDS = 3
"""Shorter quotations are names and terms, not somebody's words."""
_LONGEST_QUOTE = 200
_DIGITS = 4
_MOST_CHARACTERS = 2_000_000
"""Limit on the sources that are read again for the claims that cite them alone."""


@dataclass(frozen=True, slots=True)
class ClaimCitations:
    """A claim's citations: the sources it cites (1-based), the nonexistent ones, the match.

    `sources` are those that exist, `scores` theirs for the claim without the other sources.
    """

    numbers: tuple[int, ...]
    missing: tuple[int, ...]
    match: float
    sources: tuple[CitedSource, ...] = ()
    scores: NliScores | None = None


def measure(
    reading: Reading, query: str, corpus: Corpus | None, leading: Sequence[int | None]
) -> SignalResult[tuple[ClaimCitations | None, ...]]:
    """Compare each claim that carries a citation mark with the sources that its marks name.

    A nonexistent source contains nothing. A quotation of three words or more must occur in a cited
    source verbatim: its longest run found bounds the match. `leading` is for each claim the source
    (its index in the corpus) with the most supporting passage.
    """
    answer_marks = sorted(
        (*marks(reading.text), *leading_marks(reading.text)), key=lambda mark: mark.start
    )
    if not answer_marks:
        return not_applicable(NO_MARKS)
    claims = [statement.claim for statement in reading.statements]
    own = marks_of_claims(reading.text, answer_marks, claims)
    if corpus is None or not corpus.sources:
        return not_applicable(NO_SOURCES)
    # A citation mark counts the client's sources; its meaning for search results is unknown.
    numbered = [at for at, source in enumerate(corpus.sources) if not source.retrieved]
    if not numbered:
        count = len(corpus.sources)
        beyond = tuple(_beyond(marks_here, count) for marks_here in own)
        return SignalResult(beyond) if any(beyond) else not_applicable(NO_SOURCES)
    citations = [
        _citations_of(reading, statement, marks_here, corpus, numbered, leads)
        for statement, marks_here, leads in zip(reading.statements, own, leading, strict=True)
    ]
    scores, cut = _score_citations(reading, query, citations, corpus, numbered)
    with_scores = tuple(
        replace(citation, scores=scores.get(at)) if citation else None
        for at, citation in enumerate(citations)
    )
    status = SignalStatus.TRUNCATED if cut else SignalStatus.OK
    return SignalResult(with_scores, status, cut)


def _beyond(marks_here: Sequence[Mark], count: int) -> ClaimCitations | None:
    """Return citations of search results that exceed their number, or None.

    Which passage a lower number means is unknown.
    """
    numbers = _numbers_of(marks_here)
    missing = tuple(number for number in numbers if number > count)
    return ClaimCitations(numbers, missing, 0.0) if missing else None


def _numbers_of(marks_here: Sequence[Mark]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(number for mark in marks_here for number in mark.numbers))


@memoise
def _terms_of_source(corpus: Corpus, source: int) -> frozenset[str]:
    """Return the content terms of a source and of its title."""
    tokens = corpus.tokens[source]
    return corpus.titles[source].union(terms_of(tokens, 0, len(tokens)))


@memoise
def _words_of_source(corpus: Corpus, source: int) -> str:
    """Return the words of a source in lower case, with spaces around and between them."""
    return _plain(corpus.tokens[source].lower)


def _score_citations(
    reading: Reading,
    query: str,
    citations: Sequence[ClaimCitations | None],
    corpus: Corpus,
    numbered: Sequence[int],
) -> tuple[dict[int, NliScores], str]:
    """Return each claim's scores by its cited sources alone, and in words what was cut off."""
    groups = defaultdict[tuple[int, ...], list[int]](list)
    for at, citation in enumerate(citations):
        if citation and citation.sources:
            groups[tuple(sorted(source.number for source in citation.sources))].append(at)
    scores, budget, omitted = dict[int, NliScores](), _MOST_CHARACTERS, 0
    for numbers, places in groups.items():
        sources = [corpus.sources[numbered[number - 1]] for number in numbers]
        budget -= sum(len(source.text) for source in sources)
        if budget < 0:
            omitted += len(places)
            continue
        part = replace(reading, statements=tuple(reading.statements[at] for at in places))
        grounded = ground(part, query, tuple(sources))
        scores |= {at: scores_of(of) for at, of in zip(places, grounded.claims, strict=True) if of}
    return scores, f"The citations of {omitted} claims were not compared" if omitted else ""


def _citations_of(
    reading: Reading,
    statement: Statement,
    marks_here: Sequence[Mark],
    corpus: Corpus,
    numbered: Sequence[int],
    leading: int | None,
) -> ClaimCitations | None:
    if not marks_here:
        return None
    numbers = _numbers_of(marks_here)
    missing = tuple(number for number in numbers if number > len(numbered))
    sources = {number: numbered[number - 1] for number in numbers if number not in missing}
    if not sources:
        return ClaimCitations(numbers, missing, 0.0)
    tokens, first, last = reading.tokens, statement.first, statement.last
    terms = frozenset(terms_of(tokens, first, last))
    source_terms = {source: _terms_of_source(corpus, source) for source in sources.values()}
    overlap = _share(terms, frozenset().union(*source_terms.values()))
    quoted_shares = (
        max(_longest(quote, _words_of_source(corpus, source)) for source in sources.values())
        for quote in _quotations(tokens, first, last)
    )
    rows = tuple(
        CitedSource(number, _share(terms, source_terms[source]), source == leading)
        for number, source in sources.items()
    )
    match = round(min(overlap, *quoted_shares, 1.0), _DIGITS)
    return ClaimCitations(numbers, missing, match, rows)


def _share(terms: frozenset[str], source_terms: frozenset[str]) -> float:
    """Return the share of the terms that are present; 1 if there are none."""
    return round(len(terms & source_terms) / len(terms), _DIGITS) if terms else 1.0


def _quotations(tokens: Tokens, first: int, last: int) -> list[list[str]]:
    """Return the words of each quotation in the claim."""
    quotations, at = list[list[str]](), first
    while at < last:
        closing = QUOTES.get(tokens.words[at])
        end = next((to for to in range(at + 1, last) if tokens.words[to] == closing), None)
        if closing is None or end is None:
            at += 1
            continue
        quote = _plain(tokens.lower[at + 1 : end]).split()
        if len(quote) >= QUOTED_WORDS:
            quotations.append(quote[:_LONGEST_QUOTE])
        at = end + 1
    return quotations


def _longest(quote: Sequence[str], text: str) -> float:
    """Return the share (0-1) of a quotation in its longest run within the text."""
    best, start = 0, 0
    for end in range(1, len(quote) + 1):
        while start < end and f" {' '.join(quote[start:end])} " not in text:
            start += 1
        best = max(best, end - start)
    return best / len(quote)


def _plain(words: Sequence[str]) -> str:
    return f" {' '.join(word for word in words if any(map(str.isalnum, word)))} "


def referencing_of(reading: Reading) -> Referencing:
    """Return the counts; a sentence is cited if one of its claims is, even after its full stop."""
    answer_marks = marks(reading.text)
    own = marks_of_claims(reading.text, answer_marks, [item.claim for item in reading.statements])
    pairs = zip(reading.statements, own, strict=True)
    with_claims = {item.sentence for item in reading.statements}
    with_marks = {item.sentence for item, marks_here in pairs if marks_here}
    return Referencing(len(with_claims), len(with_marks), len(answer_marks))
