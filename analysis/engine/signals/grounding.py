"""Source verification by words alone, model name "lexical-1" (the risk API's RAG verification).

For each claim the best passages are chosen by an inverted index, then examined for coverage,
figures, names and conflicts. The results are lexical scores between 0 and 1, not calibrated
probabilities. Work is bounded: whatever a limit cuts off is counted.
"""

from dataclasses import dataclass, replace
from itertools import chain
from time import perf_counter, thread_time

from analysis.engine.claims import assertions, replies
from analysis.engine.claims.reading import (
    METHOD_FIELD,
    METHOD_ROW,
    METHOD_WHOLE,
    Reading,
    Statement,
)
from analysis.engine.evidence.corpus import Corpus, build, flagged_texts, terms_of
from analysis.engine.evidence.framing import frame_of
from analysis.engine.evidence.hypotheses import is_bare
from analysis.engine.evidence.nearness import nearness
from analysis.engine.rules.conflicts import ClaimQuery, Comparison, compare
from analysis.engine.rules.fields import FieldMatch, Fields, Terms
from analysis.engine.rules.figures import FigureFacts, Rewording, has_different_figures, question_of
from analysis.engine.rules.record_conflicts import RecordMatch, match_records
from analysis.engine.rules.restatements import framed_otherwise, release_of, released, restated_by
from analysis.engine.rules.unsupported_entities import (
    KnownTerms,
    absent_figures,
    absent_names,
    asides,
    known_terms,
    says_nothing,
)
from analysis.engine.signal_types import Conflict, Coverage, NliScores
from analysis.engine.signals.support import (
    Budget,
    candidates_for,
    denies,
    phrases_of,
    query_of,
    support_of,
)
from analysis.engine.types import ConflictKind, Source
from lib.text.tokens import NUMBER, tokenize
from lib.text.vocabulary import Vocabulary
from lib.text.words import SUBJECT_PRONOUNS, word_set

_POINTING = SUBJECT_PRONOUNS | word_set("its their his her")
COVERED = 0.5
"""Risk API: at least half of the claim's terms must be in the passage."""
STATED, NOT_STATED = 0.95, 0.1
"""Support by a field of a record that says the same, and by one that says nothing."""
LIKELY = 0.6
"""Contradiction by sources that leave the claim open: a warning, not certain."""
_SO = Conflict(ConflictKind.FRAME, "the source affirms it", certain=True)
_NOWHERE = Conflict(ConflictKind.FRAME, "it is in none of the sources")


@dataclass(frozen=True, slots=True)
class Grounding:
    """The result of the sources for one claim; passages are indices into the corpus."""

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
    """True if one source carries the claim and another contradicts it."""
    rewordings: tuple[Rewording, ...] = ()
    stands: bool = False
    """True if a passage states it: each value of a row, or the statement that a reply affirms."""


def by_field(grounding: Grounding, field: FieldMatch) -> Grounding:
    """Return the result overridden by the value of a table's row and column."""
    if field.conflict is not None:
        is_told = any(each.kind is ConflictKind.FIELD for each in grounding.conflicts)
        return replace(
            grounding,
            support=min(grounding.support, NOT_STATED),
            contradict=1.0,
            contradicted_by=field.passage,
            conflicts=(*(() if is_told else (field.conflict,)), *grounding.conflicts),
            stands=False,
        )
    coverage = replace(
        grounding.coverage, entities=None, numbers=None, tokens_overlap=1.0, phrases=1.0,
        absent_figures=0, absent_names=0, of_record=True,
    )  # fmt: skip
    return replace(
        grounding, support=max(grounding.support, STATED), contradict=0.0, contradicted_by=None,
        conflicts=(), coverage=coverage, supported_by=field.passage, figures_agree=None,
        disputed=False, stands=True,
    )  # fmt: skip


