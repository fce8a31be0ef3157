"""A stored check as the engine reads it."""

from analysis.engine.types import Source, Submission
from analysis.models import Check


def submission_of(check: Check) -> Submission:
    """The engine's view of a check's input."""
    sources = None if check.sources is None else tuple(map(_source, enumerate(check.sources, 1)))
    return Submission(answer=check.answer, query=check.query, sources=sources)


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
