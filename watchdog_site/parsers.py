"""Reading request bodies: bounded in size and depth before anything else looks at them."""

from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from watchdog_site.problems import Problem


class BoundedJSONParser(JSONParser):
    """JSON of at most `MAX_BODY_BYTES` (a view may name its own `max_body_bytes`)."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Parse the body; raises a 413 problem when it is too long, ParseError when not JSON."""
        context = parser_context or {}
        limit = getattr(context.get("view"), "max_body_bytes", settings.MAX_BODY_BYTES)
        request = context["request"]
        length = int(request.META.get("CONTENT_LENGTH") or 0)
        if length > limit:
            raise Problem(
                413, "body_too_large", f"The body has {length:,} bytes; at most {limit:,} are read."
            )
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError("The JSON is nested too deeply.") from error
