"""The record on paper: first for people, then every part in words with its SHA-256."""

from collections.abc import Mapping
from functools import partial
from io import BytesIO
from itertools import chain
from typing import Any

import yaml
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import HRFlowable, Paragraph, SimpleDocTemplate, Spacer

from analysis.engine.types import ClaimStatus
from analysis.engine.verdict.wording import LABELS
from analysis.records.document import Document, ref_of
from analysis.records.front import Story
from analysis.records.front import pages as front_pages
from analysis.records.glyphs import BOLD, HEADING, PLAIN, SMALL, TEXT, TITLE, markup, register

MOST_CLAIMS = 300
_OF_JUDGES = ("decided", "unavailable", "calls", "tokens")
_MARGIN = 20 * mm
WIDTH = A4[0] - 2 * _MARGIN
_CHUNK = 4_000
"""Characters of one paragraph: laying out one takes longer the longer it is."""


def render(document: Document, labels: Mapping[str, str]) -> bytes:
    """Return the A4 pages without the attached record; `labels` are those of the reason codes."""
    story = chain(front_pages(document, labels), _annex(document, labels))
    return build(f"Decision record of check {document['check']['id']}", story)


def build(name: str, story: Story) -> bytes:
    """Return the A4 pages of a story; `name` is their title and stands at the foot of each."""
    register()
    buffer = BytesIO()
    pages = SimpleDocTemplate(
        buffer, pagesize=A4, title=name, author="WATCHDOG", leftMargin=_MARGIN, rightMargin=_MARGIN,
        topMargin=_MARGIN, bottomMargin=_MARGIN,
    )  # fmt: skip
    pages.build(list(story), canvasmaker=partial(_NumberedPages, footer=name))
    return buffer.getvalue()


