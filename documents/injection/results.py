"""Results of a scan: a signal with evidence, never a verdict."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Family(StrEnum):
    """The kinds of attack; docs/concepts/injection.md gives examples."""

    OVERRIDE = "override"
    EXTRACTION = "extraction"
    ROLE = "role"
    DELIMITER = "delimiter"
    AUTHORITY = "authority"
    SECRECY = "secrecy"
    OUTPUT = "output"
    EXFILTRATION = "exfiltration"
    ENCODING = "encoding"
    SWITCH = "switch"
    ADDRESS = "address"
    PLANTED = "planted"


@dataclass(frozen=True, slots=True)
class Match:
    """One piece of evidence: code points [start, end) of the original text."""

    family: Family
    start: int
    end: int
    words: str
    """The matched words as read after folding; for decoded text, the decoded words."""
    score: float
    """From 0 to 1: how much this piece alone speaks for an attack."""
    disguised: bool = False
    """True if the match needed folding of disguised characters, or decoding of base64."""


@dataclass(frozen=True, slots=True)
class InjectionScan:
    """The evidence in one text and a score from 0 to 1 (see docs/concepts/injection.md)."""

    score: float
    matches: tuple[Match, ...] = ()

    @property
    def flagged(self) -> bool:
        """True if the score reaches the threshold; the policy decides what follows."""
        return self.score >= THRESHOLD

    @property
    def families(self) -> tuple[Family, ...]:
        """The families with evidence, in the order of their first match."""
        return tuple(dict.fromkeys(match.family for match in self.matches))

    def payload(self) -> dict[str, Any] | None:
        """Return `score`, `flagged` and `matches` for JSON; None without evidence."""
        if not self.matches:
            return None
        matches = [asdict(match) | {"family": match.family.value} for match in self.matches]
        return {"score": self.score, "flagged": self.flagged, "matches": matches}


THRESHOLD = 0.5
"""Score from which a scan counts as flagged; docs/concepts/injection.md has its error rates."""
