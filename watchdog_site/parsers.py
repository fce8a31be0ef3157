"""Reads request bodies: bounded in size and depth before anything else looks at them."""

import json
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from accounts.problems import ProblemError
from lib.text.reader.json_text import has_more_values

MAX_JSON_DEPTH = 64
MAX_JSON_VALUES, BYTES_A_VALUE = 500_000, 32
"""The most values of a body, and of a smaller one: one for each so many bytes of its limit. Each
costs some hundred bytes of memory."""
_TOO_DEEP = f"The JSON is nested more than {MAX_JSON_DEPTH} levels deep."


class BoundedJSONParser(JSONParser):
    """Reads JSON of at most `MAX_SMALL_BODY_BYTES` and `MAX_JSON_VALUES`, fewer of a small body.

    A view may name its own `max_body_bytes`.
    """

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Parse the body.

        Raises a 413 problem when it is too long, ParseError when it is not JSON.
        """
        context = parser_context or {}
        limit = getattr(context.get("view"), "max_body_bytes", settings.MAX_SMALL_BODY_BYTES)
        request = context["request"]
        length = int(request.META.get("CONTENT_LENGTH") or 0)
        if length > limit:
            raise ProblemError(
                413,
                "body_too_large",
                f"The body has {length:,} bytes; at most {limit:,} are allowed.",
            )
        body = stream.read()
        most = min(MAX_JSON_VALUES, limit // BYTES_A_VALUE)
        if has_more_values(body, most):
            text = f"The body has more than {most:,} JSON values."
            raise ProblemError(413, "too_many_values", text)
        try:
            text = body.decode(str(context.get("encoding") or "utf-8"))
            data = json.loads(text, parse_constant=_no_number, object_pairs_hook=_members)
        except RecursionError as error:
            raise ParseError(_TOO_DEEP) from error
        except ValueError as error:
            raise ParseError(f"JSON parse error - {error}") from error
        if _is_deeper(data, MAX_JSON_DEPTH):
            raise ParseError(_TOO_DEEP)
        return data


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the members. Raises ValueError for a member that stands twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        names = set[str]()
        for name, _ in pairs:
            if name in names:
                raise ValueError(f"an object has the member {name[:80]!r} twice")
            names.add(name)
    return members


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def _is_deeper(data: Any, depth: int) -> bool:
    """Return whether lists and objects nest more than `depth` levels."""
    level = [data]
    for _ in range(depth + 1):
        containers = [value for value in level if value and type(value) in (dict, list)]
        if not containers:
            return False
        level = [
            inner
            for value in containers
            for inner in (value.values() if isinstance(value, dict) else value)
        ]
    return True
