"""The first pages of a record, for who has to defend a decision and runs no computer.

What was asked, answered and shown, what was decided and why, by which rule and policy, who reviewed
it; then each claim beside what its source says. All else is the technical annex.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from reportlab.lib.units import mm
from reportlab.platypus import Flowable, PageBreak, Paragraph, Table, TableStyle

from analysis.engine.types import ClaimStatus
from analysis.engine.verdict.wording import LABELS
from analysis.records.document import Document, by_ref
from analysis.records.glyphs import BOLD, HEADING, SMALL, TEXT, TITLE, markup

MOST_CLAIMS = 100
_LONGEST, _LONGEST_CELL = 1_200, 700
"""Characters of a text on the first page, and in the table; the annex has all of it."""
_IDS = re.compile(r" \((?:c_\d+(?:, )?)+\)")
_DECISIONS = {
    "confirmed": "Confirmed", "overturned": "Overturned", "escalated": "Escalated",
    "approved": "Approved", "refused": "Refused",
}  # fmt: skip
Story = Iterator[Flowable]


def pages(doc: Document, labels: Mapping[str, str]) -> Story:
    """Yield the first page, the evidence side by side, and the end of a page."""
    submission, result = doc["input"], doc["result"]
    yield Paragraph("Decision record", TITLE)
    yield Paragraph(
        markup(
            f"{doc['application']['name']}, check {doc['check']['id']}, submitted "
            f"{moment(submission['created_at'])}. Record made {moment(doc['made_at'])}."
        ),
        SMALL,
    )
    yield from _text("What was asked", submission["query"] or "No question was sent.")
    yield from _text("What was answered", submission["answer"] or "The text was erased.")
    if result is None:
        yield from _text("What was decided", "Nothing yet: the check has not ended.")
    else:
        yield from _text("What the user was shown", "\n".join(_response_lines(doc)))
        reasons = result["decision"]["reasons"]
        deciding = next((reason["text"] for reason in reasons if reason.get("decided")), "")
        why = _IDS.sub("", deciding).rstrip(".")
        decided = f"{result['action']}, {moment(result['finished_at'])}: {why}."
        yield from _text("What was decided, and why", decided)
        yield from _text("By which rule and policy", _rule(doc))
    lines = [_review(review, labels) for review in doc["reviews"]]
    if withheld := doc["check"]["reviews_withheld"]:
        lines.append(f"{withheld} more withheld while a blind second review is open.")
    yield from _text("Who reviewed it", "\n".join(lines) or "Nobody: no review was opened.")
    seals = [item["seal"] for item in doc["trail"]]
    sealed = sum(seal is not None for seal in seals)
    yield from _text(
        "How this can be verified",
        "The file is signed, and holds the complete record. Upload it under Audit > Verification, "
        "or run manage.py verify_record: both say whether anything was changed since. "
        f"{sealed} of {len(seals)} entries of the audit trail about this decision are sealed.",
    )
    if result is not None and result["claims"]:
        yield PageBreak()
        yield from _side_by_side(result)
    yield PageBreak()


def moment(text: str, month: str = "%B") -> str:
    """Return a stored time as "27 November 2026, 07:43 UTC", a day without the time of day.

    Other text is returned as it is. `month` is the format of the month.
    """
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return text
    if len(text) == len("2026-11-27"):
        return f"{at.day} {at:{month} %Y}"
    at = at.astimezone(UTC)
    return f"{at.day} {at:{month} %Y, %H:%M} UTC"


def _text(title: str, text: str) -> Story:
    yield Paragraph(title, HEADING)
    for line in _short(text, _LONGEST).split("\n"):
        yield Paragraph(markup(line), TEXT)


def _response_lines(doc: Document) -> Iterator[str]:
    """Yield what the user was shown; for a held answer, each text in turn."""
    terms = doc["result"]["decision"].get("hold")
    if terms is None:
        yield _response(doc["input"], doc["result"])
        return
    yield f"First, as the answer was held: {terms['waiting_text']}"
    corrected = {review["id"]: review["corrected_text"] for review in doc["reviews"]}
    for entry in (item["entry"] for item in doc["trail"]):
        if entry["event"] == "check.released":
            state, when = entry["data"]["state"], moment(entry["occurred_at"])
            text = {
                "approved": "The answer as it is.",
                "edited": corrected.get(entry["data"]["review_id"]) or "The text was erased.",
                "refused": terms["refusal_text"],
                "expired": terms["refusal_text"],
            }[state]
            if state == "expired" and terms["on_expiry"] == "release":
                text = _response(doc["input"], doc["result"])
            yield f"{state.capitalize()} by {entry['actor']}, {when}: {text}"


def _response(submission: Document, result: Document) -> str:
    response = result["decision"]["final_response"]
    if response is None:
        return "The application was given no text."
    return "The answer as it is." if response == submission["answer"] else str(response)


def _rule(doc: Document) -> str:
    reasons, policy = doc["result"]["decision"]["reasons"], doc["policy"]
    codes = [reason["code"].replace("_", " ") for reason in reasons if reason.get("decided")]
    lines = [f"The rule “{code}” of engine {doc['result']['engine_version']}." for code in codes]
    if policy is not None:
        note = f": {policy['note'].rstrip('.')}" if policy["note"] else "; no reason was stored"
        lines.append(
            f"Policy version {policy['version']}, made by {policy['created_by']}, "
            f"{moment(policy['created_at'])}{note}."
        )
    for item in doc["trail"]:
        entry = item["entry"]
        if entry["event"] == "policy.activated":
            reason = entry["data"].get("reason")
            why = f": {reason.rstrip('.')}" if reason else "; no reason was stored"
            lines.append(f"Activated by {entry['actor']}, {moment(entry['occurred_at'])}{why}.")
    return "\n".join(lines)


def _review(review: Document, labels: Mapping[str, str]) -> str:
    if not review["decision"]:
        return f"The {review['stage']} review is open."
    word = _DECISIONS.get(review["decision"], review["decision"])
    reasons = ", ".join(labels[code] for code in review["reason_codes"])
    grounds = [part for part in (reasons, review["note"]) if part]
    ground_words = f": {'. '.join(grounds)}" if grounds else "; no reason was given"
    when = moment(review["decided_at"])
    return f"{word} by {review['decided_by']}, {when} ({review['stage']} review){ground_words}."


def _side_by_side(result: Document) -> Story:
    yield Paragraph("Each claim, and what its source says", HEADING)
    passages = by_ref(result["measurement"].get("evidence", []))
    claims = result["claims"][:MOST_CLAIMS]
    heads = [_head("Claim"), _head("Verdict"), _head("Source")]
    rows = [heads, *(_row(claim, passages) for claim in claims)]
    table = Table(rows, colWidths=[66 * mm, 30 * mm, 69 * mm], repeatRows=1, hAlign="LEFT")
    table.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LINEBELOW", (0, 0), (-1, -1), 0.4, "#bbbbbb"),
                ("LEFTPADDING", (0, 0), (0, -1), 0),
            ]
        )
    )
    yield table
    if (more := len(result["claims"]) - len(claims)) > 0:
        yield Paragraph(f"{more} more claims are in the annex or in the attached record.", SMALL)


def _row(claim: Document, passages: Mapping[str, Any]) -> list[Flowable]:
    passage = passages.get(claim["decision"].get("primary_evidence") or "")
    source = [Paragraph("No source says anything about it.", SMALL)]
    if passage is not None:
        source = [
            Paragraph(markup(_short(passage["text"], _LONGEST_CELL)), TEXT),
            Paragraph(markup(passage.get("source") or passage["doc_id"]), SMALL),
        ]
    status = LABELS[ClaimStatus(claim["status"])]
    text = markup(_short(claim["text"], _LONGEST_CELL))
    return [Paragraph(text, TEXT), _head(status), source]


def _head(text: str) -> Flowable:
    return Paragraph(f'<font name="{BOLD}">{markup(text)}</font>', TEXT)


def _short(text: str, length: int) -> str:
    """Return the text in few enough lines to stand on the page; the annex has all of it."""
    lines = text.split("\n")[:20]
    short = "\n".join(lines)
    return text if short == text and len(text) <= length else f"{short[:length].rstrip()} …"
