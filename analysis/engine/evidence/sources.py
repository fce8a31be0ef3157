"""Normalises `rag_results` of any client format to sources; reports what is unusable."""

from typing import Any

from analysis.engine.evidence.records import as_text, unfit
from analysis.engine.types import Source

_TEXT = ("text", "content", "page_content", "document", "passage", "body", "snippet", "chunk")
_TITLE = ("title", "name", "heading")
_ID = ("id", "source_id", "doc_id", "_id", "chunk_id")
_URI = ("uri", "url", "source", "link")
_SHAPES = "a string, a list of strings or a list of objects with a text or a record"


def normalise(rag_results: Any) -> tuple[tuple[Source, ...] | None, list[str]]:
    """Return the sources (None if none were given) and warnings in words."""
    if rag_results is None:
        return None, []
    if isinstance(rag_results, str):
        rag_results = [rag_results]
    if not isinstance(rag_results, (list, tuple)):
        warning = (
            f"rag_results must be {_SHAPES}, not {type(rag_results).__name__}; treated as none"
        )
        return None, [warning]
    sources, warnings = list[Source](), list[str]()
    for at, item in enumerate(rag_results):
        source = _source(item, at)
        if source is None:
            warnings.append(f"rag_results[{at}] has no text ({type(item).__name__}); left out")
        elif source.text.strip():
            sources.append(source)
    return tuple(sources) or None, warnings


def _source(item: Any, at: int) -> Source | None:
    if isinstance(item, str):
        return Source(f"s{at + 1}", item)
    if not isinstance(item, dict):
        return None
    text = _first(item, _TEXT)
    text = _record(item) if text is None else text
    if text is None:
        return None
    title, uri = _first(item, _TITLE) or "", _first(item, _URI) or ""
    return Source(_identity(item) or f"s{at + 1}", text, title, uri)


def _first(item: dict[Any, Any], keys: tuple[str, ...]) -> str | None:
    return next((item[key] for key in keys if isinstance(item.get(key), str)), None)


def _record(item: dict[Any, Any]) -> str | None:
    """Return the `record` of an item as text, or None if it has none that can be read."""
    return as_text(item["record"]) if "record" in item and unfit(item["record"]) is None else None


def _identity(item: dict[Any, Any]) -> str:
    values = map(item.get, _ID)
    usable = (str(v) for v in values if isinstance(v, (str, int)) and not isinstance(v, bool))
    return next(filter(None, usable), "")
