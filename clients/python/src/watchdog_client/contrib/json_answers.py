"""Finds and replaces answers in JSON responses. Pure functions."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from watchdog_client.guard import Draft, GuardedAnswer
from watchdog_client.operations import CheckOptions


class UnguardedResponseError(RuntimeError):
    """Raised for a response on a guarded path without an answer."""


@dataclass(frozen=True, slots=True)
class Fields:
    """The members of a guarded response: the answer, and optionally question and sources."""

    answer: str = "answer"
    query: str = "query"
    sources: str = "sources"


@dataclass(frozen=True, slots=True)
class Paths:
    """The guarded paths, each with everything below it, except the exempt ones."""

    guarded: tuple[str, ...]
    exempt: tuple[str, ...] = ()

    def hold(self, path: str) -> bool:
        return _lies_below(path, self.guarded) and not _lies_below(path, self.exempt)


def draft_of(body: bytes, fields: Fields, options: CheckOptions) -> Draft:
    """Return the answer of a response. Raises UnguardedResponseError if it has none."""
    document = _document(body)
    answer = document.get(fields.answer)
    if not isinstance(answer, str):
        raise UnguardedResponseError(f"The response has no text in {fields.answer!r}.")
    check_options: CheckOptions = {**options}
    if isinstance(query := document.get(fields.query), str):
        check_options["query"] = query
    if isinstance(sources := document.get(fields.sources), list):
        check_options["sources"] = sources
    return Draft(answer, check_options)


def replace_text(body: bytes, fields: Fields, result: GuardedAnswer) -> bytes:
    """Return the response with the releasable text."""
    return json.dumps({**_document(body), fields.answer: result.text}).encode()


def _lies_below(path: str, roots: Sequence[str]) -> bool:
    return any(f"{path}/".startswith(f"{root.rstrip('/')}/") for root in roots)


def _document(body: bytes) -> Mapping[str, Any]:
    try:
        document = json.loads(body)
    except ValueError as error:
        raise UnguardedResponseError("The response is not JSON.") from error
    if not isinstance(document, dict):
        raise UnguardedResponseError("The response is not a JSON object.")
    return document
