"""Suggests questions that the searched collections can answer, instead of a refused one."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

import structlog
from django.conf import settings
from django.db import OperationalError, connection, transaction

from analysis.engine.evidence.corpus import build
from analysis.engine.policy import PolicyRules, candidates
from analysis.engine.safety.checks import check
from analysis.engine.safety.model import SafetyFacts, SafetyThresholds
from analysis.engine.safety.scope import searched_scope
from analysis.engine.safety.suggested_questions import questions_of
from analysis.engine.signal_types import Measurement
from analysis.engine.signals import relevance
from analysis.engine.signals.runner import log_failure
from analysis.engine.types import Action, SignalStatus
from analysis.engine.verdict.safety_action import retrieval_action
from analysis.engine.verdict_types import Decision
from analysis.models import Check
from analysis.selectors.submissions import document_choice, found_sources, scope_of, within
from documents.evidence import EvidenceChunk
from documents.lexical import terms
from documents.models import Collection
from documents.retrieval import SearchOptions, search
from documents.selectors import named_collections
from inference.errors import ModelError

log = structlog.get_logger(__name__)
MOST_OFFERED = 3
_PASSAGES = 4
_NEAR = 8
"""Passages that questions are made from: the nearest."""
_FLOOR = 0.05
"""Low: what is nearer than this concerns the question's subject, even if it does not answer it."""
_MOST_TRIED = 12
NOT_REFUSED = "The answer was not refused because of what the search found."
NOT_SEARCHED = "No collections were searched."
NONE_FOUND = "No similar question was found that the collections can answer."
OUT_OF_TIME = "There was no time to look for more."
NO_MODEL = "The embedding model is missing."


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Questions that pass the retrieval checks.

    `status` and `reason` describe the search for them.
    """

    status: SignalStatus
    reason: str = ""
    questions: tuple[str, ...] = ()


NOT_LOOKED_FOR = Suggestions(SignalStatus.NOT_APPLICABLE, NOT_REFUSED)


def suggested_questions(
    check: Check, measurement: Measurement, decision: Decision, rules: PolicyRules
) -> Suggestions:
    """Suggest up to three questions instead of a refused one. Never raises: failure is a status."""
    rules = dict(candidates(rules, check.collections))[decision.override or ""]
    if retrieval_action(measurement, decision.safety, rules) is not Action.BLOCK:
        return NOT_LOOKED_FOR
    if not check.collections or not check.query.strip():
        return Suggestions(SignalStatus.NOT_APPLICABLE, NOT_SEARCHED)
    questions = list[str]()
    try:
        with _at_most(settings.SUGGESTION_SECONDS) as in_time:
            collections, _ = named_collections(check.application_id, check.collections)
            searched_collections = within(check, collections)
            for question in _candidates(check, searched_collections):
                if len(questions) == MOST_OFFERED or not in_time():
                    break
                if _passes(check, searched_collections, question, rules.safety.thresholds):
                    questions.append(question)
            is_complete = in_time()
    except ModelError:
        return Suggestions(SignalStatus.UNAVAILABLE, NO_MODEL, tuple(questions))
    except OperationalError:
        return Suggestions(SignalStatus.TRUNCATED, OUT_OF_TIME, tuple(questions))
    except Exception as error:  # noqa: BLE001 - a stated outcome; the verdict stands without it
        log_failure("suggested_questions", error)
        reason = f"The search for other questions failed with {type(error).__name__}."
        return Suggestions(SignalStatus.ERROR, reason, tuple(questions))
    if not is_complete:
        return Suggestions(SignalStatus.TRUNCATED, OUT_OF_TIME, tuple(questions))
    return Suggestions(SignalStatus.OK, "" if questions else NONE_FOUND, tuple(questions))


@contextmanager
def _at_most(seconds: float) -> Iterator[Callable[[], bool]]:
    """Limit every statement in the block to `seconds`.

    Yield a function that tells if any are left.
    """
    ends = perf_counter() + seconds
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = %s", [max(1, round(seconds * 1000))])
        yield lambda: perf_counter() < ends
        cursor.execute("SET LOCAL statement_timeout = DEFAULT")


def _candidates(check: Check, collections: Sequence[Collection]) -> list[str]:
    """Return questions made from the passages nearest to the check's.

    Those that share a term with the query come first. Passages flagged as injections are skipped.
    """
    query, choice = check.query, document_choice(check.scope)
    options = SearchOptions(relevance_floor=_FLOOR, score_floor=0.0, rerank=False, documents=choice)
    near = search(collections, query, _NEAR, options)
    questions = (question for chunk in near if not _is_flagged(chunk)
            for question in questions_of(chunk.text))  # fmt: skip
    own_question, subject = query.strip().casefold(), set(terms(query))
    other = (item for item in dict.fromkeys(questions) if item.casefold() != own_question)
    return sorted(other, key=lambda item: not subject & set(terms(item)))[:_MOST_TRIED]


def _is_flagged(chunk: EvidenceChunk) -> bool:
    return bool(chunk.injection and chunk.injection["flagged"])


def _passes(
    original: Check, collections: Sequence[Collection], question: str, limits: SafetyThresholds
) -> bool:
    """Return whether the question passes the pipeline's retrieval checks."""
    options = SearchOptions(documents=document_choice(original.scope))
    sources = found_sources(search(collections, question, _PASSAGES, options))
    scope = searched_scope(
        question, original.scope, [scope_of(collection) for collection in collections]
    )
    facts = SafetyFacts(
        passages=relevance.measure(question, build(tuple(sources))).passages,
        basis=relevance.BY_SEARCH,
        out_of_scope=scope.outside if scope else "",
    )
    return not check(facts, limits).should_reject
