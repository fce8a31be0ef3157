"""Errors of an input, field by field."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from accounts.problems import ProblemError

MOST_ERRORS, MOST_ERRORS_OF_ITEM = 50, 5
"""That one response names, and of each item of a batch."""
_PART = re.compile(r"[^.\[\]]+")


def no_verdict(state: str) -> ProblemError:
    """Return the error for a request that needs a verdict the check does not have."""
    return ProblemError(409, "no_verdict", f"This check has no verdict: its state is {state}.")


def errors_of(detail: Any, most: int = MOST_ERRORS) -> list[dict[str, str]]:
    """Return the first errors, and the number of further ones."""
    errors = field_errors(detail)
    first_errors = list(islice(errors, most))
    if more := sum(1 for _ in errors):
        first_errors.append(
            {"field": "", "detail": f"{more:,} more errors.", "code": "more_errors"}
        )
    return first_errors


def field_errors(detail: Any, path: str = "") -> Iterator[dict[str, str]]:
    """Flatten DRF's nested details into `{"field": "sources[2].text", "detail", "code"}`."""
    if isinstance(detail, dict):
        for key, value in detail.items():
            yield from field_errors(value, _join(path, key))
    elif isinstance(detail, list):
        for number, value in enumerate(detail):
            inner = path if isinstance(value, str) else f"{path}[{number}]"
            yield from field_errors(value, inner)
    else:
        yield {"field": path, "detail": str(detail), "code": getattr(detail, "code", "invalid")}


def nested(path: str, reason: str) -> Any:
    """Return DRF's details for one error at a path: `a[2].b` gives {"a": {2: {"b": [reason]}}}."""
    details: Any = [reason]
    for part in reversed(_PART.findall(path)):
        details = {int(part) if part.isdigit() else part: details}
    return details


def _join(path: str, key: Any) -> str:
    if key == "non_field_errors":
        return path
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else str(key)
