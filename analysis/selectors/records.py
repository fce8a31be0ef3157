"""The parts of a decision record, read from the database and compared with it."""

import base64
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet

from analysis.models import AnnotatedAnswer, Check, ClaimVerdict, Review
from analysis.records import document as record
from analysis.records import envelope, evidence
from analysis.records.document import Document, VerifiedItem
from analysis.selectors.contents import (
    input_documents,
    plain,
    policy_documents,
    remaining_input,
    result_documents,
)
from analysis.selectors.erasures import erasures_of_check, sentence
from analysis.selectors.verifying import verify_decision
from audit.models import TrailEntry
from audit.places import EntryPosition, places_of
from audit.sealing import canonical, digest, entry_document

_REVIEW = (
    "id", "stage", "reason", "created_at", "decision", "decided_at", "note", "reason_codes",
    "corrected_text",
)  # fmt: skip


def parts_of(check: Check, visible_reviews: QuerySet[Review]) -> Document:
    """Return every part of the record of a check in any state, with `visible_reviews` only.

    Reviews hidden from the reader by a blind second review are withheld, and the record says how
    many.
    """
    name = str(check.pk)
    result = result_documents([name]).get(name)
    policy = None
    if result is not None:
        (policy,) = policy_documents([str(result["policy_id"])]).values()
    application = check.application
    reviews = review_documents(visible_reviews.filter(check_record=check))
    withheld = Review.objects.filter(check_record=check).count() - len(reviews)
    return {
        "application": {
            "id": str(application.pk), "slug": application.slug, "name": application.name,
        },
        "check": {
            "id": name, "state": check.state, "last_error": check.last_error,
            "reviews_withheld": withheld,
            "erased": [sentence(item) for item in erasures_of_check(check.pk)],
        },
        "input": input_documents([name]).get(name) or remaining_input(check.pk),
        "result": result,
        "policy": policy,
        "reviews": reviews,
        "trail": _trail(check.pk, reviews, policy),
    }  # fmt: skip


def review_documents(reviews: QuerySet[Review]) -> list[Document]:
    """Return reviews with the verdicts on single claims, oldest first."""
    verdicts = Prefetch("claim_verdicts", ClaimVerdict.objects.select_related("claim"))
    rows = reviews.select_related("decided_by").prefetch_related(verdicts)
    return [
        plain({name: getattr(review, name) for name in _REVIEW})
        | {
            "decided_by": review.decided_by and review.decided_by.get_username(),
            "claims": {v.claim.claim_id: v.status for v in review.claim_verdicts.all()},
        }
        for review in rows.order_by("id")
    ]


def verify_file(
    data: bytes, keys: Sequence[str], is_stored_here: Callable[[Document], bool]
) -> Iterator[VerifiedItem]:
    """Verify a record (JSON or PDF) by its digests and signatures, then by what is stored.

    An evidence pack is verified by its own digests and signatures alone.
    `is_stored_here` says of a genuine record whether it may be compared. Raises RecordError.
    """
    if envelope.is_pdf(data):
        yield VerifiedItem("PDF", envelope.is_signed(data, keys), "its signature")
        data = envelope.unwrap(data)
    if record.parse(data).get("format") == evidence.FORMAT:
        yield from evidence.judge(record.parse(data), data, keys)
        return
    document = record.read(data)
    items = list(record.judge(document, data, keys))
    yield from items
    # What was changed may have any shape; it is compared only where it is what was signed.
    if all(item.holds for item in items) and is_stored_here(document):
        yield from against_stored(document)


def against_stored(document: Document) -> Iterator[VerifiedItem]:
    """Compare a record with the stored check; yield nothing if the check is not stored here."""
    check_id = _uuid(document["check"].get("id"))
    check = Check.objects.select_related("application").filter(pk=check_id).first()
    if check is None:
        return
    now = parts_of(check, Review.objects.all())
    text = " ".join(now["check"]["erased"])
    for name, part in _erased_parts(check).items():
        same = canonical(document[name]) == canonical(now[name])
        later = name != "input" and document[name] is None
        why = text if part else "decided since" if later else ""
        yield VerifiedItem(f"stored {name}", same or later or part, why)
    decided = [review for review in document["reviews"] if review["decision"] is not None]
    stored_reviews = [_without_erased(check, review) for review in now["reviews"]]
    for review in decided:
        yield VerifiedItem(
            f"stored review {review['id']}", _without_erased(check, review) in stored_reviews
        )
    yield from _trail_stored(document["trail"])
    yield from _decided_again(check_id)


