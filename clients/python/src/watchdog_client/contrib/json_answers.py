"""Finds and replaces answers in JSON responses. Pure functions."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from watchdog_client.errors import ConfigurationError
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
    """The guarded paths, each with everything below it, except the exempt ones.

    Raises ConfigurationError for those that would guard nothing.
    """

    guarded: tuple[str, ...]
    exempt: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.guarded or not all(one.startswith("/") for one in self.guarded + self.exempt):
            raise ConfigurationError("Name at least one path to guard; a path begins with a slash.")

    def hold(self, path: str, path_of_app: str) -> bool:
        """Return True for a request with this path, and this one below where the app is mounted."""
        forms = (path, path_of_app)
        return _lie_below(forms, self.guarded) and not _lie_below(forms, self.exempt)


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


def _lie_below(paths: Sequence[str], roots: Sequence[str]) -> bool:
    return any(f"{path}/".startswith(f"{root.rstrip('/')}/") for root in roots for path in paths)


def _document(body: bytes) -> Mapping[str, Any]:
    try:
        document = json.loads(body)
    except ValueError as error:
        raise UnguardedResponseError("The response is not JSON.") from error
    if not isinstance(document, dict):
        raise UnguardedResponseError("The response is not a JSON object.")
    return document
