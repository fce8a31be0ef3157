"""Source verification by words alone, model name "lexical-1" (the risk API's RAG verification).

For each claim the best passages are chosen by an inverted index, then read for coverage,
figures, names and conflicts. The numbers it yields are lexical scores between 0 and 1, not
calibrated probabilities. Work is bounded: when a bound cuts something off, it is counted.
"""

import heapq
from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise

from analysis.engine.claims.extraction import METHOD_WHOLE, Reading, Statement
from analysis.engine.evidence.corpus import Corpus, build, facts_of, terms_of
from analysis.engine.rules.conflicts import (
    Asked,
    conflicts,
    leaves_open,
    speaks_of_another,
)
from analysis.engine.rules.figures import FigureFacts, Rewording
from analysis.engine.rules.opposites import ANTONYMS
from analysis.engine.rules.record_conflicts import Told, told
from analysis.engine.rules.statement_scope import Scope
from analysis.engine.rules.unsupported_entities import Known, absent_figures, absent_names, known
from analysis.engine.types import Conflict, ConflictKind, Coverage, NliScores, Source
from text.figures import labels
from text.names import names
from text.tokens import WORD, Tokens, tokenize

Against = dict[int, list[tuple[Conflict, float]]]
MODEL = "lexical-1"
COVERED = 0.5
"""Risk API: at least half of the claim's terms must be in the passage."""
CANDIDATES = 8
SPREAD = 3
"""Passages whose words may together carry a claim."""
_NEAR = 0.5
"""A word in at most so many passages speaks, by this share of its worth, for what is beside it."""
_STATED, _NOT_STATED = 0.95, 0.1
"""Support by a field of a record that says the same, and by one that says nothing."""
_MOST_MORE = 4
"""A field bears a claim out that says at most a fourth of its words beside it."""
MAX_CLAIMS = 5_000
MAX_POSTINGS = 2_000_000
MAX_READINGS = 20_000
_MISSING_FIGURE, _MISSING_NAME = 0.4, 0.5
_MISSING_PREDICATE = 0.6
"""A passage about the subject alone says nothing of what is claimed of it."""
_LEAST_CONTRADICTION = 0.6
_SAME_THING = 0.99
"""A rival statement has all words of the claim but the one in conflict."""
_CARRIED = 0.75
_SURE = 1.0
"""What an exact fact says against a claim is about the same thing."""
_SAYS_OTHERWISE = 0.3
"""Support by passages that have the claim's words and say something else."""


@dataclass(frozen=True, slots=True)
class Grounding:
    """What the sources say of one claim; passages are indices into the corpus."""

    support: float
    contradict: float
    coverage: Coverage
    figures_agree: bool | None
    supported_by: int | None
    contradicted_by: int | None
    ranked: tuple[tuple[int, float], ...]
    conflicts: tuple[Conflict, ...]
    checkable: bool
    disputed: bool = False
    """Whether one source carries the claim and another contradicts it."""
    rewordings: tuple[Rewording, ...] = ()


@dataclass(frozen=True, slots=True)
class Grounded:
    """All claims held against all sources; None for a claim that was not reached."""

    corpus: Corpus
    claims: tuple[Grounding | None, ...]
    cut: str
    """What was cut off, in words; empty where nothing was."""


