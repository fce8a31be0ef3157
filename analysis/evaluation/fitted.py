"""What was fitted on which rows, kept as hashes, so that no one reports on the rows it saw."""

import hashlib
from collections.abc import Collection, Mapping
from typing import Any

LENGTH = 16
"""Hexadecimal digits kept: among a million rows a chance meeting has odds of 1 to 18 million."""


def hashes(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Hashes of a row's identity (where it names its set and an id) and of what it says.

    What it says is question, context and answer, apart from case and spacing; so neither a new
    id nor a touched text makes a row that was seen a new one.
    """
    context = row.get("context")
    said = [str(row.get("query") or ""), str(context), str(row.get("response"))]
    found = [_hash("says", *(" ".join(part.casefold().split()) for part in said))]
    if row.get("dataset") and row.get("id") is not None:
        found.append(_hash("is", str(row["dataset"]), str(row["id"])))
    return tuple(found)


def seen(rows: Collection[tuple[str, ...]], fitted_on: Collection[str]) -> int:
    """How many of the rows (their hashes) something was fitted on."""
    known = frozenset(fitted_on)
    return sum(not known.isdisjoint(row) for row in rows)


def _hash(*parts: str) -> str:
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:LENGTH]
