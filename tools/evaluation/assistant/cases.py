"""Questions with their required answers, and the share answered right.

A file in `expected/` holds a case per line, as JSON. `tune` and `phone` are used to improve the
assistant; which cases of `held_out` and `phone_held_out` fail is never shown. Those with `phone` in
their name are worded as on a phone: short, with typos, depending on the question before.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.engine.codec import decode_text
from assistant.presenting import UNSURE
from assistant.sanity import HANDBOOK
from assistant.synthesis.drafts import NOT_FOUND

EXPECTED = Path(__file__).with_name("expected")
DOCUMENTS = Path(__file__).with_name("documents")
HALVES = ("tune", "held_out", "phone", "phone_held_out")
HELD_OUT = ("held_out", "phone_held_out")
"""Parts whose cases stay unseen."""
UNKNOWN, STORED = "unknown", "stored"
_CITATION = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class Case:
    """A question, what was said before it, and what its answer must be.

    `documents`: "handbook", or files of `DOCUMENTS`. `lead`: the figure in the first sentence, ""
    for any answer, `UNKNOWN` where none may be given, `STORED` where something is stated and
    nothing asked. `says`: parts of the whole text, `never`: parts of one that claims something.
    `cites`: for each citation a part of its kind and source. `action`: of the turn's verdict, None
    for no verdict. `remembers`: whose memory each stored fact belongs to; None where it does not
    matter.
    """

    id: str
    kind: str
    documents: tuple[str, ...]
    statements: tuple[str, ...]
    question: str
    lead: str
    says: tuple[str, ...]
    never: tuple[str, ...]
    cites: tuple[str, ...]
    action: str | None
    remembers: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The errors of an answer; none if it is right."""

    case: Case
    faults: tuple[str, ...]

    @property
    def right(self) -> bool:
        """True if the answer is as expected in every respect."""
        return not self.faults


def paths_of(case: Case) -> list[Path]:
    """Return the documents that a case is asked about."""
    return [HANDBOOK if name == "handbook" else DOCUMENTS / name for name in case.documents]


def cases_in(half: str) -> list[Case]:
    lines = (EXPECTED / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()
    return [decode_text(Case, line) for line in lines]


def judge(case: Case, entry: dict[str, Any]) -> CaseResult:
    """Compare an answer, as `assistant.sanity.entry` returns it, with the expected one."""
    answer, faults = entry["answer"], list[str]()
    text, claims = _plain(answer), not answer.startswith(UNSURE)
    sources = [f"{citation['kind']} {citation['source']}" for citation in entry["citations"]]
    action = entry["verdict"]["action"] if entry["verdict"] else None
    targets = tuple(sorted(item["target"] for item in entry["memory"]["written"]))
    if not answers_with(answer, case.lead):
        faults.append(f"does not begin with {case.lead!r}")
    faults += [f"does not say {part!r}" for part in case.says if _plain(part) not in text]
    faults += [f"says {part!r}" for part in case.never if claims and _plain(part) in text]
    for part in case.cites:
        if not any(part in source for source in sources):
            faults.append(f"does not cite {part!r}")
    if action != case.action:
        faults.append(f"action {action}, not {case.action}")
    if case.remembers is not None and targets != case.remembers:
        faults.append(f"remembered for {targets}, not {case.remembers}")
    return CaseResult(case, tuple(faults))


def answers_with(answer: str, lead: str) -> bool:
    """Return whether an answer claims something if it must, and begins with the lead."""
    claims = not answer.startswith((NOT_FOUND, UNSURE))
    if lead == STORED:
        return True
    if lead in (UNKNOWN, ""):
        return claims == (lead == "")
    return claims and _plain(lead) in _plain(_CITATION.split(answer, maxsplit=1)[0])


def shares(outcomes: Sequence[CaseResult]) -> dict[str, dict[str, int]]:
    """Return the number of cases and of right ones, for "all" and for each kind."""
    outcomes_by_kind = defaultdict[str, list[CaseResult]](list)
    for outcome in outcomes:
        outcomes_by_kind["all"].append(outcome)
        outcomes_by_kind[outcome.case.kind].append(outcome)
    return {
        kind: {"cases": len(some), "right": sum(item.right for item in some)}
        for kind, some in outcomes_by_kind.items()
    }


def share_lines(share_by_kind: dict[str, dict[str, int]]) -> Iterable[str]:
    """Yield the shares as lines: "handbook: 21 of 22 (95 %)"."""
    for kind, item in share_by_kind.items():
        yield f"{kind}: {item['right']} of {item['cases']} ({item['right'] / item['cases']:.0%})"


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
