"""LiteLLM's Generic Guardrail API: its proxy asks here about each request and each response.

The protocol: https://docs.litellm.ai/docs/adding_provider/generic_guardrail_api. A response comes
without its messages; question and sources are kept for it, encrypted, from the request on.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from django.conf import settings
from drf_spectacular.utils import extend_schema
from redis.exceptions import RedisError
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.authentication import client_of
from accounts.encryption import decrypt, encrypt
from accounts.inputs import InputSerializer, ListField
from accounts.problems import ProblemError
from accounts.views import ApplicationView
from analysis.selectors.results import check_document
from api.inputs import MAX_METADATA_BYTES, JSONObjectField, TextField
from api.views import accept_answer, wait_for_verdict
from lib.text.reader.json_text import begins_json
from lib.text.thinking import answer_alone
from lib.text.vocabulary import offered_functions, values_of
from lib.workqueue.broker import redis_client
from watchdog_client.chat import ROLES, check_options, words_of
from watchdog_client.guard import OBSERVED, GuardedAnswer, release
from watchdog_client.models import Check

KEEP_SECONDS = 900
"""The longest time from a request to the end of the model's response."""
_PURPOSE = "litellm"
_MOST_KEPT_BYTES = 2 * settings.MAX_SOURCES_BYTES
"""Of one request: no check takes as many sources, and all that is kept lies in Redis."""
_MOST_TEXTS = 128


class GuardrailParameters(InputSerializer):
    """`additional_provider_specific_params` of the guardrail in LiteLLM's `config.yaml`."""

    collections = ListField(child=TextField(max_length=120), required=False, max_length=50)
    scope = JSONObjectField(max_bytes=MAX_METADATA_BYTES, required=False)
    metadata = JSONObjectField(max_bytes=MAX_METADATA_BYTES, required=False)
    on_block = serializers.ChoiceField(choices=["error", "replace"], required=False)
    tool_calls = serializers.ChoiceField(choices=["report", "refuse", "pass"], required=False)


class GuardrailInput(serializers.Serializer[Any]):
    """The part of a call that is read; LiteLLM sends more than that."""

    input_type = serializers.ChoiceField(choices=["request", "response"])
    litellm_call_id = TextField(max_length=200)
    texts = ListField(
        child=TextField(allow_blank=True), required=False, allow_null=True, max_length=_MOST_TEXTS
    )
    structured_messages = serializers.JSONField(required=False, allow_null=True)
    tools = serializers.JSONField(required=False, allow_null=True)
    tool_calls = ListField(
        child=serializers.JSONField(), required=False, allow_null=True, max_length=_MOST_TEXTS
    )
    model = TextField(required=False, allow_null=True, allow_blank=True, max_length=200)
    additional_provider_specific_params = GuardrailParameters(required=False, allow_null=True)

    def validate_structured_messages(self, value: Any) -> list[Any]:
        if value is not None and not isinstance(value, list):
            raise serializers.ValidationError("Expected a list of messages.", "wrong_type")
        return value or []


class LiteLLMView(ApplicationView):
    """A request is noted, and a response checked against what the request said."""

    max_body_bytes = settings.MAX_BODY_BYTES

    @extend_schema(exclude=True)
    def post(self, request: Request) -> Response:
        """Return NONE, GUARDRAIL_INTERVENED with the texts to show, or BLOCKED with the reason.

        Tool calls are checked like answers; `tool_calls` "refuse" blocks those that fail.
        """
        serializer = GuardrailInput(data=request.data)
        serializer.is_valid(raise_exception=True)
        call: dict[str, Any] = serializer.validated_data
        parameters = dict(call.get("additional_provider_specific_params") or {})
        on_block = parameters.pop("on_block", "error")
        on_calls = parameters.pop("tool_calls", "report")
        exchange = f"{self.application_id}:{call['litellm_call_id']}"
        if call["input_type"] == "request":
            _keep(exchange, call)
            return Response({"action": "NONE"})
        earlier = _earlier(exchange, parameters)
        options = {**earlier.get("options", {}), **parameters}
        texts = call.get("texts") or []
        calls = [] if on_calls == "pass" else list(_calls(call.get("tool_calls") or []))
        inputs = [{**options, "answer": text} if text.strip() else None for text in texts]
        inputs += [_input_of(one, earlier, options) for one in calls]
        accepted = [None if data is None else accept_answer(request, data).id for data in inputs]
        checks = [
            None if check_id is None else _verdict(request, check_id) for check_id in accepted
        ]
        calls_and_checks = zip(calls, checks[len(texts) :], strict=True)
        reasons = (_refusal(*pair, earlier) for pair in calls_and_checks)
        if on_calls == "refuse" and (reason := next(filter(None, reasons), None)):
            return Response({"action": "BLOCKED", "blocked_reason": reason})
        texts_and_checks = zip(texts, checks[: len(texts)], strict=True)
        results = [
            None if check is None else release(text, check) for text, check in texts_and_checks
        ]
        return Response(_outcome(texts, results, on_block))