def _erased_parts(check: Check) -> dict[str, bool]:
    """Return which parts are erased and cannot be compared.

    The policy is found through the result.
    """
    result = check.result_erased_at is not None
    return {"input": check.input_erased_at is not None, "result": result, "policy": result}


def _without_erased(check: Check, review: Document) -> Document:
    """Return a review without its erased members."""
    erased_names = [] if check.reviews_erased_at is None else ["note", "corrected_text"]
    erased_names += [] if check.result_erased_at is None else ["claims"]
    return {name: value for name, value in review.items() if name not in erased_names}


def entries_about(
    check_id: UUID, review_ids: Iterable[int], policy_id: int | None
) -> list[TrailEntry]:
    """Return the entries about a check, these reviews and its policy, oldest first."""
    about = Q(subject_type="check", subject_id=str(check_id))
    about |= Q(subject_type="review", subject_id__in=list(map(str, review_ids)))
    if policy_id is not None:
        about |= Q(subject_type="policy", subject_id=str(policy_id))
    return list(TrailEntry.objects.filter(about).order_by("id"))


def _trail(check_id: UUID, reviews: Sequence[Document], policy: Document | None) -> list[Document]:
    review_ids = (review["id"] for review in reviews)
    policy_id = None if policy is None else int(policy["id"])
    entries = entries_about(check_id, review_ids, policy_id)
    places = places_of(entries)
    return [
        {"entry": entry_document(entry), "seal": _seal(places.get(entry.pk))} for entry in entries
    ]


def _seal(place: EntryPosition | None) -> Document | None:
    if place is None:
        return None
    return {
        "chain": str(place.seal.chain),
        "number": place.seal.number,
        "position": place.position,
        "entry_sha256": place.leaf.entry.hex(),
        "content_sha256": place.content,
        "hash": bytes(place.seal.hash).hex(),
        "signature": base64.b64encode(bytes(place.seal.signature)).decode(),
        "key_name": place.seal.key_name,
    }


def _trail_stored(trail: Sequence[Document]) -> Iterator[VerifiedItem]:
    """Verify that each entry is stored as recorded and that its seal covers it."""
    ids = [item["entry"]["id"] for item in trail]
    entries = {entry.pk: entry for entry in TrailEntry.objects.filter(pk__in=ids)}
    places = places_of(entries.values())
    for item in trail:
        entry = entries.get(item["entry"]["id"])
        same = entry is not None and entry_document(entry) == item["entry"]
        yield VerifiedItem(f"trail entry {item['entry']['id']}", same)
        if item["seal"] is not None and entry is not None:
            place = places.get(entry.pk)
            in_leaf = place is not None and place.leaf.entry == digest(item["entry"])
            same_seal = in_leaf and _seal(place) == item["seal"]
            yield VerifiedItem(f"seal of trail entry {entry.pk}", same_seal)


def _decided_again(check_id: UUID) -> Iterator[VerifiedItem]:
    answers = AnnotatedAnswer.objects.select_related("check_record", "policy")
    answer = answers.prefetch_related("claims").filter(pk=check_id).first()
    if answer is None:
        return
    try:
        verification = verify_decision(answer)
    except (ValueError, KeyError, TypeError) as error:  # what was altered fits together no more
        yield VerifiedItem("decided again", False, f"the stored data cannot be decided: {error!r}")
        return
    text = ", ".join(verification.differs)
    if verification.engine is None:
        text = f"decided by engine {answer.engine_version}, which this build does not contain"
    yield VerifiedItem("decided again", not verification.differs, text)


def _uuid(value: Any) -> UUID:
    try:
        return UUID(str(value))
    except ValueError:
        return UUID(int=0)
