"""The verdict page of a check as frozen values; templates only print them."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from django.templatetags.static import static
from django.utils.translation import gettext as _

from analysis.engine.conversation import Role
from analysis.engine.policy import PolicyRules
from analysis.engine.types import Action, ClaimStatus
from analysis.models import Check, CheckState
from analysis.selectors.submissions import sources_of
from desk.verdict_page import answer, detail, selectors, words
from desk.verdict_page.aligned import Sentence, differing, sentences
from desk.verdict_page.answer import AnswerPart, ClaimPage, Head
from desk.verdict_page.detail import Detail, is_only_doubted
from desk.verdict_page.marking import doubted
from desk.verdict_page.reasons import ReasonView, decider, reasons, summary
from desk.verdict_page.selectors import ClaimLine
from lib.text.citations import marks

FRAGMENTS = {
    "claim": "analysis/verdict/claim.html",
    "answer": "analysis/verdict/part.html",
    "claims": "analysis/verdict/list.html",
}
"""Templates that HTMX may request instead of the page, by the id of the replaced element."""
ALIGNED = 40
"""Claims whose evidence comes with the review screen; the others' comes as it is scrolled to."""
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class ViewParams:
    """The parameters of the URL; 0 for a missing one."""

    claim: int = 0
    part: int = 0
    claim_page: int = 0

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "ViewParams":
        """Parse `?claim=12&part=2&list=3`; invalid values count as missing."""
        return cls(*(_number(query.get(name, "")) for name in ("claim", "part", "list")))


@dataclass(frozen=True, slots=True)
class SignalRow:
    """One signal of the whole answer: its status, model and, if paid, cost."""

    name: str
    words: str
    model: str
    milliseconds: float
    costs: Sequence[str]


@dataclass(frozen=True, slots=True)
class CitationView:
    """A passage that a citation points to, and its number."""

    number: int
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class View:
    """Everything the view shows of a check; the policy is the one that decided it."""

    query: str
    turns: list[tuple[str, str]]
    doc: dict[str, Any]
    done: bool
    kind: str
    progress: str
    counts: list[tuple[str, str, int]]
    total: int
    contradicted: list[Head]
    contradicted_total: int
    suppressed: int
    part: AnswerPart
    detail: Detail | None
    claim_page: ClaimPage
    reasons: list[ReasonView]
    mitigated: list[str]
    hold_state: str
    risk_signals: list[words.SignalTableRow]
    states: list[SignalRow]
    not_checked: list[tuple[str, str]]

    @property
    def summary(self) -> str:
        """The deciding reason in one sentence; "" while there is no result."""
        return summary(self.reasons)

    @property
    def figures(self) -> str:
        """The figures of the deciding reason; "" if it has none."""
        decided = decider(self.reasons)
        return f"{decided.figures.rstrip('.')}." if decided and decided.figures else ""

    @property
    def cited(self) -> list[CitationView]:
        """The passages that the shown text cites."""
        passages = dict(enumerate(self.doc.get("passages") or (), 1))
        citations = marks(self.doc["final_response"] or "")
        numbers = {number for mark in citations for number in mark.numbers} & passages.keys()
        return [CitationView(n, passages[n]["title"], passages[n]["text"]) for n in sorted(numbers)]

    @property
    def is_replaced(self) -> bool:
        """True if the user is shown another text, not only marks and citations in the answer."""
        return not set(self.doc.get("mitigation_actions") or ()) <= words.MARKING

    @property
    def acting(self) -> list[ReasonView]:
        """The reasons that ask for the action or a milder one, the deciding one first."""
        heard = (reason for reason in self.reasons if not reason.only_noted)
        return sorted(heard, key=lambda reason: not reason.decided)

    @property
    def score_decided(self) -> bool:
        """True if the risk score asks for the action itself, or there is nothing to explain."""
        acts = self.doc["action"] == Action.ALLOW or any(
            reason.code == "risk_score" and reason.action == self.doc["action"]
            for reason in self.reasons
        )
        return acts or not self.done

    @property
    def noted(self) -> list[ReasonView]:
        return [reason for reason in self.reasons if reason.only_noted]


