"""The shape of JSON documents, for tests that compare examples with real ones."""

from typing import Any


def names_of(value: Any, path: str = "") -> set[str]:
    """Return the paths of all members; elements of lists have the same path."""
    if isinstance(value, list):
        return set().union(*(names_of(element, f"{path}[]") for element in value))
    if not isinstance(value, dict):
        return set()
    inner = (names_of(member, f"{path}.{name}") for name, member in value.items())
    return {f"{path}.{name}" for name in value}.union(*inner)
