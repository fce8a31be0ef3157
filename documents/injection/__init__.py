"""Signs of prompt injection in texts that should be data: `scan`, and `wrap` for prompts."""

from documents.injection.results import THRESHOLD, Family, InjectionScan, Match
from documents.injection.rules import RULES
from documents.injection.scanning import scan
from documents.injection.wrapping import mark_as_data, new_boundary, wrap

__all__ = [
    "RULES",
    "THRESHOLD",
    "Family",
    "InjectionScan",
    "Match",
    "mark_as_data",
    "new_boundary",
    "scan",
    "wrap",
]
