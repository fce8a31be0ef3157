"""Attributes of a check's tracing spans."""

from collections import Counter

from analysis.engine import Decision
from analysis.models import Check
from analysis.selectors.submissions import Prepared, prepare
from lib.telemetry.attributes import GUARDRAIL, KIND, RETRIEVER, documents, input_attributes, text
from lib.telemetry.tracing import Attributes, span


def input_of(check: Check) -> Attributes:
    ids = {"check_id": str(check.pk), "application_id": str(check.application_id)}
    return input_attributes(GUARDRAIL, check.query, check.answer, ids)


def prepared(check: Check) -> Prepared:
    """Return the check as the engine reads it, in a span with its sources."""
    with span("retrieve", {KIND: RETRIEVER, **text("input", check.query)}) as retrieval_span:
        prepared_check = prepare(check)
        sources = prepared_check.submission.sources or ()
        retrieval_span.set(documents([(s.source_id, s.text, s.relevance) for s in sources]))
        return prepared_check


def verdict_of(decision: Decision) -> Attributes:
    """Return action, risk and the number of claims by status as span attributes."""
    claims = Counter(str(claim.status) for claim in decision.claims)
    claim_counts = {
        f"watchdog.claims.{status.lower().replace(' ', '_')}": count
        for status, count in claims.items()
    }
    return {
        "watchdog.action": str(decision.action),
        "watchdog.risk_score": decision.risk.risk_score,
        "watchdog.risk_level": str(decision.risk.risk_level),
        **claim_counts,
        **text("output", decision.final_response),
    }