def ground(reading: Reading, query: str, sources: tuple[Source, ...]) -> Grounded:
    """Hold every claim of the answer against the sources."""
    corpus = build(sources)
    statements = reading.statements[:MAX_CLAIMS]
    sources_hold = known(corpus, query)
    share = max(1, len(statements))
    budget = Budget(MAX_POSTINGS // share, min(CANDIDATES, max(1, MAX_READINGS // share)))
    seen: dict[tuple[frozenset[str], str], Grounding] = {}
    cut_claims, found = 0, []
    for statement in statements:
        asked = _ask(reading, statement, query)
        key = (asked.context, asked.text)
        if key not in seen:
            seen[key], cut = _one(asked, corpus, budget, sources_hold)
            cut_claims += cut
        found.append(seen[key])
    left = len(reading.statements) - len(statements)
    padded = tuple(found) + (None,) * left
    return Grounded(corpus, padded, _cut(left, cut_claims))


def scores_of(found: Grounding) -> NliScores:
    """Support and contradiction by words as the scores of a model of entailment."""
    entail, contradict = round(found.support, 4), round(found.contradict, 4)
    return NliScores(entail, contradict, round(max(0.0, 1 - entail - contradict), 4))


@dataclass(frozen=True, slots=True)
class Budget:
    """Work allowed for one claim: index entries looked at and passages read."""

    postings: int
    candidates: int


def _cut(left: int, cut_claims: int) -> str:
    parts = []
    if left:
        parts.append(f"{left} claims beyond the first {MAX_CLAIMS} were not checked")
    if cut_claims:
        parts.append(f"{cut_claims} claims were held against a part of the sources only")
    return "; ".join(parts)


def _ask(reading: Reading, statement: Statement, query: str) -> Asked:
    tokens, first, last = reading.tokens, statement.first, statement.last
    about = set(terms_of(tokens, *statement.subject))
    if statement.claim.extraction_method == METHOD_WHOLE and query:
        asked = tokenize(query)
        about |= set(terms_of(asked, 0, len(asked)))
    facts = facts_of(tokens, first, last, reading.figures_of(statement))
    figured = facts.figures.taken()
    named = [
        frozenset(terms_of(tokens, name.first, name.last))
        for name in names(tokens, first, last)
        if name.first not in figured
    ]
    named.append(_leading_name(reading, statement))
    terms, context = _terms(tokens, first, last), frozenset(about)
    return Asked(
        tokens,
        first,
        last,
        terms,
        context,
        tuple(name for name in named if name),
        facts,
        statement.claim.text,
        statement.subject[1] if statement.subject[0] >= first else first,
        _wanted(terms, context, {tokens.terms[at] for at in figured}),
        tuple(sorted((terms - context) & ANTONYMS.keys())),
    )


def _terms(tokens: Tokens, first: int, last: int) -> frozenset[str]:
    """The claim's terms; "Step 2" and "Passage 1" only where it says nothing else."""
    said = frozenset(terms_of(tokens, first, last))
    numbered = labels(tokens, first, last)
    kept = frozenset(
        tokens.terms[at] for at in range(first, last) if tokens.terms[at] and at not in numbered
    )
    return kept if numbered and kept else said


def _leading_name(reading: Reading, statement: Statement) -> frozenset[str]:
    """The first word where it is what the claim is about: another Bob says nothing of Ann."""
    tokens, first = reading.tokens, statement.first
    leads = statement.subject[0] == first and statement.subject[1] - first == 1
    capital = tokens.words[first][0].isupper() and tokens.kinds[first] == WORD
    return frozenset(terms_of(tokens, first, first + 1)) if leads and capital else frozenset()


def _one(
    asked: Asked, corpus: Corpus, budget: Budget, sources_hold: Known
) -> tuple[Grounding, bool]:
    ranked, cut = _candidates(asked, corpus, budget)
    scope = Scope.of(asked)
    stating = [index for index, _ in ranked if scope.is_stated(corpus, index)]
    figures = FigureFacts.of(asked, corpus, stating)
    by_words = {index: _against(scope, corpus, index) for index, _ in ranked}
    against = {
        index: [*found, *((conflict, _SURE) for conflict, _ in figures.conflicts(index))]
        for index, found in by_words.items()
    }
    barred = frozenset(
        index
        for index, found in against.items()
        if found
        or leaves_open(asked, corpus, index)
        or scope.leaves_open(corpus, index)
        or speaks_of_another(asked, corpus, index)
    )
    clean = [index for index, _ in ranked if index not in barred and not corpus.facts(index).asks]
    support, by, coverage, agree = _support(asked, corpus, clean, barred, figures)
    contradict, worst, found = _contradiction(against)
    if by is None and worst is None and ranked:
        # Passages speak of it, and none says it: that is not the same as nothing found.
        support, by, coverage, agree = _support(
            asked, corpus, [at for at, _ in ranked], frozenset(), figures
        )
        support = min(support, _SAYS_OTHERWISE)
    rival = None if support < COVERED else _rival(asked, corpus, by, by_words)
    if rival is not None:
        worst, found = rival
    record = told(asked, corpus)
    if record is not None and _says_elsewhere(corpus, support, by):
        record = None
    borne_out = record is not None and record.agrees and _says_no_more(record, asked)
    coverage = _everywhere(coverage, asked, corpus, sources_hold, borne_out, figures)
    if by is not None and corpus.records[corpus.passages[by].source]:
        coverage = replace(coverage, of_record=True)
    if not figures.conflicting and support >= COVERED and _all_stand(asked, corpus, by, coverage):
        contradict = min(contradict, support)
    if record is not None:
        support, by = _by_record(record, asked, support, by)
        contradict, worst, found = _against_record(record, asked, contradict, worst, found)
    return Grounding(
        support,
        contradict,
        coverage,
        agree,
        by,
        worst,
        tuple(ranked),
        tuple(found),
        bool(asked.terms),
        rival is not None,
        figures.rewordings(asked, corpus),
    ), cut


def _rival(
    asked: Asked, corpus: Corpus, by: int | None, by_words: Against
) -> tuple[int, list[Conflict]] | None:
    """A passage of another source that contradicts, of the same subject, what `by` says.

    With its conflicts. Records and their fields are compared elsewhere.
    """
    if by is None:
        return None
    own = corpus.passages[by].source
    for index, worded in by_words.items():
        source = corpus.passages[index].source
        if source == own or corpus.records[source] or corpus.facts(index).asks:
            continue
        found = [*worded, *FigureFacts.of(asked, corpus, [index]).conflicts(index)]
        about = max((about for one, about in found if _is_sure(asked, one)), default=0.0)
        if about >= _SAME_THING and _names_subject(asked, corpus, index):
            return index, [conflict for conflict, _ in found]
    return None


def _is_sure(asked: Asked, conflict: Conflict) -> bool:
    """Whether it is about the same thing.

    What a claim denies may be denied of a part only: "not all sauces are gravy". Another name in
    the opening words names another subject: employees in Oslo are not those in Tromso.
    """
    if conflict.kind is ConflictKind.NAME:
        opening = conflict.detail.partition("“")[2].partition("”")[0]
        if opening and asked.text.startswith(f"{opening} "):
            return False
    return not (conflict.kind is ConflictKind.NEGATION and asked.facts.negative)


def _names_subject(asked: Asked, corpus: Corpus, index: int) -> bool:
    """Whether the passage speaks of the claim's subject, by a pronoun at least."""
    subject = set(terms_of(asked.tokens, asked.first, max(asked.subject_end, asked.first + 1)))
    subject |= asked.context
    held = corpus.passages[index].terms
    if corpus.refers_back(index):
        held |= corpus.around(index)
    return not subject or not subject.isdisjoint(held)


def _against(scope: Scope, corpus: Corpus, index: int) -> list[tuple[Conflict, float]]:
    """What speaks against the claim in one passage."""
    framed = scope.conflict(corpus, index)
    return [*conflicts(scope.asked, corpus, index), *([framed] if framed else [])]


def _all_stand(asked: Asked, corpus: Corpus, by: int | None, coverage: Coverage) -> bool:
    """Whether no figure or name is missing and one passage carries the claim.

    A denial in another passage is then of something else.
    """
    strangers = coverage.absent_figures or coverage.absent_names
    return by is not None and not strangers and _carries(asked, corpus, by)


def _carries(asked: Asked, corpus: Corpus, index: int) -> bool:
    """Whether the passage itself has three quarters of the claim's terms and all its names."""
    terms = corpus.passages[index].terms
    shared = len(asked.terms & terms)
    return shared >= _CARRIED * len(asked.terms) and all(name <= terms for name in asked.names)


def _says_elsewhere(corpus: Corpus, support: float, by: int | None) -> bool:
    """Whether a source that is no record carries the claim: then it may speak of another."""
    return by is not None and support > COVERED and not corpus.records[corpus.passages[by].source]


def _everywhere(
    coverage: Coverage,
    asked: Asked,
    corpus: Corpus,
    sources_hold: Known,
    borne_out: bool,
    figures: FigureFacts,
) -> Coverage:
    """With what was looked for in all sources; a record that bears a claim out has its words."""
    part = asked.tokens, asked.first, asked.last
    return replace(
        coverage,
        phrases=_phrases(asked, corpus),
        absent_figures=0 if borne_out else absent_figures(*part, sources_hold, figures.settled),
        absent_names=0 if borne_out else absent_names(*part, corpus, sources_hold),
    )


def _by_record(
    record: Told, asked: Asked, support: float, by: int | None
) -> tuple[float, int | None]:
    """Support and its passage, where a record states outright what the claim says."""
    if record.conflicts:
        return 0.0, by
    if record.unstated:
        return min(support, _NOT_STATED), by
    if _says_no_more(record, asked) and support < _STATED:
        return _STATED, record.passage if record.passage is not None else by
    return support, by


def _against_record(
    record: Told, asked: Asked, contradict: float, worst: int | None, found: list[Conflict]
) -> tuple[float, int | None, list[Conflict]]:
    """The contradiction: a field that says otherwise outweighs words, one that agrees ends it."""
    if record.conflicts:
        at = record.passage if record.passage is not None else worst
        return 1.0, at, [*record.conflicts, *found]
    if record.agrees and _says_no_more(record, asked):
        return 0.0, None, []
    return contradict, worst, found


def _says_no_more(record: Told, asked: Asked) -> bool:
    """Whether the fields account for nearly all that the claim says."""
    more = asked.terms - asked.context - record.explained
    return len(more) * _MOST_MORE <= len(asked.terms)


def _candidates(
    asked: Asked, corpus: Corpus, budget: Budget
) -> tuple[list[tuple[int, float]], bool]:
    """The best passages by BM25, rarest terms first until the budget is spent."""
    postings, norms = corpus.postings, corpus.norms
    terms = sorted(
        (term for term in asked.terms | asked.context if term in postings),
        key=lambda term: (len(postings[term]), term),
    )
    scores: dict[int, float] = defaultdict(float)
    left = budget.postings
    for term in terms:
        held = postings[term]
        left -= len(held)
        if left < 0 and scores:
            break
        weight = corpus.idf(term)
        for index in held[: budget.postings]:
            scores[index] += weight * norms[index]
    _add_near(scores, corpus, terms)
    return _best(scores, corpus, budget.candidates), left < 0


def _add_near(scores: dict[int, float], corpus: Corpus, terms: list[str]) -> None:
    """Raise the passages that a rare word beside them speaks for."""
    for near, term in corpus.spoken_for(terms):
        if near in scores:
            scores[near] += _NEAR * corpus.idf(term) * corpus.norms[near]


def _best(scores: dict[int, float], corpus: Corpus, count: int) -> list[tuple[int, float]]:
    """Highest first, each text once; ties by the text, so that the order of sources is nothing."""
    wide = count
    while True:
        floor = min(heapq.nlargest(wide, scores.values()), default=0.0)
        kept = [(index, score) for index, score in scores.items() if score >= floor]
        kept.sort(key=lambda item: (-item[1], corpus.text_of(item[0])))
        once = {corpus.text_of(index): (index, score) for index, score in reversed(kept)}
        if len(once) >= count or len(kept) == len(scores):
            return [item for item in kept if once[corpus.text_of(item[0])] == item][:count]
        wide *= 4


def _support(
    asked: Asked,
    corpus: Corpus,
    indices: list[int],
    barred: frozenset[int],
    figures: FigureFacts,
) -> tuple[float, int | None, Coverage, bool | None]:
    """Support (0-1), the passage that gives most of it, coverage, whether all figures agree."""
    if not indices or not asked.terms:
        return 0.0, None, Coverage(None, None, 0.0), None
    windows = {index: _window(corpus, index, barred) for index in indices}
    best = max(indices, key=lambda index: _covered(asked, windows[index]))
    near = windows[best]
    spread = near.union(*(windows[index] for index in indices[:SPREAD]))
    alone, together = _covered(asked, near), _covered(asked, spread)
    figured = figures.share
    named = _share([bool(name & spread) and name <= spread for name in asked.names])
    score = max(alone, 0.7 * alone + 0.3 * together)
    if figured is not None and figured < 1:
        score *= _MISSING_FIGURE
    if named is not None and named < 1:
        score *= _MISSING_NAME + 0.3 * named
    said = asked.wanted - asked.context
    if said and said.isdisjoint(spread) and not asked.facts.negative:
        score *= _MISSING_PREDICATE
    agree = None if figured is None else figured == 1
    return score, best, Coverage(named, figured, round(alone, 4)), agree


def _phrases(asked: Asked, corpus: Corpus) -> float | None:
    """Share of neighbouring content words that stand so in a source; of a lone word, itself."""
    terms = terms_of(asked.tokens, asked.first, asked.last)
    if len(terms) == 1:
        return float(terms[0] in corpus.postings)
    share = _share([pair in corpus.pairs for pair in pairwise(terms)])
    return None if share is None else round(share, 4)


def _window(corpus: Corpus, index: int, barred: frozenset[int]) -> frozenset[str]:
    """Terms in the passage and beside it, but not those of a passage in conflict."""
    return corpus.passages[index].terms | corpus.around(index, barred)


def _covered(asked: Asked, held: frozenset[str]) -> float:
    return len(asked.wanted & held) / len(asked.wanted)


def _wanted(terms: frozenset[str], context: frozenset[str], figured: set[str]) -> frozenset[str]:
    """The claim's terms without its figures, which are compared by value, and its subject."""
    plain = frozenset(term for term in terms if not term[0].isdigit()) - figured
    return (plain or terms) | (context if len(plain) > 1 else frozenset())


def _share(hits: list[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None


def _contradiction(
    against: dict[int, list[tuple[Conflict, float]]],
) -> tuple[float, int | None, list[Conflict]]:
    """The strongest contradiction (0-1), its passage and what is in conflict."""
    best, where, what = 0.0, None, list[Conflict]()
    for index, found in against.items():
        if not found:
            continue
        about = max(share for _, share in found)
        strength = _LEAST_CONTRADICTION + 0.35 * about + 0.05 * (len(found) > 1)
        if strength > best:
            best, where, what = strength, index, [conflict for conflict, _ in found]
    return min(best, 1.0), where, what
