"""Submits three real answers over HTTP as any client would, and shows their verdicts as a table."""

import textwrap
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import httpx
from rich.table import Table

from tools.launcher.console import console, warn
from tools.launcher.errors import LauncherError

WAIT_S = 60.0
shorten = partial(textwrap.shorten, width=160, placeholder="…")


@dataclass(frozen=True)
class DemoCheck:
    """A question, an answer, what the answer may rest on, and the verdict it should get."""

    query: str
    answer: str
    sources: tuple[str, ...]
    expected: str


EXAMPLES = (
    DemoCheck(
        query="When does a trench need a protective system?",
        answer="A trench that is 5 feet deep or deeper needs a protective system.",
        sources=(
            "Protective systems in trenches. A trench that is 5 feet deep or deeper needs a "
            "protective system, unless it is dug entirely in stable rock.",
        ),
        expected="ALLOW",
    ),
    DemoCheck(
        query="When did SSN College close?",
        answer="SSN College definitely closed in 2026 and merged with SNU.",
        sources=(),
        expected="WARN",
    ),
    DemoCheck(
        query="At what height do workers on a scaffold need fall protection?",
        answer="Workers on a scaffold need fall protection at 20 feet.",
        sources=(
            "Scaffolds. Workers on a scaffold need fall protection at 10 feet: a guardrail or "
            "a personal fall arrest system.",
        ),
        expected="BLOCK",
    ),
)


def submit(client: httpx.Client, example: DemoCheck) -> dict[str, Any]:
    """Submit one answer and wait for its verdict."""
    body: dict[str, Any] = {"query": example.query, "answer": example.answer}
    if example.sources:
        body["sources"] = list(example.sources)
    response = client.post("/api/v1/checks", json=body, headers={"Prefer": "wait=10"})
    if response.status_code == 202:
        response = fetch_when_done(client, response.headers["Location"])
    if response.status_code != 200:
        raise LauncherError(
            f"A check got the answer {response.status_code}: {response.text[:500]}",
            "The logs in .data/logs say more.",
        )
    return dict(response.json())


def fetch_when_done(client: httpx.Client, location: str) -> httpx.Response:
    """Poll a check until it has its verdict."""
    deadline = time.monotonic() + WAIT_S
    while True:
        response = client.get(location)
        if response.status_code != 200 or response.json()["state"] in ("done", "failed"):
            return response
        if time.monotonic() > deadline:
            raise LauncherError(
                f"A check has no verdict after {WAIT_S:.0f} s.",
                "The worker's log in .data/logs/worker.log says more.",
            )
        time.sleep(0.5)


def show(examples: Sequence[DemoCheck], verdicts: Sequence[dict[str, Any]]) -> bool:
    """Print the table.

    Return whether every verdict is as expected, and warn of each that is not.
    """
    table = Table(title="Three answers, checked over HTTP just now", show_lines=True)
    for column in ("Answer", "Verdict", "Risk", "Claims and what decided"):
        table.add_column(column, overflow="fold")
    warnings = []
    for example, verdict in zip(examples, verdicts, strict=True):
        action, risk = str(verdict["action"]), f"{verdict['risk_score']} {verdict['risk_level']}"
        table.add_row(example.answer, action, risk, "\n".join(findings(verdict)))
        if action != example.expected:
            warnings.append(f"Expected {example.expected}, got {action}: {example.answer}")
    console.print(table)
    for text in warnings:
        warn(text)
    return not warnings


def findings(verdict: dict[str, Any]) -> list[str]:
    """Return a line per claim, the source for or against it, and the deciding reason."""
    lines = []
    for claim in verdict.get("claims") or []:
        lines.append(f"{claim['status']}: {shorten(claim['text'])}")
        evidence = claim.get("primary_evidence")
        if evidence:
            word = "contradicted by" if claim["status"] == "Contradictory" else "source"
            lines.append(f"  {word}: “{shorten(evidence['text'])}”")
    decided = [each for each in verdict.get("reasons") or [] if each.get("decided")]
    return [*lines, *(f"Decided by: {shorten(each['text'])}" for each in decided)]


def run(web_url: str, key: str) -> bool:
    headers = {"Authorization": f"Bearer {key}"}
    with httpx.Client(base_url=web_url, headers=headers, timeout=30, trust_env=False) as client:
        verdicts = [submit(client, example) for example in EXAMPLES]
    return show(EXAMPLES, verdicts)