def fragment(
    check: Check,
    doc: dict[str, Any],
    params: ViewParams,
    target: str | None,
    *,
    for_user: bool = False,
) -> tuple[str, dict[str, Any]] | None:
    """Return template and context of the part HTMX asks for, or None for the whole page.

    `for_user`: the list names withheld claims without their words.
    """
    if target not in FRAGMENTS:
        return None
    lines, documents = _outline(check)
    line = _chosen_line(lines, params)
    context: dict[str, Any] = {"icons": static("watchdog/icons.svg")}
    if target == "claim" and line:
        context["detail"] = _details(check, doc, lines, [line], documents)[line.number]
    elif target == "answer":
        context["part"] = _part(check, doc, lines, _part_number(lines, line, params))
    elif target == "claims":
        withheld = selectors.suppressed(lines, doc) if for_user else frozenset()
        context["claim_page"] = answer.claim_page(check.answer, lines, params.claim_page, withheld)
    return FRAGMENTS[target], context


def build(
    check: Check,
    doc: dict[str, Any],
    params: ViewParams,
    progress: str,
    *,
    for_user: bool = False,
) -> View:
    """Return the view; `progress` is the state of an undecided check in words.

    `for_user`: the list names withheld claims without their words.
    """
    done = doc["state"] == CheckState.DONE
    lines, documents = _outline(check) if done else ([], {})
    line = _chosen_line(lines, params)
    against = _contradicted(lines)
    accused = [line for line in against if not line.is_doubted]
    withheld = selectors.suppressed(lines, doc)
    return View(
        query=check.query,
        turns=_turns(doc["messages"] or ()),
        doc=doc,
        done=done,
        kind=(doc["action"] if done else doc["state"]).lower(),
        progress=progress,
        counts=_counts(lines),
        total=len(lines),
        contradicted=[answer.head(check.answer, line) for line in accused[:_MOST_NAMED]],
        contradicted_total=len(accused),
        suppressed=len(withheld),
        part=_part(check, doc, lines, _part_number(lines, line, params)),
        detail=_details(check, doc, lines, [line], documents)[line.number] if line else None,
        claim_page=answer.claim_page(
            check.answer, lines, params.claim_page, withheld if for_user else ()
        ),
        reasons=reasons(
            doc["reasons"] or (),
            answer.weakest_support(lines),
            doubted=bool(against) and not accused,
        ),
        mitigated=words.mitigations(doc.get("mitigation_actions") or ()),
        hold_state=words.hold_state(doc["hold"]),
        risk_signals=_risk_signals(doc["signals"] or {}),
        states=[
            SignalRow(
                words.signal_name(name),
                words.status_words(state),
                state["model"],
                state["ms"],
                words.costs(state.get("judges", ())),
            )
            for name, state in (doc["signal_states"] or {}).items()
        ],
        not_checked=[
            (words.signal_name(item["signal"]), words.why_not(item)) for item in doc["not_checked"]
        ],
    )


def _outline(check: Check) -> tuple[list[ClaimLine], dict[int, dict[str, Any]]]:
    """Return all claims, and those documents that tell which contradicted ones are only doubted."""
    lines = selectors.outline(check.pk)
    first = _contradicted(lines)[:_MOST_NAMED]
    documents = selectors.claim_documents(check, first) if first else {}
    return _with_doubts(lines, documents), documents


def _with_doubts(
    lines: Sequence[ClaimLine], documents: Mapping[int, dict[str, Any]]
) -> list[ClaimLine]:
    numbers = {number for number, claim in documents.items() if is_only_doubted(claim)}
    return [replace(line, is_doubted=line.number in numbers) for line in lines]


def _contradicted(lines: Sequence[ClaimLine]) -> list[ClaimLine]:
    return [line for line in lines if line.status is ClaimStatus.CONTRADICTORY]


def _counts(lines: Sequence[ClaimLine]) -> list[tuple[str, str, int]]:
    """Return the number of claims by badge, the most severe first."""
    counts = Counter(answer.outcome(line) for line in answer.most_severe_first(lines))
    return [(*pair, count) for pair, count in counts.items()]


def _chosen_line(lines: Sequence[ClaimLine], params: ViewParams) -> ClaimLine | None:
    """Return the requested claim, else the most severe one of the requested part."""
    if 0 < params.claim <= len(lines):
        return lines[params.claim - 1]
    within = [line for line in lines if answer.part_of(line) == params.part] or lines
    return answer.most_severe_first(within)[0] if within else None


def _part_number(lines: Sequence[ClaimLine], line: ClaimLine | None, params: ViewParams) -> int:
    if params.part in answer.numbers_of(lines):
        return params.part
    return answer.part_of(line) if line and params.claim else 1


