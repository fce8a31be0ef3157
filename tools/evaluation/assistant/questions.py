"""Questions about fourteen collections, the answers they must get, and how an answer fared.

Handbooks, manuals and minutes stand in `collections/`; the OSHA texts, which are not part of the
project, in `documents/osha_1926/` of the folder that WATCHDOG_DATA names. Questions and answers
were written before any of them was asked. The weights of the assistant's score were chosen on those
about `TUNED`; those about `UNSEEN` are for measuring alone: choose nothing by them.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

HERE = Path(__file__).parent
TUNED = ("handbook", "manual", "minutes", "osha", "clinic", "rigging", "council")
UNSEEN = ("bakery", "telehandler", "bridge", "osha_tools", "hotel", "press", "harbour")
_OSHA = {"osha": "FMPQX", "osha_tools": "EIJL"}
"""The subparts of 29 CFR 1926 that a collection holds."""
_CITATION = re.compile(r"\[\d+\]")
_OPENS = re.compile(r"(yes|no)\b", re.IGNORECASE)


class Outcome(StrEnum):
    """Outcomes of an answer, in the order of the table."""

    DIRECT = "right and direct"
    LONG = "right but long"
    CLOSE = "among the closest"
    WRONG = "wrong"
    NOT_FOUND = "cannot find though there"


@dataclass(frozen=True, slots=True)
class Question:
    """A question and a pattern that its answer must match.

    `says` None: the documents do not hold the answer. `opens`: "yes" or "no" where the question
    asks for it; an answer that opens with the other one is wrong.
    """

    question: str
    says: str | None
    opens: str = ""


def questions(collection: str) -> list[Question]:
    lines = (HERE / f"{collection}.jsonl").read_text(encoding="utf-8").splitlines()
    return [Question(**json.loads(line)) for line in lines]


def files(collection: str) -> list[Path]:
    """Return the documents of a collection; none where WATCHDOG_DATA names no OSHA texts."""
    if collection not in _OSHA:
        return sorted((HERE / "collections" / collection).iterdir())
    folder = Path(os.environ.get("WATCHDOG_DATA", "")) / "documents" / "osha_1926"
    paths = [folder / f"29cfr1926_subpart_{name}.txt" for name in _OSHA[collection]]
    return [path for path in paths if path.is_file()]


def outcome(question: Question, answer: str, found: bool) -> Outcome:
    """Hold an answer against what is expected of it.

    Direct is an answer whose first citation closes what was asked for, long one that holds it
    further below. Where nothing is claimed, the passages shown as the closest may hold it. Where
    the documents hold no answer, claiming nothing is right.
    """
    if question.says is None:
        return Outcome.WRONG if found else Outcome.DIRECT
    holds = re.search(question.says, _plain(answer))
    if not found:
        return Outcome.CLOSE if holds else Outcome.NOT_FOUND
    opening = _OPENS.match(answer)
    contrary = opening and question.opens and opening[1].lower() != question.opens
    if contrary or not holds:
        return Outcome.WRONG
    first = _CITATION.split(answer, maxsplit=1)[0]
    return Outcome.DIRECT if re.search(question.says, _plain(first)) else Outcome.LONG


def _plain(text: str) -> str:
    return " ".join(_CITATION.sub("", text).split())


def table(outcomes: Mapping[str, Sequence[Outcome]]) -> list[tuple[str, ...]]:
    """Return a row for each collection and one for all: questions, and share of each outcome."""
    every = [item for items in outcomes.values() for item in items]
    return [_row(name, items) for name, items in (*outcomes.items(), ("all", every))]


def _row(name: str, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    counts = Counter(outcomes)
    shares = (f"{counts[kind] / len(outcomes):.1%} ({counts[kind]})" for kind in Outcome)
    return (name, str(len(outcomes)), *shares)