def placed(grounding: Grounding, nearness: float) -> Grounding:
    """Return the result of a bare answer: that its words occur somewhere says nothing.

    That they are the value of the row and column asked for does.
    """
    coverage = replace(grounding.coverage, nearness=nearness)
    return replace(grounding, coverage=coverage, stands=coverage.of_record and grounding.stands)


def restated(grounding: Grounding, passage: int) -> Grounding:
    """Return the result of a claim that a passage states in equivalent words."""
    support = max(grounding.support, STATED)
    return replace(grounding, support=support, supported_by=passage, stands=True)


def denied(grounding: Grounding, *, joined: bool) -> Grounding:
    """Return the result of "No." from the sources' result for the question.

    A certain conflict confirms it whatever a judge says, and only a passage that states the
    question's statement is against it; the judge decides everything else. If several things are
    `joined` in the question, a statement may be about one of them.
    """
    coverage = replace(
        grounding.coverage, entities=None, numbers=None, absent_figures=0, absent_names=0
    )
    if grounding.contradict > grounding.support:
        return replace(
            grounding, support=grounding.contradict, contradict=0.0,
            supported_by=grounding.contradicted_by, contradicted_by=None, conflicts=(),
            figures_agree=None, coverage=coverage,
            stands=any(conflict.certain for conflict in grounding.conflicts),
        )  # fmt: skip
    if grounding.stands and not joined:
        return replace(
            grounding, support=NOT_STATED, contradict=1.0, contradicted_by=grounding.supported_by,
            conflicts=(_SO,), stands=False,
        )  # fmt: skip
    return replace(
        grounding, support=min(grounding.support, COVERED), contradict=0.0, contradicted_by=None,
        conflicts=(), coverage=coverage, stands=False,
    )  # fmt: skip


def absent_everywhere(grounding: Grounding) -> Grounding:
    """Return the result of an assumed figure that no source contains."""
    return replace(
        grounding, support=min(grounding.support, NOT_STATED), contradict=LIKELY,
        conflicts=(_NOWHERE, *grounding.conflicts), stands=False,
    )  # fmt: skip


Against = dict[int, list[tuple[Conflict, float]]]
"""For each passage its conflicts with the claim, with the overlap of their topics (0-1)."""
MODEL = "lexical-1"
CANDIDATES = 8
MAX_CLAIMS = 5_000
SECONDS = 6.0
"""Work on the claims; after it no further ones are compared with the sources."""
MAX_POSTINGS = 2_000_000
MAX_READINGS = 20_000
_MOST_PLACED = 8
"""Claims of an answer in which the place of a bare one is looked for: in longer ones it does not
count, and every claim reads all sources for it."""
_LEAST_CONTRADICTION = 0.6
_SURE = 1.0
"""The topic overlap of a conflict by exact fact: certain."""
_SAYS_OTHERWISE = 0.3
"""Support by passages that have the claim's words with another meaning."""


@dataclass(frozen=True, slots=True)
class Grounded:
    """All claims compared with all sources; None for a claim that was not reached."""

    corpus: Corpus
    claims: tuple[Grounding | None, ...]
    cut: str
    """The part that was cut off, in words; empty where nothing was."""
    asides: tuple[str, ...] = ()
    """Sentences that may take back a claim, of which no source says anything."""


