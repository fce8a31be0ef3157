"""Shapes of documents, of refusals, and of the fixtures that make things."""

from collections.abc import Callable
from typing import Any

from django.test import Client

from analysis.models import Check, Review

Browser = Callable[[str], Client]
"""Makes a browser of somebody in the role of that name."""
MakeCheck = Callable[..., Check]
"""Submits an answer, or submits and checks it."""
Reviewed = Callable[..., Review]
"""Submits and checks an answer, and decides its review."""


def names_of(value: Any, path: str = "") -> set[str]:
    """Return the paths of all members; elements of lists have the same path."""
    if isinstance(value, list):
        return set().union(*(names_of(element, f"{path}[]") for element in value))
    if not isinstance(value, dict):
        return set()
    inner = (names_of(member, f"{path}.{name}") for name, member in value.items())
    return {f"{path}.{name}" for name in value}.union(*inner)


def problem(response: Any) -> tuple[int, str]:
    """Return status and code of a refusal, as of `urn:watchdog:problem:legal_hold`."""
    return response.status_code, response.json()["type"].removeprefix("urn:watchdog:problem:")
