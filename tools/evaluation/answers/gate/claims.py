"""The written claims: evidence of many domains, each with claims whose right verdict is known.

All of `claims.jsonl` was written for this project. A line holds one piece of evidence (texts, a
table, a record) with its claims. "other language" claims are in the language of their evidence.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from analysis.engine.policy import PolicyRules
from analysis.engine.types import ClaimStatus, LowConfidenceReason, Source, Submission
from desk.scoring import pipeline
from desk.scoring.configuration import Configuration
from desk.scoring.pool import run
from desk.scoring.scoring import ScoringError, task

FILE = Path(__file__).with_name("claims.jsonl")
KINDS = (
    *("numeric", "date", "name", "negation", "unit", "role", "causal", "comparative"),
    *("quantifier", "unsupported detail", "paraphrase", "partial", "table", "list", "record"),
    "other language",
)


class Verdict(StrEnum):
    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_SUPPORTED = "not_supported"


@dataclass(frozen=True, slots=True)
class WrittenClaim:
    """One claim with its evidence and the right verdict; `language` is an ISO 639-1 code."""

    kind: str
    text: str
    evidence: tuple[str, ...]
    right: Verdict
    language: str


def written_claims(file: Path = FILE) -> list[WrittenClaim]:
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [
        WrittenClaim(
            kind=claim["kind"],
            text=claim["claim"],
            evidence=tuple(line["evidence"]),
            right=Verdict(claim["label"]),
            language=line["language"],
        )
        for line in lines
        for claim in line["claims"]
    ]


# Runs the written claims through the pipeline, and counts the right verdicts of each kind.


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    claim: WrittenClaim
    verdict: Verdict

    @property
    def distinguished(self) -> bool:
        """True if supported and not supported were distinguished correctly."""
        return (self.verdict is Verdict.SUPPORTED) == (self.claim.right is Verdict.SUPPORTED)

    @property
    def exact(self) -> bool:
        """True if the verdict is the right one of three."""
        return self.verdict is self.claim.right


@dataclass(frozen=True, slots=True)
class KindCounts:
    """The number of claims of a kind, of those distinguished, and of those judged exactly."""

    name: str
    claims: int
    distinguished: int
    exact: int


def judge_all(
    claims: Sequence[WrittenClaim], configuration: Configuration, processes: int, time_limit: float
) -> Iterator[JudgedClaim]:
    """Yield every claim judged, in order. Raises ScoringError, PoolError."""
    for outcome in run(task(configuration, judge), iter(claims), processes, time_limit):
        if outcome.error:
            raise ScoringError(f"{outcome.item.text!r}: {outcome.error}")
        yield JudgedClaim(outcome.item, outcome.value)


def judge(rules: PolicyRules, claim: WrittenClaim) -> Verdict:
    """Return the verdict on an answer that is the claim alone; the worst of its parts counts.

    Where the product finds nothing to check in it, the claim passes as supported; so does one that
    is not confirmed, which does not warn either.
    """
    sources = tuple(Source(f"source_{at}", text) for at, text in enumerate(claim.evidence, 1))
    decided = pipeline.check(Submission(claim.text, "", sources), rules).decision
    if any(claim.status is ClaimStatus.CONTRADICTORY for claim in decided.claims):
        return Verdict.CONTRADICTED
    passing = (None, LowConfidenceReason.NOT_CONFIRMED)
    if any(claim.reason not in passing for claim in decided.claims):
        return Verdict.NOT_SUPPORTED
    return Verdict.SUPPORTED


def by_kind(judged_claims: Iterable[JudgedClaim]) -> list[KindCounts]:
    """Return the counts of each kind, in the order of `KINDS`."""
    of_kind: dict[str, list[JudgedClaim]] = {name: [] for name in KINDS}
    for item in judged_claims:
        of_kind[item.claim.kind].append(item)
    return [
        KindCounts(
            name,
            len(items),
            sum(item.distinguished for item in items),
            sum(item.exact for item in items),
        )
        for name, items in of_kind.items()
    ]
