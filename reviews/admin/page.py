"""What the desk sees of a check beyond the confidence view: its sources, whole."""

from dataclasses import dataclass
from typing import Any

from analysis.engine.evidence.records import for_people
from analysis.models import Check
from analysis.selectors.submissions import sources_of
from confidence.detail import is_link, to_json


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text the answer was compared with."""

    number: int
    source_id: str
    title: str
    text: str
    address: str
    is_link: bool


def sources(check: Check) -> list[SourceText] | None:
    """The sources that the client sent; None where it sent none."""
    sources = sources_of(check)
    if sources is None:
        return None
    return [
        SourceText(
            n, s.source_id, s.title or s.source_id, for_people(s.text), s.uri, is_link(s.uri)
        )
        for n, s in enumerate(sources, 1)
    ]


def raw(doc: dict[str, Any]) -> str:
    """The verdict as it is stored; each claim has its own."""
    left_out = ("answer", "final_spans")
    return to_json({name: value for name, value in doc.items() if name not in left_out})
