"""The record as JSON: its parts, the digest of each, and a signature over the whole.

There is exactly one spelling of a document; any other is refused, so that a lenient parser and a
reader of the text cannot see different content.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audit import signing
from audit.sealing import canonical, digest

FORMAT = "watchdog-record-1"
PARTS = ("application", "check", "input", "result", "policy", "reviews", "trail")
Document = dict[str, Any]
_SEALED = {"check.submitted": "input", "check.decided": "result", "policy.created": "policy"}
"""The part that an entry of this event was sealed with."""


class RecordError(ValueError):
    """Raised if a file is no decision record; the message says why."""


@dataclass(frozen=True, slots=True)
class VerifiedItem:
    """One verified item and the result."""

    what: str
    holds: bool
    text: str = ""


def make(parts: Mapping[str, Any], made_at: str) -> Document:
    """Return the document of these `PARTS`, with digests and signature."""
    body: Document = {"format": FORMAT, "made_at": made_at, **{name: parts[name] for name in PARTS}}
    body["sha256"] = {**texts_of(body), "parts": {name: digest(body[name]).hex() for name in PARTS}}
    return signed(body)


def signed(body: Mapping[str, Any]) -> Document:
    """Return the document with our public key and the signature over all of it."""
    document = {**body, "public_key": signing.public_key()}
    signature = base64.b64encode(signing.sign(canonical(document))).decode()
    return {**document, "signature": signature}


def to_bytes(document: Document) -> bytes:
    """Return the one accepted spelling of a record, indented for people."""
    return (json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()


def read(data: bytes) -> Document:
    """Parse the record in a JSON file. Raises RecordError."""
    document = parse(data)
    if document.get("format") != FORMAT:
        raise RecordError(f"It is not a decision record ({FORMAT}).")
    wrong = set(document) ^ {*PARTS, "format", "made_at", "sha256", "public_key", "signature"}
    if wrong:
        raise RecordError(f"It has missing or unknown members: {', '.join(sorted(wrong))}.")
    return document


def parse(data: bytes) -> Document:
    """Return the JSON object in a file, or an empty one for other JSON. Raises RecordError."""
    try:
        document = json.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise RecordError(f"It is not JSON: {error}") from error
    return _object(document)


def judge(document: Document, data: bytes, keys: Sequence[str]) -> Iterator[VerifiedItem]:
    """Verify every digest and the signature of a record that `read` parsed from `data`."""
    yield spelling_of(document, data)
    digests = _object(document["sha256"])
    part_digests = _object(digests.get("parts"))
    for name in PARTS:
        yield VerifiedItem(
            name, part_digests.get(name) == digest(document[name]).hex(), "its SHA-256"
        )
    try:
        now = texts_of(document)
    except (KeyError, TypeError, AttributeError) as error:
        yield VerifiedItem(
            "texts", False, f"question, answer and evidence cannot be read: {error!r}"
        )
    else:
        for name, value in now.items():
            yield VerifiedItem(f"text of the {name}", digests.get(name) == value, "its SHA-256")
    try:
        wrong = tuple(contradictions(document))
    except (KeyError, TypeError, AttributeError) as error:
        wrong = (f"it cannot be read: {error!r}",)
    yield VerifiedItem("agreement", not wrong, "; ".join(wrong) or "its parts and its seals agree")
    yield signature_of(document, keys)


def spelling_of(document: Document, data: bytes) -> VerifiedItem:
    """Return whether a file spells its document as `to_bytes` does."""
    same = to_bytes(document) == data
    return VerifiedItem("spelling", same, "the file is unchanged, character for character")


def signature_of(document: Document, keys: Sequence[str]) -> VerifiedItem:
    """Return whether one of `keys` signed the document."""
    words = _key_words(document.get("public_key"))
    return VerifiedItem("signature", _is_signed(document, keys), words)


def contradictions(parts: Mapping[str, Any]) -> Iterator[str]:
    """Yield where a record's parts contradict the decision or what was sealed."""
    if parts["result"] is not None:
        for name in differing_columns(parts["result"]):
            yield f"the stored {name} is not the decision's"
    for item in parts["trail"]:
        name = _SEALED.get(item["entry"]["event"], "")
        part, seal = parts.get(name), item["seal"]
        if part is None or seal is None or seal["content_sha256"] is None:
            continue
        if name == "input" and not part["answer"]:
            continue  # erased
        is_other = str(part["id"]) != item["entry"]["subject_id"]
        if not is_other and digest(part).hex() != seal["content_sha256"]:
            yield f"the {name} is not as it was sealed"


def differing_columns(result: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the columns, used by lists and the API, that differ from the stored decision."""
    decision = result["decision"]
    pairs = [
        ("action", result["action"], decision["action"]),
        ("risk score", result["risk_score"], decision["risk"]["risk_score"]),
        ("risk level", result["risk_level"], decision["risk"]["risk_level"]),
    ]
    for claim in result["claims"]:
        name, decision = claim["claim_id"], claim["decision"]
        pairs.append((f"status of {name}", claim["status"], decision["status"]))
        pairs.append((f"reason of {name}", claim["reason"] or None, decision["reason"]))
    return tuple(name for name, column, value in pairs if column != value)


def texts_of(document: Mapping[str, Any]) -> Document:
    """Return the SHA-256 (hex) of question, answer and each passage in UTF-8."""
    submission, result = document["input"], document["result"]
    passages = (result or {}).get("measurement", {}).get("evidence", [])
    return {
        "question": text_hash(submission["query"]),
        "answer": text_hash(submission["answer"]),
        "evidence": {ref_of(passage): text_hash(passage["text"]) for passage in passages},
    }


def ref_of(passage: Mapping[str, Any]) -> str:
    """Return the name of a stored passage, as `EvidenceChunk.ref`: "enwiki_12345#17"."""
    return f"{passage['doc_id']}#{passage['sent_id']}"


def by_ref(passages: Iterable[Document]) -> dict[str, Document]:
    return {ref_of(passage): passage for passage in passages}


def text_hash(text: str) -> str:
    """Return SHA-256 of the text in UTF-8, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def _object(value: Any) -> Document:
    return value if isinstance(value, dict) else {}


def _is_signed(document: Document, keys: Sequence[str]) -> bool:
    try:
        signature = base64.b64decode(document.get("signature", ""), validate=True)
    except (binascii.Error, ValueError, TypeError):
        return False
    body = {name: value for name, value in document.items() if name != "signature"}
    return signing.is_signed(canonical(body), signature, keys)


def _key_words(key: Any) -> str:
    try:
        return f"made with key {signing.key_name(key)}"
    except (signing.SigningKeyError, TypeError):
        return "the named key is not valid"
