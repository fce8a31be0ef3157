"""Exact facts: every figure of a claim against what the source says of the same thing."""

from itertools import permutations
from math import fsum
from pathlib import Path
from typing import NamedTuple

import pytest

from analysis.engine.facts.find import facts
from analysis.engine.facts.model import FigureEvidence, Relation, TextSpan
from analysis.engine.facts.reading import Evidence, FigureQuery, Subject, match, weighted
from lib.text.sentences import sentences
from lib.text.tokens import tokenize
from tests.tables import tables

TABLES = tables(__file__)


class Case(NamedTuple):
    claim: str
    source: str
    figure: str
    relation: str


LINES = Path(__file__).with_name("cases.txt").read_text().splitlines()
CASES = [Case(*line.split(" | ")) for line in LINES if line and not line.startswith("#")]


def passages(text: str) -> list[TextSpan]:
    """Return the sentences of a text, each with the terms of adjacent ones."""
    tokens = tokenize(text)
    spans = [tokens.between(sentence.start, sentence.end) for sentence in sentences(text)]
    terms = [frozenset(filter(None, tokens.terms[first:last])) for first, last in spans]
    return [
        TextSpan(text, tokens, *span, frozenset[str]().union(*terms[max(0, at - 1) : at + 2]))
        for at, span in enumerate(spans)
    ]


def facts_of_text(claim: str, source: str) -> tuple[FigureEvidence, ...]:
    tokens = tokenize(claim)
    query = FigureQuery.of(TextSpan(claim, tokens, 0, len(tokens)))
    return facts(query, [Evidence(passage) for passage in passages(source)])


def relations_of(case: Case) -> list[str]:
    fact_list = facts_of_text(case.claim, case.source)
    spans = [(fact, case.claim[slice(*fact.claim_span)]) for fact in fact_list]
    return [fact.relation.value for fact, text in spans if text == case.figure] or ["none"]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.claim}-{case.source}" for case in CASES])
def test_relation(case):
    # A range of hours has a fact for each of its ends.
    assert case.relation in relations_of(case)


def test_reason_and_spans():
    source = "Ladders are heavy. Ladders must extend at least 3 feet (0.9 m)."
    (fact,) = facts_of_text("Ladders must extend at least 3 inches.", source)
    assert fact.reason == "the source says “at least 3 feet”"
    assert fact.evidence == 1
    assert source[slice(*fact.evidence_span)] == "at least 3 feet"


def test_the_same_number_in_another_currency_certainly_conflicts() -> None:
    (fact,) = facts_of_text("The Gold card costs €95.", "The Gold card costs £95. Cash costs £3.")
    assert (fact.relation, fact.certain) == (Relation.CONFLICTING, True)


def test_figure_of_the_same_person_is_the_proof():
    source = "Primary caregivers get 16 weeks. Secondary caregivers get 4 weeks."
    (fact,) = facts_of_text("Secondary caregivers get 6 weeks.", source)
    assert fact.reason == "the source says “4 weeks”"


def test_a_count_is_not_compared_with_another_count_of_the_source():
    source = "Mugs cost EUR 7.50 each. We have 4 mugs."
    by_span = {fact.claim_span: fact for fact in facts_of_text("Two mugs cost EUR 15.00.", source)}
    count = by_span[(0, 3)]
    assert (count.relation, count.evidence_span) == (Relation.ENTAILED, None)


def test_a_computation_is_told():
    (_, fact) = facts_of_text("Two mugs cost EUR 15.00.", "The mugs cost EUR 7.50 each.")
    assert fact.reason == "follows from the source: 2 × EUR 7.50"


def test_nothing_is_said_of_a_claim_without_figures():
    assert facts_of_text("The mill closed.", "The mill closed in 1990.") == ()


@pytest.mark.parametrize("text", TABLES["copied sentences"])
def test_the_figures_of_a_copied_sentence_do_not_oppose_each_other(text: str) -> None:
    assert {fact.relation for fact in facts_of_text(text.rstrip("."), text)} == {Relation.EQUAL}


def test_a_pronoun_stands_for_the_subject_of_the_sentence_before() -> None:
    source = "SSN College was founded in 1996. SSN College closed in 2019."
    before = frozenset(filter(None, tokenize("SSN College was founded in 1996.").terms))
    tokens = tokenize("It definitely closed in 2026.")
    claim = TextSpan("", tokens, 0, len(tokens), before)
    (fact,) = facts(FigureQuery.of(claim), [Evidence(passage) for passage in passages(source)])
    assert (fact.relation, fact.reason) == (Relation.CONFLICTING, "the source says “2019”")


def test_a_match_is_an_exact_sum():
    """The order of a set differs from process to process, and a tie must not."""
    claim = weighted(Subject(frozenset({"cream", "bowl"}), frozenset({"week", "collect", "step"})))
    source = Subject(frozenset({"cream", "week"}), frozenset({"bowl"}), frozenset({"step"}))
    weights = claim.weights
    parts = weights["cream"], weights["week"], 0.4 * weights["bowl"], 0.3 * weights["step"]
    assert len({sum(order) for order in permutations(parts)}) > 1
    assert match(claim, source, frozenset()) == fsum(parts) / claim.total
