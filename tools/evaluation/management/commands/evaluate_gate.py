"""`manage.py evaluate_gate`: compares the written claims by kind with their floor.

`claims.jsonl` was written for this project: a line holds one piece of evidence (texts, a table, a
record) with its claims. "other language" claims are in the language of their evidence. `floor.json`
holds for each value of NLI_MODEL how many claims of a kind must be right; whoever lowers a figure
gives up something that the product could do, and has to say why.
"""

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from analysis.engine.policy import DEFAULT_RULES
from analysis.engine.types import ClaimStatus, LowConfidenceReason, Source, Submission
from analysis.management.progress import progress
from desk.scoring.pipeline import check
from tools.evaluation.rendering import console_on, figures_table

_FOLDER = Path(__file__).parents[2] / "gate"
FLOORS: dict[str, dict[str, dict[str, int]]] = json.loads((_FOLDER / "floor.json").read_text())
KINDS = (
    *("numeric", "date", "name", "negation", "unit", "role", "causal", "comparative"),
    *("quantifier", "unsupported detail", "paraphrase", "partial", "table", "list", "record"),
    "other language",
)
_FIGURES = ("distinguished", "exact")


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


def written_claims() -> list[WrittenClaim]:
    lines = (_FOLDER / "claims.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        WrittenClaim(
            claim["kind"], claim["claim"], tuple(line["evidence"]), Verdict(claim["label"]),
            line["language"],
        )
        for line in map(json.loads, lines)
        for claim in line["claims"]
    ]  # fmt: skip


def judge(claim: WrittenClaim) -> Verdict:
    """Return the verdict on an answer that is the claim alone; the worst of its parts counts.

    Where the product finds nothing to check in it, the claim passes as supported; so does one that
    is not confirmed, which does not warn either.
    """
    sources = tuple(Source(f"source_{at}", text) for at, text in enumerate(claim.evidence, 1))
    claims = check(Submission(claim.text, "", sources), DEFAULT_RULES).decision.claims
    if any(each.status is ClaimStatus.CONTRADICTORY for each in claims):
        return Verdict.CONTRADICTED
    passing = (None, LowConfidenceReason.NOT_CONFIRMED)
    if any(each.reason not in passing for each in claims):
        return Verdict.NOT_SUPPORTED
    return Verdict.SUPPORTED


def count(claim: WrittenClaim, verdict: Verdict) -> Counter[str]:
    """Count a claim, whether supported and not were distinguished, and an exact verdict."""
    distinguished = (verdict is Verdict.SUPPORTED) == (claim.right is Verdict.SUPPORTED)
    return Counter(claims=1, distinguished=distinguished, exact=verdict is claim.right)


def falls(
    kinds: Mapping[str, Mapping[str, int]], floor: Mapping[str, Mapping[str, int]]
) -> list[str]:
    """Name every figure below its floor. A kind that has vanished counts 0."""
    return [
        f"{kind}: {kinds.get(kind, {}).get(figure, 0)} {figure}, not {least}"
        for kind, figures in floor.items()
        for figure, least in figures.items()
        if kinds.get(kind, {}).get(figure, 0) < least
    ]


class Command(BaseCommand):
    """Prints accuracy by kind. Exit status 1 where a kind fell under its floor."""

    help = (
        "Judge the claims written for this project with the judge that NLI_MODEL names, and print "
        "by kind how many were distinguished (supported or not) and judged exactly (supported, "
        "contradicted, not supported)."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--wrong", action="store_true", help="list what was judged wrongly")

    def handle(self, *args: Any, **options: Any) -> None:
        claims, kinds, wrong = written_claims(), {name: Counter[str]() for name in KINDS}, []
        with progress("Claims", len(claims)) as advance:
            for claim in claims:
                verdict = judge(claim)
                kinds[claim.kind] += count(claim, verdict)
                if verdict is not claim.right:
                    wrong.append(f"{claim.kind}: {claim.text} ({claim.right}, was {verdict})")
                advance()
        floor = FLOORS.get(settings.NLI_MODEL, {})
        kinds["all"] = sum(kinds.values(), Counter())
        rows = [_cells(name, counts, floor.get(name, {})) for name, counts in kinds.items()]
        headings = ("kind", "claims", "distinguished", "floor", "exact verdict", "floor")
        title = f"Written claims, NLI_MODEL={settings.NLI_MODEL}"
        out = console_on(self.stdout, 100)
        out.print(figures_table(title, headings, rows))
        if options["wrong"]:
            self.stdout.write("\n".join(wrong))
        if fallen := falls(kinds, floor):
            raise CommandError(f"Under the floor: {'; '.join(fallen)}")


def _cells(name: str, counts: Counter[str], floor: Mapping[str, int]) -> list[str]:
    """Return a row of the table: a kind with each figure and its floor."""
    cells, claims = [name, str(counts["claims"])], counts["claims"]
    for figure in _FIGURES:
        cells.append(f"{counts[figure]} ({counts[figure] / claims:.0%})")
        cells.append(str(floor.get(figure, "–")))
    return cells