def _part(check: Check, doc: dict[str, Any], lines: Sequence[ClaimLine], number: int) -> AnswerPart:
    part_lines = answer.inside(check.answer, lines, number)
    if not part_lines:
        return answer.part(check.answer, lines, number)
    words_doubted = selectors.doubts(check.pk, part_lines)
    doubts = doubted(check.answer, words_doubted, _rules(check).doubt_at)
    hidden = selectors.suppressed(lines, doc)
    return answer.part(check.answer, lines, number, doubts, hidden)


def _rules(check: Check) -> PolicyRules:
    """Return the policy that decided the check."""
    return PolicyRules.from_json(check.annotated_answer.policy.rules)


def later_claim(check: Check, doc: dict[str, Any], number: int) -> Detail | None:
    """Return a claim whose evidence did not come with the review screen, or None if unknown."""
    lines = selectors.outline(check.pk)
    some = lines[number - 1 : number] if number else []
    return _details(check, doc, lines, some).get(number)


def aligned(check: Check, doc: dict[str, Any], params: ViewParams) -> list[Sentence]:
    """Return a part of the answer sentence by sentence, each with the evidence of its claims."""
    lines = selectors.outline(check.pk)
    number = _part_number(lines, _chosen_line(lines, params), params)
    part_lines = answer.inside(check.answer, lines, number)
    first = answer.most_severe_first(part_lines)[:ALIGNED]
    documents = selectors.claim_documents(check, first)
    lines = _with_doubts(lines, documents)
    words_doubted = [
        (begin, stop, share)
        for claim in documents.values()
        if claim["status"] != ClaimStatus.CONTRADICTORY  # of these the words that differ are marked
        for begin, stop, share in claim["signal"]["unsupported"] or ()
    ]
    doubts = doubted(check.answer, words_doubted, _rules(check).doubt_at) if documents else []
    spans = [
        span for line in first for span in differing(check.answer, line, documents[line.number])
    ]
    hidden = selectors.suppressed(lines, doc)
    pieces = answer.part(check.answer, lines, number, doubts, hidden, spans).pieces
    return sentences(pieces, _details(check, doc, lines, first, documents))


def _details(
    check: Check,
    doc: dict[str, Any],
    lines: Sequence[ClaimLine],
    some: Sequence[ClaimLine],
    documents: Mapping[int, dict[str, Any]] = MappingProxyType({}),
) -> dict[int, Detail]:
    """Return some of the claims with everything known of them, by their numbers."""
    if not some:
        return {}
    missing = [line for line in some if line.number not in documents]
    texts = {**documents, **(selectors.claim_documents(check, missing) if missing else {})}
    sources, rules = sources_of(check) or (), _rules(check)
    suppressed = selectors.suppressed(lines, doc)
    return {
        line.number: detail.detail(
            check.answer,
            lines,
            line,
            texts[line.number],
            states=doc["signal_states"],
            rules=rules,
            policy_version=check.annotated_answer.policy.version,
            sources=sources,
            suppressed=suppressed,
            miscited=_is_miscited(doc, line),
        )
        for line in some
    }


def _is_miscited(doc: dict[str, Any], line: ClaimLine) -> bool:
    """Return whether a reason names this claim as miscited; only the first are named."""
    mismatches = (r["text"] for r in doc["reasons"] or () if r["code"] == "citation_mismatch")
    return any(re.search(rf"\b{re.escape(line.claim_id)}\b", text) for text in mismatches)


def _risk_signals(signals: dict[str, bool | None]) -> list[words.SignalTableRow]:
    words_by_value = {
        True: (_("yes"), "bad"), False: (_("no"), "good"), None: (_("unknown"), "none"),
    }  # fmt: skip
    return [
        words.SignalTableRow(str(words.RISK_SIGNALS.get(name, name)), *words_by_value[value])
        for name, value in signals.items()
    ]


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else 0


def _turns(messages: Sequence[dict[str, str]]) -> list[tuple[str, str]]:
    """Return the turns of user and assistant with their speakers; no instructions or tools."""
    speakers = {Role.USER: _("User"), Role.ASSISTANT: _("Assistant")}
    turns = [(speakers.get(Role(message["role"])), message["content"]) for message in messages]
    return [(speaker, text) for speaker, text in turns if speaker]
