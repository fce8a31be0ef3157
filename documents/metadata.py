"""Metadata of documents, and the choice of documents by it.

Any names and values, such as version, branch or language. `valid_from` and `valid_to` are dates
(the last day included), with which a choice compares its `valid_on`.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Q

from documents.models import Collection, Document, DocumentState

MOST, LONGEST = 30, 300
VALID_FROM, VALID_TO, VALID_ON = "valid_from", "valid_to", "valid_on"


class BadMetadata(ValueError):
    """Raised for metadata, or a choice by it, of another form; the message says what is wrong."""


def metadata_in(value: Any) -> dict[str, Any]:
    """Return an object as metadata, one written as JSON too. Raises BadMetadata."""
    for name, item in (members := _members(value)).items():
        _require_scalar(name, item)
        if name in (VALID_FROM, VALID_TO):
            _require_date(name, item)
    return members


def choice_in(value: Any) -> dict[str, Any]:
    """Return an object as a choice; of a list any value will do. Raises BadMetadata."""
    for name, item in (members := _members(value)).items():
        if name == VALID_ON:
            _require_date(name, item)
        elif isinstance(item, list) and len(item) > MOST:
            raise BadMetadata(f"{name}: At most {MOST} values.")
        for each in item if isinstance(item, list) else [item]:
            _require_scalar(name, each)
    return members


def documents_with(collections: Sequence[Collection], choice: Mapping[str, Any]) -> list[UUID]:
    """Return the indexed documents whose metadata have the values that were asked for."""
    documents = Document.objects.filter(collection__in=collections, state=DocumentState.INDEXED)
    for name, value in choice.items():
        if name == VALID_ON:
            documents = documents.filter(
                Q(metadata__valid_from__isnull=True) | Q(metadata__valid_from__lte=value),
                Q(metadata__valid_to__isnull=True) | Q(metadata__valid_to__gte=value),
            )
            continue
        any_of = Q()
        for each in value if isinstance(value, list) else [value]:
            any_of |= Q(metadata__contains={name: each})
        documents = documents.filter(any_of) if any_of else documents.none()
    return list(documents.values_list("pk", flat=True))


def metadata_values(application_id: UUID) -> dict[str, list[Any]]:
    """Return the values of each name in an application's documents, in order.

    One query; at most `MOST` names and values.
    """
    rows = Document.objects.filter(collection__application_id=application_id)
    indexed = rows.filter(state=DocumentState.INDEXED).exclude(metadata={}).order_by("metadata")
    values = dict[str, dict[Any, None]]()
    for metadata in indexed.values_list("metadata", flat=True).distinct():
        for name, value in metadata.items():
            values.setdefault(name, {})[value] = None
    return {name: sorted(values[name], key=str)[:MOST] for name in sorted(values)[:MOST]}


def _members(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError as error:
            raise BadMetadata("Must be a JSON object.") from error
    if not isinstance(value, dict):
        raise BadMetadata("Must be an object of names and values.")
    if len(value) > MOST:
        raise BadMetadata(f"At most {MOST} members.")
    for name in value:
        if not isinstance(name, str) or not name.strip() or len(name) > LONGEST:
            raise BadMetadata(f"Names have 1 to {LONGEST} characters.")
    return value


def _require_scalar(name: str, value: Any) -> None:
    if not isinstance(value, str | int | float):
        raise BadMetadata(f"{name}: Must be a text, a number, true or false.")
    if len(str(value)) > LONGEST or "\0" in f"{name}{value}":
        raise BadMetadata(f"{name}: At most {LONGEST} characters, none of them NUL.")


def _require_date(name: str, value: Any) -> None:
    try:
        well_formed = date.fromisoformat(value).isoformat() == value
    except (TypeError, ValueError):
        well_formed = False
    if not well_formed:
        raise BadMetadata(f"{name}: Must be a date such as 2026-03-01.")
