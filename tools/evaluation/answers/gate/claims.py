"""The written claims: evidence of many domains, each with claims whose right verdict is known.

All of `claims.jsonl` was written for this project. A line holds one piece of evidence (texts, a
table, a record) with its claims. "other language" claims are in the language of their evidence.
"""

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

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