class _NumberedPages(Canvas):  # type: ignore[misc]
    """Pages that are finished at the end, when their number is known."""

    def __init__(self, *args: Any, footer: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self._line, self._pages = footer, list[dict[str, Any]]()

    def showPage(self) -> None:
        self._pages.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        for number, page in enumerate(self._pages, 1):
            self.__dict__.update(page)
            self.setFont(PLAIN, 7)
            words = f"{self._line}, page {number} of {len(self._pages)}"
            self.drawString(_MARGIN, 10 * mm, words)
            super().showPage()
        super().save()


def _annex(doc: Document, labels: Mapping[str, str]) -> Story:
    yield Paragraph("Technical annex", TITLE)
    yield from facts(
        {
            "application": f"{doc['application']['name']} ({doc['application']['slug']})",
            "check": doc["check"]["id"],
            "submitted": f"{doc['input']['created_at']} by {doc['input']['submitted_by']}",
            "state": doc["check"]["state"],
            "record made": doc["made_at"],
        }
    )
    for erasure in doc["check"].get("erased", ()):
        yield from line("Erased", erasure)
    if doc["result"] is not None:
        yield from _decision(doc["result"], doc["policy"])
    yield from _texts(doc)
    if doc["result"] is not None:
        yield from _claims(doc["result"]["claims"])
        yield from _evidence(doc["result"]["measurement"], doc["sha256"]["evidence"])
        yield from _models(doc["result"]["measurement"])
        yield from _block("Safety checks", doc["result"]["decision"]["safety"])
    if doc["policy"] is not None:
        yield from _policy(doc["policy"])
    yield from _reviews(doc["reviews"], doc["check"]["reviews_withheld"], labels)
    yield from _trail(doc["trail"])
    yield from digests(doc["sha256"]["parts"], doc["public_key"], "The complete record")


def _decision(result: Document, policy: Document | None) -> Story:
    yield Paragraph("The decision", HEADING)
    decision = result["decision"]
    version = policy and policy["version"]
    yield from facts(
        {
            "action": result["action"],
            "risk": f"{result['risk_score']} of 100, {result['risk_level']}",
            "decided": f"{result['finished_at']}, in {result['milliseconds']:.0f} ms",
            "rules": f"engine {result['engine_version']}, policy version {version}",
            "explanation": decision["risk"]["explanation"],
        }
    )
    yield Paragraph("Rules that fired", HEADING)
    for reason in decision["reasons"]:
        decided = ", and decided" if reason.get("decided") else ""
        yield from line(f"{reason['action']} ({reason['code']}{decided})", reason["text"])
    fired = [name for name, value in decision["risk"]["signals"].items() if value]
    yield from line("Risk signals", ", ".join(fired) or "none")


def _texts(doc: Document) -> Story:
    hashes = doc["sha256"]
    yield from _section("Question", doc["input"]["query"] or "(none)", hashes["question"])
    yield from _section("Answer", doc["input"]["answer"], hashes["answer"])
    if doc["result"] is not None:
        decision = doc["result"]["decision"]
        title = "Final response, if it were not held" if decision.get("hold") else "Final response"
        yield from _section(title, decision["final_response"] or "")


def _claims(claims: list[Document]) -> Story:
    yield Paragraph(f"Claims ({len(claims)})", HEADING)
    for claim in claims[:MOST_CLAIMS]:
        reason = f", {claim['reason']}" if claim["reason"] else ""
        label = LABELS[ClaimStatus(claim["status"])]
        yield from line(f"{claim['claim_id']} {label}{reason}", claim["text"])
        decision = claim["decision"]
        sure = decision["confidence"]["overall_confidence"]
        passage = decision.get("primary_evidence") or "none"
        yield from small(f"{decision['rationale']}; confidence {sure}; evidence {passage}")
    if len(claims) > MOST_CLAIMS:
        more = len(claims) - MOST_CLAIMS
        yield from small(f"{more} more claims are in the attached record.json.")


def _evidence(measurement: Document, hashes: dict[str, str]) -> Story:
    passages = measurement.get("evidence", [])
    yield Paragraph(f"Evidence ({len(passages)} passages)", HEADING)
    for passage in passages:
        name = ref_of(passage)
        yield from line(name, passage["text"])
        yield from small(f"SHA-256 {hashes.get(name, '')}")


def _models(measurement: Document) -> Story:
    yield Paragraph("Signals and the models that measured them", HEADING)
    for name, state in measurement["states"].items():
        reason = f": {state['reason']}" if state["reason"] else ""
        yield from line(name, f"{state['status']}, {state['model'] or 'no model'}{reason}")
        for use in state.get("judges", []):
            counts = ", ".join(f"{key} {use[key]}" for key in _OF_JUDGES)
            yield from small(f"{use['judge']}: {counts}")


def _policy(policy: Document) -> Story:
    title = f"Policy version {policy['version']}"
    yield from _block(title, policy["rules"])
    note = f" {policy['note']}" if policy["note"] else ""
    yield from small(f"Made by {policy['created_by']}, {policy['created_at']}.{note}")


def _reviews(reviews: list[Document], withheld: int, labels: Mapping[str, str]) -> Story:
    yield Paragraph(f"Reviews ({len(reviews)})", HEADING)
    if withheld:
        yield from small(f"{withheld} more are withheld while a blind second review is open.")
    for review in reviews:
        decided = review["decision"] or "open"
        who = f" by {review['decided_by']}, {review['decided_at']}" if review["decision"] else ""
        yield from line(f"{decided}{who}", f"{review['stage']} review, because {review['reason']}")
        if review["reason_codes"]:
            yield from line("reasons", ", ".join(labels[code] for code in review["reason_codes"]))
        for name in ("note", "claims", "corrected_text"):
            if review[name]:
                yield from line(name.replace("_", " "), _words(review[name]))


def _trail(trail: list[Document]) -> Story:
    yield Paragraph("Trail", HEADING)
    for item in trail:
        entry, seal = item["entry"], item["seal"]
        yield from line(f"{entry['occurred_at']} {entry['event']}", f"by {entry['actor']}")
        position = f"entry {entry['id']}, not sealed yet"
        if seal is not None:
            position = (
                f"entry {entry['id']}, position {seal['position']} of chain {seal['chain']}, "
            )
            position += f"seal {seal['number']}, {seal['hash']}"
        yield from small(position)


def digests(hashes: Mapping[str, str], public_key: str, attachment: str) -> Story:
    """Yield the end of a document: the digest of each part, and how all of it is verified."""
    yield HRFlowable(width="100%", spaceBefore=10, color="#999999")
    yield Paragraph("Digests and signature", HEADING)
    for name, value in hashes.items():
        yield from small(f"{name}: SHA-256 {value}")
    yield from small(f"Ed25519 public key {public_key}")
    yield from small(
        f"{attachment} is attached as record.json, and a signature follows the last byte; "
        "manage.py verify_record checks both."
    )


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {word}" for name, word in value.items())
    return ", ".join(value) if isinstance(value, list) else str(value)


def _block(title: str, value: Any) -> Story:
    if value is None:
        return
    yield Paragraph(title, HEADING)
    lines = yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=100).splitlines()
    for line in lines:
        depth = len(line) - len(line.lstrip())
        style = ParagraphStyle("block", SMALL, leftIndent=depth * 5)
        yield Paragraph(markup(line.strip()), style)


def _section(title: str, text: str, sha256: str = "") -> Story:
    yield Paragraph(title, HEADING)
    yield from paragraphs(text)
    if sha256:
        yield from small(f"SHA-256 {sha256}")


def paragraphs(text: str) -> Story:
    for line in text.split("\n"):
        for at in range(0, len(line), _CHUNK):
            yield Paragraph(markup(line[at : at + _CHUNK]), TEXT)
        if not line.strip():
            yield Spacer(1, 5)


def facts(facts: dict[str, Any]) -> Story:
    for name, value in facts.items():
        yield from line(name, str(value))


def line(name: str, text: str) -> Story:
    first, *rest = [text[at : at + _CHUNK] for at in range(0, len(text), _CHUNK)] or [""]
    yield Paragraph(f'<font name="{BOLD}">{markup(name)}</font>: {markup(first)}', TEXT)
    for more in rest:
        yield Paragraph(markup(more), TEXT)


def small(text: str) -> Story:
    yield Paragraph(markup(text), SMALL)
