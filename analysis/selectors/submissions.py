"""A stored check as the engine reads it."""

from dataclasses import replace

from analysis.engine.types import Measurement, Signal, SignalState, SignalStatus, Source, Submission
from analysis.models import Check

# What clients may already send, though nothing measures it yet.
_UNMEASURED = {
    "collections": (Signal.RETRIEVAL, "This version has no document collections to search."),
    "samples": (Signal.CONSISTENCY, "Samples are kept; this version does not compare them."),
    "token_logprobs": (Signal.UNCERTAINTY, "Log-probabilities are kept; not measured yet."),
}


def submission_of(check: Check) -> Submission:
    """The engine's view of a check's input."""
    sources = None if check.sources is None else tuple(map(_source, enumerate(check.sources, 1)))
    return Submission(answer=check.answer, query=check.query, sources=sources)


def with_unmeasured(check: Check, measurement: Measurement) -> Measurement:
    """The measurement with a state `unavailable` for whatever was asked for and not measured."""
    missing = {
        signal.value: SignalState(SignalStatus.UNAVAILABLE, reason, "", 0.0)
        for field, (signal, reason) in _UNMEASURED.items()
        if getattr(check, field)
    }
    return replace(measurement, states=measurement.states | missing) if missing else measurement


def _source(numbered: tuple[int, str | dict[str, str]]) -> Source:
    number, given = numbered
    if isinstance(given, str):
        return Source(source_id=f"source_{number}", text=given)
    return Source(
        source_id=str(given.get("id") or f"source_{number}"),
        text=given["text"],
        title=given.get("title", ""),
        uri=given.get("uri", ""),
    )