def ground(reading: Reading, query: str, sources: tuple[Source, ...]) -> Grounded:
    """Compare every claim of the answer with the sources."""
    corpus = build(sources)
    statements = reading.statements[:MAX_CLAIMS]
    sources_hold = known_terms(corpus, query)
    share = max(1, len(statements))
    budget = Budget(MAX_POSTINGS // share, min(CANDIDATES, max(1, MAX_READINGS // share)))
    groundings: dict[tuple[Terms, str, Terms], tuple[Grounding, Terms]] = {}
    cut_claims, results = 0, list[Grounding | None]()
    fields = Fields(corpus)
    read = [(source.text, source.title, source.uri, source.source_id) for source in sources]
    ignored = [*chain.from_iterable(map(flagged_texts, sources))]
    vocabulary = Vocabulary([query, read], ignored=ignored)
    began, by_clock = thread_time(), perf_counter()
    for statement in statements:
        # The thread's own time cannot exceed the clock's, and reading it is slow.
        if perf_counter() - by_clock > SECONDS and thread_time() - began > SECONDS:
            break
        claim_query = query_of(reading, statement, query)
        goes_on = _goes_on(reading, statement)
        key = (claim_query.context, claim_query.text, fields.named if goes_on else Terms())
        if key not in groundings:
            grounding, is_cut = _ground_claim(claim_query, corpus, budget, sources_hold)
            method = statement.claim.extraction_method
            field = fields.match(claim_query, goes_on=goes_on)
            if field is None and method in (METHOD_FIELD, METHOD_ROW):
                ranked = (index for index, _ in grounding.ranked)
                field = fields.match_value(claim_query, ranked)
            grounding = by_field(grounding, field) if field else grounding
            groundings[key] = grounding, fields.named
            cut_claims += is_cut
        grounding, fields.named = groundings[key]
        if not claim_query.own_words and denies(reading, statement):
            grounding = denied(grounding, joined=replies.joins(query))
        elif grounding.coverage.absent_figures and _is_granted(reading, statement):
            grounding = absent_everywhere(grounding)
        elif _is_answer(reading, statement, query) and says_nothing(claim_query, corpus):
            grounding = replace(grounding, checkable=False)
        near = _nearness(reading, statement, query, corpus)
        grounding = grounding if near is None else placed(grounding, near)
        if names := vocabulary.unknown_in_prose(_written(reading, len(results))):
            coverage = replace(grounding.coverage, unknown_names=names)
            grounding = replace(grounding, coverage=coverage)
        results.append(grounding)
    omitted = len(reading.statements) - len(results)
    padded = tuple(results) + (None,) * omitted
    return Grounded(corpus, padded, _cut(omitted, cut_claims), asides(reading, corpus, query))


def _written(reading: Reading, at: int) -> str:
    """Return a claim as it was written, with an address behind it, which is not read."""
    claim, later = reading.statements[at].claim, reading.statements[at + 1 : at + 2]
    line_end = reading.text.find("\n", claim.end)
    ends = [line_end if line_end >= 0 else len(reading.text), *(s.claim.start for s in later)]
    return reading.text[claim.start : max(claim.end, min(ends))]


def _is_answer(reading: Reading, statement: Statement, query: str) -> bool:
    """Return whether a claim is the whole answer, and no reply or option of the question.

    The judge can relate yes, no and "Option B" to the question itself.
    """
    if statement.claim.extraction_method != METHOD_WHOLE:
        return False
    line = reading.lines[statement.sentence]
    words = reading.tokens.words[line.first : line.last]
    if any(len(word) == 1 and word.isalpha() and word in tokenize(query).words for word in words):
        return False
    is_reply = replies.is_reply(reading.tokens, line.first, line.last)
    return not (is_reply and replies.asks_yes_or_no(query))


def _goes_on(reading: Reading, statement: Statement) -> bool:
    """Return whether a claim is about what the one before it is about: "its battery is low"."""
    first, last = statement.subject
    is_own = statement.first <= first < statement.last
    kinds = reading.tokens.kinds[first:last]
    return not is_own or reading.tokens.lower[first] in _POINTING or {*kinds} == {NUMBER}


def _nearness(reading: Reading, statement: Statement, query: str, corpus: Corpus) -> float | None:
    """Return how near a name or figure stands to its question's words; None for other claims."""
    is_entry = statement.claim.extraction_method in (METHOD_FIELD, METHOD_ROW)
    is_long = len(reading.statements) > _MOST_PLACED
    if not query or is_long or is_entry or not is_bare(reading, statement):
        return None
    question = tokenize(query)
    answer = terms_of(reading.tokens, statement.first, statement.last)
    return nearness(corpus, answer, terms_of(question, 0, len(question)))


def _is_granted(reading: Reading, statement: Statement) -> bool:
    """Return whether a claim is a courtesy or an offer that takes a figure for granted."""
    line = reading.lines[statement.sentence]
    tokens = reading.tokens
    return assertions.is_social(tokens, line.first, line.last) or (
        assertions.is_question(tokens, line.first, line.last)
        and assertions.takes_for_granted(tokens, line.first, line.last)
    )


def scores_of(grounding: Grounding) -> NliScores:
    """Return support and contradiction by words, and the share that words leave open."""
    entail, contradict = round(grounding.support, 4), round(grounding.contradict, 4)
    return NliScores(entail, contradict, round(max(0.0, 1 - entail - contradict), 4))


def _cut(omitted: int, cut_claims: int) -> str:
    parts = []
    if omitted:
        limits = f"{SECONDS:g} s of work or the first {MAX_CLAIMS} claims"
        parts.append(f"{omitted} claims were not checked within {limits}")
    if cut_claims:
        parts.append(f"{cut_claims} claims were compared with only part of the sources")
    return "; ".join(parts)


def _ground_claim(
    claim: ClaimQuery, corpus: Corpus, budget: Budget, sources_hold: KnownTerms
) -> tuple[Grounding, bool]:
    question = question_of(claim)
    # "Not opened" is looked for as "unopened" too.
    other_forms = frozenset(f"un{head}" for head in claim.facts.denied)
    order, is_cut = candidates_for(claim, corpus, budget, other_forms)
    frame, release = frame_of(claim.tokens, claim.first, claim.last), release_of(claim)
    ranked = [index for index, _ in order]
    telling = [index for index in ranked if not corpus.facts(index).asks]
    stating = [index for index in telling if corpus.frame(index) == frame]
    figures = FigureFacts.of(claim, question, corpus, stating)
    compared = compare(claim, corpus, telling)
    against: Against = {}
    for index in ranked:
        scoped = framed_otherwise(claim, frame, corpus, index)
        scoped = scoped or released(claim, release, corpus, index)
        against[index] = [(scoped, _SURE)] if scoped else []
    for index, figured in figures.conflicts():
        against[index] = [*against[index], figured]
    surely = _certain_conflicts_of(compared, figures.conflicting)
    for index, conflict in surely:
        against[index] = [*against[index], (conflict, _SURE)]
    barred = compared.apart.union(index for index in against if against[index])
    clean = [index for index in telling if index not in barred]
    support, by, coverage, agree = support_of(claim, corpus, clean, barred, figures)
    contradict, worst, worst_conflicts = _contradiction(against)
    if worst is not None and has_different_figures(claim, corpus, worst, worst_conflicts, figures):
        worst_conflicts = [replace(each, certain=True) for each in worst_conflicts]
    if by is None and worst is None and order:
        # Passages mention it, but none states it: weaker than support, stronger than nothing.
        support, by, coverage, agree = support_of(claim, corpus, ranked, frozenset(), figures)
        support = min(support, _SAYS_OTHERWISE)
    rival = None if support < COVERED else _rival(corpus, by, compared)
    if rival is not None:
        worst, worst_conflicts = rival
    of_record = by is not None and corpus.is_record(by)
    # A claim that prose carries may be about another thing than the record.
    by_prose = by is not None and not of_record and support > COVERED
    record = None if by_prose else match_records(claim, corpus)
    borne_out = record is not None and record.agrees and record.nothing_more
    coverage = _everywhere(coverage, claim, corpus, sources_hold, borne_out, figures, of_record)
    if surely:
        support = min(support, _SAYS_OTHERWISE)
        worst, worst_conflicts = surely[0][0], [conflict for _, conflict in surely]
    if record is not None:
        support, by = _by_record(record, support, by)
        contradict, worst, worst_conflicts = _against_record(
            record, contradict, worst, worst_conflicts
        )
    rewordings = figures.rewordings(claim, corpus)
    affirmed = not claim.own_words and not worst_conflicts and bool(compared.stating)
    grounding = Grounding(
        support, contradict, coverage, agree, by, worst, tuple(order), tuple(worst_conflicts),
        bool(claim.terms), rival is not None, rewordings, stands=affirmed,
    )  # fmt: skip
    if claim.own_words and not worst_conflicts:
        stating = [index for index in telling if not against[index]]
        passage = restated_by(claim, rewordings, corpus, stating)
        grounding = grounding if passage is None else restated(grounding, passage)
    return grounding, is_cut


def _certain_conflicts_of(compared: Comparison, figured: bool) -> list[tuple[int, Conflict]]:
    """Return certain conflicts with the same subject, each with the passage's index.

    If figures are `figured` to conflict, those conflicts name them with their units.
    """
    if compared.stating:
        return []
    return [
        (at, conflict)
        for at, conflict in compared.conflicts.items()
        if not (figured and conflict.kind is ConflictKind.NUMBER)
    ]


def _rival(
    corpus: Corpus, by: int | None, compared: Comparison
) -> tuple[int, list[Conflict]] | None:
    """Return a passage that contradicts the claim although passage `by` supports it.

    It is in another source, or says the same of another number. Data is compared elsewhere.
    """
    if by is None:
        return None
    own, refers_back = corpus.passages[by].source, corpus.refers_back(by)
    for index, conflict in compared.conflicts.items():
        is_number = conflict.kind is ConflictKind.NUMBER and index not in corpus.data
        is_alike = is_number and not refers_back and not corpus.refers_back(index)
        if corpus.passages[index].source != own or is_alike:
            return index, [conflict]
    return None


def _everywhere(
    coverage: Coverage,
    claim: ClaimQuery,
    corpus: Corpus,
    sources_hold: KnownTerms,
    borne_out: bool,
    figures: FigureFacts,
    of_record: bool,
) -> Coverage:
    """Add coverage over all sources; a record that confirms a claim has its words."""
    part = claim.tokens, claim.first, claim.last
    return replace(
        coverage,
        phrases=phrases_of(claim, corpus),
        absent_figures=0 if borne_out else absent_figures(*part, sources_hold, figures.settled),
        absent_names=0 if borne_out else absent_names(*part, corpus, sources_hold),
        of_record=of_record,
    )


def _by_record(record: RecordMatch, support: float, by: int | None) -> tuple[float, int | None]:
    """Return support and its passage if a record directly states the claim."""
    if record.conflicts:
        return 0.0, by
    if not record.agrees:
        return min(support, NOT_STATED), by
    if record.nothing_more and support < STATED:
        return STATED, record.passage if record.passage is not None else by
    return support, by


def _against_record(
    record: RecordMatch,
    contradict: float,
    worst: int | None,
    conflicts: list[Conflict],
) -> tuple[float, int | None, list[Conflict]]:
    """Return the contradiction: a conflicting field overrides words, a matching one clears it."""
    at = record.passage if record.passage is not None else worst
    if record.conflicts:
        return 1.0, at, [*record.conflicts, *conflicts]
    if record.gaps:
        return max(contradict, LIKELY), at, [*record.gaps, *conflicts]
    if record.agrees and record.nothing_more:
        return 0.0, None, []
    return contradict, worst, conflicts


def _contradiction(against: Against) -> tuple[float, int | None, list[Conflict]]:
    """Return the strongest contradiction (0-1), its passage and the conflicts."""
    best, where, what = 0.0, None, list[Conflict]()
    for index, rows in against.items():
        if not rows:
            continue
        about = max(share for _, share in rows)
        strength = _LEAST_CONTRADICTION + 0.35 * about + 0.05 * (len(rows) > 1)
        if strength > best:
            best, where, what = strength, index, [conflict for conflict, _ in rows]
    return min(best, 1.0), where, what
