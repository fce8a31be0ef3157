"""Which checks tell of a person: those that hold given words or metadata, for erasing them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast

from accounts.models import Application
from analysis.models import AnnotatedAnswer, Check, Feedback, Review

_AT_ONCE = 500
_TEXTS = ("query", "answer")
_DOCUMENTS = ("sources", "samples", "scope", "metadata")


@dataclass(frozen=True, slots=True)
class Query:
    """Checks that hold any of `texts` (whatever their case) and all of `metadata`.

    Texts are looked for in question, answer, sources, samples, scope, metadata, evidence,
    reviewers' words and end users' comments.
    """

    texts: Sequence[str]
    metadata: Mapping[str, str]


def matching(application: Application, query: Query) -> Iterator[UUID]:
    """The ids of checks not yet erased that match, oldest first; read in parts of 500."""
    rows = Check.objects.filter(application=application, input_erased_at=None).order_by("pk")
    last: UUID | None = None
    while True:
        part = rows if last is None else rows.filter(pk__gt=last)
        ids = list(part.values_list("pk", flat=True)[:_AT_ONCE])
        if not ids:
            return
        found = _matched(Check.objects.filter(pk__in=ids), query)
        yield from found.order_by("pk").values_list("pk", flat=True)
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
        any_of |= _holds(text)
    return rows.filter(any_of)


def _holds(text: str) -> Q:
    found = Q()
    for name in _TEXTS:
        found |= Q((f"{name}__icontains", text))
    for name in _DOCUMENTS:
        found |= Q((f"{name}_text__icontains", _escaped(text)))
    measured = AnnotatedAnswer.objects.annotate(m=Cast(F("measurement"), TextField()))
    said = Q(note__icontains=text) | Q(corrected_text__icontains=text)
    return (
        found
        | Q(Exists(measured.filter(pk=OuterRef("pk"), m__icontains=_escaped(text))))
        | Q(Exists(Review.objects.filter(said, check_record=OuterRef("pk"))))
        | Q(Exists(Feedback.objects.filter(check_record=OuterRef("pk"), comment__icontains=text)))
    )


def _escaped(text: str) -> str:
    """As the text stands in JSON, without the quotes around it."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