def _keep(exchange: str, call: dict[str, Any]) -> None:
    """Keep the question, the sources, the tools and what people wrote for the response.

    They are those of the request's messages, or of a bare prompt.
    """
    prompts = [{"role": "user", "content": text} for text in call.get("texts") or ()]
    messages = call.get("structured_messages") or prompts
    words = [
        words_of(one) for one in messages if isinstance(one, dict) and one.get("role") in ROLES
    ]
    options = check_options(messages, {}, call.get("model") or "")
    document = {"options": options, "tools": call.get("tools"), "words": [*filter(None, words)]}
    body = json.dumps(document).encode()
    if len(body) > _MOST_KEPT_BYTES:
        detail = f"What is to be kept has {len(body):,} bytes; at most {_MOST_KEPT_BYTES:,} may."
        raise ProblemError(413, "body_too_large", detail)
    text = encrypt(body, purpose=_PURPOSE, row=exchange)
    try:
        redis_client().set(f"litellm:{exchange}", text, ex=KEEP_SECONDS)
    except RedisError as error:
        raise _unavailable() from error


def _earlier(exchange: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return what was kept; nothing where collections are named, which need no request."""
    try:
        text: Any = redis_client().get(f"litellm:{exchange}")
    except RedisError as error:
        raise _unavailable() from error
    if text is not None:
        encrypted = text.decode() if isinstance(text, bytes) else str(text)
        earlier: dict[str, Any] = json.loads(decrypt(encrypted, purpose=_PURPOSE, row=exchange))
        return earlier
    if not parameters.get("collections"):
        detail = "The request of this response was not seen. Set `mode: [pre_call, post_call]`."
        raise ProblemError(409, "request_not_seen", detail)
    return {}


def _calls(tool_calls: Sequence[Any]) -> Iterator[dict[str, str]]:
    """Yield name and arguments of the calls of functions; other tools run at the model's server."""
    for call in tool_calls:
        function = (call.get("function") or call.get("custom")) if isinstance(call, dict) else None
        if isinstance(function, dict):
            arguments = function.get("arguments") or function.get("input") or ""
            yield {"name": str(function.get("name") or ""), "arguments": str(arguments)}


def _input_of(
    function: dict[str, str], earlier: dict[str, Any], options: dict[str, Any]
) -> dict[str, Any] | None:
    """Return the check of a tool call's arguments, against what was said besides; None of nothing.

    Without the request only the arguments are checked: which names are known is not.
    """
    if not values_of(function["arguments"]):
        return None
    if not earlier:
        return {**options, "answer": function["arguments"]}
    members = {name: value for name, value in options.items() if name != "query"}
    tools = (
        [{"role": "system", "content": json.dumps(earlier["tools"])}] if earlier["tools"] else []
    )
    question = {"role": "user", "content": options["query"]}
    calling = {"role": "assistant", "content": "", "tool_calls": [{"function": function}]}
    sources = [*(options.get("sources") or ()), *earlier["words"]]
    return {**members, "messages": [*tools, question, calling], "sources": sources}


def _refusal(function: dict[str, str], check: Check | None, earlier: dict[str, Any]) -> str | None:
    """Return why a tool call is held back: what is merely unsupported passes, as in the proxy."""
    name, offered = function["name"], offered_functions(earlier.get("tools"))
    if offered and name not in offered:
        return f"The model called {name}, which the request does not offer."
    if check is None or OBSERVED in check.mitigation_actions:
        return None
    contradicted = any(claim.status == "Contradictory" for claim in check.claims)
    for reason in check.reasons:
        if reason.code == "unknown_names" or (contradicted and check.action != "ALLOW"):
            return f"A call of {name} was held back. {reason.text}"
    return None


def _verdict(request: Request, check_id: UUID) -> Check:
    wait_for_verdict(check_id, settings.MAX_WAIT_SECONDS)
    check = Check.model_validate(check_document(client_of(request).application_id, check_id))
    if check.action is None:
        raise ProblemError(503, "not_ready", "This answer has no verdict yet.")
    return check


def _outcome(
    texts: Sequence[str], results: Sequence[GuardedAnswer | None], on_block: str
) -> dict[str, Any]:
    """Return BLOCKED for a blocked text, else the texts to show where they differ.

    LiteLLM drops new texts of some streams, and programs read JSON. With `on_block` "replace" the
    text to show stands in a blocked one's place, but for JSON.
    """
    for text, result in zip(texts, results, strict=True):
        if result is None or result.action != "BLOCK" or result.observed:
            continue
        if on_block == "error" or begins_json(answer_alone(text)):
            return {"action": "BLOCKED", "blocked_reason": result.text}
    released_texts = [
        text if result is None else answer_alone(result.text)
        for text, result in zip(texts, results, strict=True)
    ]
    if released_texts == list(texts):
        return {"action": "NONE"}
    return {"action": "GUARDRAIL_INTERVENED", "texts": released_texts}


def _unavailable() -> ProblemError:
    return ProblemError(503, "not_ready", "Redis does not answer, so no request can be kept.")
