"""Asks a fixed set of questions through the whole assistant; returns each result as a document."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HANDBOOK = Path(__file__).resolve().parent.parent / "handbook"
QUESTIONS = Path(__file__).with_name("questions.json")
LAYOUT = 1
"""Version of the document; docs/concepts/assistant.md describes it."""
_PLACE = ("file", "collection", "page", "last_page", "chunk", "heading")


class BadQuestions(ValueError):
    """Raised if the file contains no list of questions."""


def questions_in(path: Path = QUESTIONS) -> list[str]:
    """Return the questions of a JSON file: a list of strings. Raises BadQuestions, OSError."""
    try:
        payload = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadQuestions(f"{path} is not JSON: {error}") from error
    good = isinstance(payload, list) and all(
        isinstance(item, str) and item.strip() for item in payload
    )
    if not good or not payload:
        raise BadQuestions(f"{path} must contain a list of questions, each a string.")
    return list(payload)


def entry(turn: dict[str, Any]) -> dict[str, Any]:
    """Return one question's result from its turn's document."""
    evidence = turn["evidence"] or {"sources": [], "items": [], "sha256": "", "milliseconds": None}
    cited = [item for item in evidence["items"] if item["cited"]]
    flagged = [item["source"] for item in evidence["items"] if item["flagged"]]
    return {
        "question": turn["question"],
        "state": turn["state"],
        "answer": turn["answer"],
        "found": turn["found"],
        "written_by": turn["written_by"],
        "notes": turn["notes"],
        "side_by_side": [item["text"] for item in turn["side_by_side"]],
        "citations": [_citation(item) for item in cited],
        "evidence": {
            "sha256": evidence["sha256"],
            "milliseconds": evidence["milliseconds"],
            "items": len(evidence["items"]),
            "sources": evidence["sources"],
        },
        "injection_detected": bool(flagged),
        "flagged": flagged,
        "memory": _memory(turn["memory"]),
        "verdict": turn["verdict"],
        "milliseconds": turn["milliseconds"],
    }


def summary(entries: Sequence[dict[str, Any]]) -> dict[str, int]:
    verdicts = [entry["verdict"]["action"] for entry in entries if entry["verdict"]]
    return {
        "questions": len(entries),
        "answered": sum(entry["found"] is True for entry in entries),
        "not_found": sum(entry["found"] is False for entry in entries),
        **{action.lower(): verdicts.count(action) for action in ("ALLOW", "WARN", "BLOCK")},
        "with_injection": sum(entry["injection_detected"] for entry in entries),
        "memories_written": sum(len(entry["memory"]["written"]) for entry in entries),
    }


def _citation(item: dict[str, Any]) -> dict[str, Any]:
    place = {name: item["place"].get(name) for name in _PLACE}
    members = {name: item[name] for name in ("number", "kind", "source", "uri", "text")}
    return members | place


def _memory(memory: dict[str, Any] | None) -> dict[str, Any]:
    facts = memory["facts"] if memory else []
    members = ("fact", "target", "status", "code", "reason", "confidence", "stored")
    entries = [{name: fact[name] for name in members} for fact in facts]
    return {
        "judge": memory["judge"] if memory else "",
        "written": [item for item in entries if item["stored"]],
        "not_written": [item for item in entries if not item["stored"]],
    }
