"""Answers inside JSON responses: where they stand and how they are replaced. Pure functions."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from watchdog_client.guard import Draft, GuardedAnswer
from watchdog_client.operations import CheckOptions


class UnguardedResponseError(RuntimeError):
    """A response on a guarded path that has no answer where one is expected."""


@dataclass(frozen=True, slots=True)
class Fields:
    """The members of a guarded response: the answer, and optionally question and sources."""

    answer: str = "answer"
    query: str = "query"
    sources: str = "sources"


@dataclass(frozen=True, slots=True)
class Paths:
    """Which paths are guarded: those named with all that lies below, but for the exceptions."""

    guarded: tuple[str, ...]
    exempt: tuple[str, ...] = ()

    def hold(self, path: str) -> bool:
        return _lies_below(path, self.guarded) and not _lies_below(path, self.exempt)


def draft_of(body: bytes, fields: Fields, options: CheckOptions) -> Draft:
    """The answer of a response. Raises UnguardedResponseError where it has none."""
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
    """The response with the text that may be shown."""
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
