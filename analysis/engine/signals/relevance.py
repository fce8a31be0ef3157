"""The relevance of sources to the question, each 0-1, on one calibrated scale.

A search's own measurement is kept (`documents.retrieval`); else it is the share of the question's
content words that occur together in a source (three adjacent sentences), mapped by a logistic
function so that 0.6 means the same for each (`python -m tools.training.relevance`,
docs/decisions/0606).
"""

from analysis.engine.evidence.corpus import Corpus, terms_in, terms_of
from analysis.engine.safety.model import Relevance, ScoredPassage
from lib.stats.relevance import relevance_by_words
from lib.text.stems import stem
from lib.text.tokens import Tokens, tokenize
from lib.text.words import word_set

MODEL = "relevance-1"
NO_QUERY = "No question was given"
_OPENING = 4
"""Tokens among which a request names what is to be done."""
_QUESTION_WORDS = word_set("how what why when where who which did does do is are")
_ORDERS = word_set(
    "summarize summarise write rewrite paraphrase shorten condense compose draft generate create "
    "produce rephrase outline"
)
_OF_ORDERS = frozenset(
    stem(word)
    for word in _ORDERS
    | word_set(
        "summary summaries overview following given provided above below news article articles "
        "text texts passage passages document documents story report paragraph paragraphs "
        "sentence sentences word words character characters bullet point points line lines short "
        "brief concise long maximum minimum most limit output please english objective structured "
        "data json format information based instruction local business"
    )
)
BY_SEARCH = "by retrieval scores"
BY_WORDS = "the share of the question's words found in the sources"


def measure(query: str, corpus: Corpus, answer: str = "") -> Relevance:
    """Return the relevance of each source; of search results only those of the question itself."""
    query_terms, answered = terms_asked(query), 0.0
    if query_terms and answer:
        answered = relevance_by_words(len(query_terms & terms_in(answer)) / len(query_terms))
    searched = any(source.retrieved for source in corpus.sources)
    scored_sources = [
        at for at, source in enumerate(corpus.sources) if source.relevance is not None
    ]
    if scored_sources:
        passages = tuple(
            _passage(corpus, at, corpus.sources[at].relevance) for at in scored_sources
        )
        return Relevance(BY_SEARCH, searched, passages, answered)
    passages = tuple(
        _passage(corpus, at, relevance_by_words(share) if query_terms else None)
        for at, share in enumerate(shares(query_terms, corpus))
    )
    return Relevance(BY_WORDS if query_terms else "", searched, passages, answered)


def _passage(corpus: Corpus, at: int, score: float | None) -> ScoredPassage:
    return ScoredPassage(score, score, None, len(corpus.sources[at].text))


def terms_asked(query: str) -> frozenset[str]:
    """Return the content words of a question; of a request only its subject.

    "Summarize the following news within 116 words" has no subject that a source could name.
    """
    tokens = tokenize(query)
    last = len(tokens)
    opening = tokens.lower[:_OPENING]
    if not _ORDERS.isdisjoint(opening) and opening[0] not in _QUESTION_WORDS:
        last = next((at for at in range(last) if _ends_request(query, tokens, at)), last)
        terms = terms_of(tokens, 0, last)
        return frozenset(term for term in terms if term not in _OF_ORDERS and not term.isdigit())
    return frozenset(terms_of(tokens, 0, last))


def _ends_request(query: str, tokens: Tokens, at: int) -> bool:
    """Return whether a colon or new line follows, after which the text to work on begins."""
    before = tokens.ends[at - 1] if at else 0
    return tokens.words[at] == ":" or "\n" in query[before : tokens.starts[at]]


def shares(query_terms: frozenset[str], corpus: Corpus) -> list[float]:
    """Return each source's largest share of the terms in three adjacent sentences."""
    best = [0.0] * len(corpus.sources)
    holding = {at for term in query_terms for at in corpus.postings.get(term, ())}
    for at in holding:
        source = corpus.passages[at].source
        near = [n for n in (at - 1, at, at + 1) if 0 <= n < len(corpus.passages)]
        source_terms = frozenset[str]().union(
            *(corpus.passages[n].terms for n in near if corpus.passages[n].source == source)
        )
        best[source] = max(best[source], len(query_terms & source_terms) / len(query_terms))
    return best
