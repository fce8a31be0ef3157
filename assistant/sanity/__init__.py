"""A fixed set of questions through the whole assistant, and what came of each as one document."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HANDBOOK = Path(__file__).resolve().parent.parent / "handbook"
QUESTIONS = Path(__file__).with_name("questions.json")
LAYOUT = 1
"""Version of the document; docs/assistant.md describes it."""
_PLACE = ("file", "collection", "page", "last_page", "chunk", "heading")


class BadQuestions(ValueError):
    """The file holds no list of questions."""


def questions_in(path: Path = QUESTIONS) -> list[str]:
    """The questions of a JSON file: a list of strings. Raises BadQuestions, OSError."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadQuestions(f"{path} is not JSON: {error}") from error
    good = isinstance(found, list) and all(isinstance(one, str) and one.strip() for one in found)
    if not good or not found:
        raise BadQuestions(f"{path} must hold a list of questions, each a string.")
    return list(found)


def entry(turn: dict[str, Any]) -> dict[str, Any]:
    """One question's part, out of its turn's document."""
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
        "side_by_side": [one["text"] for one in turn["side_by_side"]],
        "citations": [_citation(item) for item in cited],
        "bag": {
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
    """Counts over all questions."""
    verdicts = [one["verdict"]["action"] for one in entries if one["verdict"]]
    return {
        "questions": len(entries),
        "answered": sum(one["found"] is True for one in entries),
        "not_found": sum(one["found"] is False for one in entries),
        **{action.lower(): verdicts.count(action) for action in ("ALLOW", "WARN", "BLOCK")},
        "with_injection": sum(one["injection_detected"] for one in entries),
        "memories_written": sum(len(one["memory"]["written"]) for one in entries),
    }


def _citation(item: dict[str, Any]) -> dict[str, Any]:
    place = {name: item["place"].get(name) for name in _PLACE}
    members = {name: item[name] for name in ("number", "kind", "source", "uri", "text")}
    return members | place


def _memory(found: dict[str, Any] | None) -> dict[str, Any]:
    facts = found["facts"] if found else []
    members = ("fact", "target", "status", "code", "reason", "confidence")
    told = [{name: fact[name] for name in members} | {"stored": fact["stored"]} for fact in facts]
    return {
        "judge": found["judge"] if found else "",
        "written": [one for one in told if one["stored"]],
        "not_written": [one for one in told if not one["stored"]],
    }
