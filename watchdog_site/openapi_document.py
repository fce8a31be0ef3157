"""Common parts of every operation of the OpenAPI document: tags, servers, errors, examples."""

import json
from collections.abc import Iterator
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularAPIView
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from watchdog_site.problems import MEDIA_TYPE

Json = dict[str, Any]
EXAMPLES = Path(__file__).with_name("openapi_examples.json")
REPLIES = Path(__file__).with_name("openapi_replies.json")
"""Real replies to them by operation and status; tests/integration/api writes this file."""
_METHODS = ("get", "post", "put", "patch", "delete")
_PROBLEM = {"$ref": "#/components/schemas/Problem"}
_TAGS: dict[str, tuple[str, tuple[str, ...]]] = {
    "Checks": ("Submit answers, read or stream verdicts, send feedback.", ("batches", "checks")),
    "Documents": (
        "Collections, the files in them, and search.",
        ("collections", "documents", "search"),
    ),
    "Webhooks": ("Signed events, sent to a URL.", ("webhooks",)),
    "Policies": ("Versions of the policy, with trials and replays.", ("policies",)),
    "Reviews": ("The review desk.", ("reviews",)),
    "Trends": ("Metrics over time.", ("trends",)),
    "Oversight": (
        "Whether the guard works, and what a period says of it.",
        ("cases", "evidence", "probes"),
    ),
    "Application": ("The calling key, and the usage of its application.", ("keys", "usage")),
    "Assistant": ("Managers' questions, answered from evidence.", ("assistant",)),
    "Memory": ("What the assistant remembers of managers' statements.", ("managers", "memory")),
    "Risk API": ("The risk API's interface: one call, one assessment.", ("analyze",)),
    "This document": ("This API as an OpenAPI document.", ("schema",)),
}
"""The text of each tag, and the first parts of its paths, below `/api/` and perhaps `v1/`."""
_ERRORS = {
    "400": "The input is not valid; `errors` names each field. Nothing was stored.",
    "401": "No valid API key.",
    "403": "The key lacks the required scope.",
    "404": "Not found in this application.",
    "409": "The request conflicts with the current state; `type` says how.",
    "410": "It has been erased.",
    "413": "The body is too large.",
    "415": "The content type is not accepted.",
    "422": "The request refers to something that does not exist.",
    "429": "Rate limit exceeded; `Retry-After` says when to try again.",
    "503": "Temporarily unavailable. Repeat with the same `Idempotency-Key` after `Retry-After`.",
}
_EXAMPLE_OF_A_PROBLEM = {
    "type": "urn:watchdog:problem:invalid",
    "title": "Bad Request",
    "status": 400,
    "detail": "answer: This field is required.",
    "errors": [{"field": "answer", "code": "required", "detail": "This field is required."}],
}


def complete(result: Json, generator: Any, request: Any, public: bool) -> Json:
    """Complete the document: drf-spectacular's hook, called with the whole document."""
    result["servers"] = [
        {"url": "/", "description": "The server of this document."},
        {"url": "http://127.0.0.1:8000", "description": "`make run`"},
    ]
    result["tags"] = [{"name": name, "description": text} for name, (text, _) in _TAGS.items()]
    result["components"]["schemas"]["Problem"]["example"] = _EXAMPLE_OF_A_PROBLEM
    examples, replies = json.loads(EXAMPLES.read_text()), json.loads(REPLIES.read_text())
    for path, operation in _operations(result):
        operation["tags"] = [_tag(path)]
        if operation.get("security"):
            # Add the errors that any operation of its form may answer.
            statuses = ["401", "403", "429", "503"]
            takes_query = any(item["in"] == "query" for item in operation.get("parameters", ()))
            statuses += ["400"] if takes_query or "requestBody" in operation else []
            statuses += ["413", "415"] if "requestBody" in operation else []
            has_formats = any(item["name"] == "format" for item in operation.get("parameters", ()))
            statuses += ["404"] if "{" in path or has_formats else []
            for status in statuses:
                operation["responses"].setdefault(status, {})
            operation["responses"] = dict(sorted(operation["responses"].items()))
        _describe(operation)
        name = operation["operationId"]
        _illustrate(operation, examples.get(name, {}), replies.get(name, {}))
    return result


def _operations(document: Json) -> Iterator[tuple[str, Json]]:
    for path, methods in document["paths"].items():
        for method in _METHODS:
            if method in methods:
                yield path, methods[method]


def _tag(path: str) -> str:
    """Return the tag of a path.

    Raises LookupError for one under no tag: add it in `_TAGS`.
    """
    first = path.removeprefix("/api/").removeprefix("v1/").split("/")[0]
    for tag, (_, parts) in _TAGS.items():
        if first in parts:
            return tag
    raise LookupError(f"{path} has no tag.")


def _describe(operation: Json) -> None:
    for status, response in operation["responses"].items():
        if status in _ERRORS:
            response["content"] = {MEDIA_TYPE: {"schema": _PROBLEM}}
            response["description"] = _ERRORS[status]
        elif not response.get("description"):
            response["description"] = HTTPStatus(int(status)).phrase


def _illustrate(operation: Json, examples: Json, replies: Json) -> None:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if body is not None and "request" in examples:
        body["example"] = examples["request"]
    for status, example in replies.items():
        operation["responses"][status]["content"]["application/json"]["example"] = example


class SchemaView(SpectacularAPIView):
    """Serves the document as YAML or JSON."""

    def _get_schema_response(self, request: Request) -> HttpResponse:
        renderer: Any = type(request.accepted_renderer)
        return HttpResponse(_document(renderer), content_type=str(renderer.media_type))


@cache
def _document(renderer: type[BaseRenderer]) -> str | bytes:
    generator: Any = SchemaGenerator
    return renderer().render(generator().get_schema(request=None, public=True))
