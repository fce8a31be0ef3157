"""Turns a claim of the answer into a query to the sources."""

from analysis.engine.claims import replies
from analysis.engine.claims.clauses import subject
from analysis.engine.claims.reading import METHOD_WHOLE, Reading, Statement
from analysis.engine.evidence.corpus import affirmed, facts_of, terms_of
from analysis.engine.rules.conflicts import ClaimQuery
from lib.text.figures import figures as read_figures
from lib.text.figures import labels
from lib.text.names import names
from lib.text.tokens import WORD, Tokens, tokenize


def query_of(reading: Reading, statement: Statement, query: str) -> ClaimQuery:
    """Return the claim as a query; if it is the whole answer, with the question's terms."""
    question = reply_subject(reading, statement, query)
    if question:
        return _of_text(question, statement)
    tokens, first, last = reading.tokens, statement.first, statement.last
    about = set(terms_of(tokens, *statement.subject))
    if statement.claim.extraction_method == METHOD_WHOLE and query:
        query_tokens = tokenize(query)
        about |= set(terms_of(query_tokens, 0, len(query_tokens)))
    name_spans = names(tokens, first, last)
    facts = facts_of(tokens, first, last)
    figures = affirmed(reading.figures_of(statement), tokens, first, last)
    figure_tokens = figures.positions()
    text_names = [
        frozenset(terms_of(tokens, name.first, name.last))
        for name in name_spans
        if name.first not in figure_tokens
    ]
    text_names.append(_leading_name(reading, statement))
    terms, context = _terms(tokens, first, last), frozenset(about)
    return ClaimQuery(
        tokens,
        first,
        last,
        terms,
        context,
        tuple(name for name in text_names if name),
        facts,
        statement.claim.text,
        statement.subject[1] if statement.subject[0] >= first else first,
        _wanted_terms(terms, context, {tokens.terms[at] for at in figure_tokens}),
    )


def reply_subject(reading: Reading, statement: Statement, query: str) -> str:
    """Return the statement behind a reply such as "Yes." or "No, it isn't.", or ""."""
    line = reading.lines[statement.sentence]
    if not query or not replies.is_reply(reading.tokens, line.first, line.last):
        return ""
    return replies.statement_of(query, denied=False)


def denies(reading: Reading, statement: Statement) -> bool:
    """Return whether a reply answers the question with no."""
    line = reading.lines[statement.sentence]
    return replies.says_no(reading.tokens, line.first, line.last)


def _of_text(text: str, statement: Statement) -> ClaimQuery:
    """Return a query for a claim in other words than the answer's."""
    tokens = tokenize(text)
    last = len(tokens)
    facts, terms = facts_of(tokens, 0, last), _terms(tokens, 0, last)
    figures = affirmed(read_figures(tokens, 0, last), tokens, 0, last)
    figure_tokens, about = figures.positions(), subject(tokens, 0, last)
    context = frozenset(terms_of(tokens, *about))
    claim_names = (
        frozenset(terms_of(tokens, name.first, name.last))
        for name in names(tokens, 0, last)
        if name.first not in figure_tokens
    )
    return ClaimQuery(
        tokens, 0, last, terms, context, tuple(name for name in claim_names if name), facts,
        statement.claim.text, about[1],
        _wanted_terms(terms, context, {tokens.terms[at] for at in figure_tokens}),
        own_words=False,
    )  # fmt: skip


def _terms(tokens: Tokens, first: int, last: int) -> frozenset[str]:
    """Return the claim's terms; "Step 2" and "Passage 1" only if it says nothing else."""
    terms = frozenset(terms_of(tokens, first, last))
    numbered = labels(tokens, first, last)
    if not numbered:
        return terms
    places = (at for at in range(first, last) if at not in numbered)
    return frozenset(tokens.terms[at] for at in places if tokens.terms[at]) or terms


def _leading_name(reading: Reading, statement: Statement) -> frozenset[str]:
    """Return the first word if it is the claim's subject: another Bob says nothing about Ann."""
    tokens, first = reading.tokens, statement.first
    leads = statement.subject[0] == first and statement.subject[1] - first == 1
    capital = tokens.words[first][0].isupper() and tokens.kinds[first] == WORD
    return frozenset(terms_of(tokens, first, first + 1)) if leads and capital else frozenset()


def _wanted_terms(
    terms: frozenset[str], context: frozenset[str], figure_tokens: set[str]
) -> frozenset[str]:
    """Return the claim's terms without figures, compared by value, and with its subject."""
    plain = frozenset(term for term in terms if not term[0].isdigit()) - figure_tokens
    return (plain or terms) | (context if len(plain) > 1 else frozenset())
