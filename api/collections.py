"""Requires that a check's collections exist: a misspelt one would be searched in vain."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from accounts.problems import ProblemError
from analysis.services.submission import NewCheck
from documents.selectors import named_collections

_UNKNOWN = "unknown_collection"


def require_known(application_id: UUID, names: Sequence[str]) -> None:
    """Raise ProblemError for the first name that is no collection of the application."""
    if missing := _missing(application_id, names):
        raise ProblemError(422, _UNKNOWN, _missing_message(missing[0]))


def refuse_unknown(
    application_id: UUID, items: Sequence[NewCheck | dict[str, Any]]
) -> list[NewCheck | dict[str, Any]]:
    """Return a batch's items; those naming an unknown collection become errors."""
    requested_names = {
        name for item in items if isinstance(item, NewCheck) for name in item.collections
    }
    missing = set(_missing(application_id, sorted(requested_names)))
    return [_check_item(item, missing) for item in items]


def _missing(application_id: UUID, names: Sequence[str]) -> list[str]:
    return named_collections(application_id, list(names))[1] if names else []


def _check_item(item: NewCheck | dict[str, Any], missing: set[str]) -> NewCheck | dict[str, Any]:
    if not isinstance(item, NewCheck) or missing.isdisjoint(item.collections):
        return item
    errors = [
        {"field": f"collections[{at}]", "code": _UNKNOWN, "detail": _missing_message(n)}
        for at, n in enumerate(item.collections)
        if n in missing
    ]
    return {"errors": errors}


def _missing_message(name: str) -> str:
    return f"There is no collection {name!r}. Create it with POST /api/v1/collections."
