"""Finds the checks that mention a person by words or metadata, for erasure."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast

from accounts.models import Application
from analysis.models import AnnotatedAnswer, Check, Feedback, Review, ReviewDraft, ReviewSkip

_AT_ONCE = 500
_TEXTS = ("query", "answer", "last_error")
_DOCUMENTS = ("sources", "samples", "messages", "scope", "metadata")
_RESULT_DOCUMENTS = ("measurement", "decision", "suggestions")


@dataclass(frozen=True, slots=True)
class Query:
    """Matches anything with one of `texts` (in any case), and checks with all of `metadata`.

    In checks, texts are searched in question, answer, sources, samples, conversation, scope,
    metadata, evidence, decision, reviewers' words (drafts included) and end users' comments.
    `people`: names of users and managers, whose conversations, memory and uploads match whatever
    they say.
    """

    texts: Sequence[str] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    people: Sequence[str] = ()


def matching(application: Application, query: Query) -> Iterator[UUID]:
    """Yield the ids of matching checks not yet erased, oldest first; read in batches of 500."""
    rows = Check.everything.filter(application=application, input_erased_at=None).order_by("pk")
    last: UUID | None = None
    while True:
        part = rows if last is None else rows.filter(pk__gt=last)
        ids = list(part.values_list("pk", flat=True)[:_AT_ONCE])
        if not ids:
            return
        matches = _matched(Check.everything.filter(pk__in=ids), query)
        yield from matches.order_by("pk").values_list("pk", flat=True)
        last = ids[-1]


def _matched(rows: QuerySet[Check], query: Query) -> QuerySet[Check]:
    if query.metadata:
        rows = rows.filter(metadata__contains=dict(query.metadata))
    if not query.texts:
        return rows
    texts = {f"{name}_text": Cast(F(name), TextField()) for name in _DOCUMENTS}
    rows = rows.annotate(**texts)
    any_of = Q()
    for text in query.texts:
        any_of |= _contains(text)
    return rows.filter(any_of)


def _contains(text: str) -> Q:
    condition = Q()
    for name in _TEXTS:
        condition |= Q((f"{name}__icontains", text))
    for name in _DOCUMENTS:
        condition |= Q((f"{name}_text__icontains", escaped(text)))
    return condition | _is_in_result(text) | _is_in_review(text)


def _is_in_result(text: str) -> Q:
    results = AnnotatedAnswer.objects.annotate(
        **{f"{name}_text": Cast(F(name), TextField()) for name in _RESULT_DOCUMENTS}
    )
    holds = Q()
    for name in _RESULT_DOCUMENTS:
        holds |= Q((f"{name}_text__icontains", escaped(text)))
    return Q(Exists(results.filter(holds, pk=OuterRef("pk"))))


def _is_in_review(text: str) -> Q:
    """Match words of reviewers, decided or not: also drafts and reasons for skipping."""
    notes = Q(note__icontains=text) | Q(corrected_text__icontains=text)
    drafts = ReviewDraft.objects.annotate(fields_text=Cast(F("fields"), TextField()))
    drafts = drafts.filter(fields_text__icontains=escaped(text))
    return (
        Q(Exists(Review.objects.filter(notes, check_record=OuterRef("pk"))))
        | Q(Exists(drafts.filter(review__check_record=OuterRef("pk"))))
        | Q(
            Exists(
                ReviewSkip.objects.filter(
                    reason__icontains=text, review__check_record=OuterRef("pk")
                )
            )
        )
        | Q(Exists(Feedback.objects.filter(check_record=OuterRef("pk"), comment__icontains=text)))
    )


def escaped(text: str) -> str:
    """Return the text as escaped in JSON, without quotes."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
