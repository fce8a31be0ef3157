"""LiteLLM's Generic Guardrail API: its proxy asks here about each request and each response.

The protocol: https://docs.litellm.ai/docs/adding_provider/generic_guardrail_api. A response comes
without its messages; question and sources are kept for it, encrypted, from the request on.
"""

import json
from collections.abc import Sequence
from functools import partial
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
from analysis.services.submission import submit
from api.inputs import MAX_METADATA_BYTES, CheckInput, JSONObjectField, TextField
from api.views import accept, require_known, wait_for_verdict
from lib.text.reader.json_text import begins_json
from lib.text.thinking import answer_alone
from lib.workqueue.broker import redis_client
from watchdog_client.chat import check_options
from watchdog_client.guard import GuardedAnswer, release
from watchdog_client.models import Check

KEEP_SECONDS = 900
"""How long a model may take from the request to the end of its response."""
_PURPOSE = "litellm"
_MOST_TEXTS = 128


class GuardrailParameters(InputSerializer):
    """`additional_provider_specific_params` of the guardrail in LiteLLM's `config.yaml`."""

    collections = ListField(child=TextField(max_length=120), required=False, max_length=50)
    scope = JSONObjectField(max_bytes=MAX_METADATA_BYTES, required=False)
    metadata = JSONObjectField(max_bytes=MAX_METADATA_BYTES, required=False)
    on_block = serializers.ChoiceField(choices=["error", "replace"], required=False)


class GuardrailInput(serializers.Serializer[Any]):
    """The part of a call that is read; LiteLLM sends more than that."""

    input_type = serializers.ChoiceField(choices=["request", "response"])
    litellm_call_id = TextField(max_length=200)
    texts = ListField(
        child=TextField(allow_blank=True), required=False, allow_null=True, max_length=_MOST_TEXTS
    )
    structured_messages = serializers.JSONField(required=False, allow_null=True)
    model = TextField(required=False, allow_null=True, allow_blank=True, max_length=200)
    additional_provider_specific_params = GuardrailParameters(required=False, allow_null=True)


class LiteLLMView(ApplicationView):
    """A request is noted, and a response checked against what the request said."""

    max_body_bytes = settings.MAX_BODY_BYTES

    @extend_schema(exclude=True)
    def post(self, request: Request) -> Response:
        """NONE, GUARDRAIL_INTERVENED with the texts to show, or BLOCKED with the reason."""
        serializer = GuardrailInput(data=request.data)
        serializer.is_valid(raise_exception=True)
        call: dict[str, Any] = serializer.validated_data
        parameters = dict(call.get("additional_provider_specific_params") or {})
        on_block = parameters.pop("on_block", "error")
        exchange = f"{self.application_id}:{call['litellm_call_id']}"
        if call["input_type"] == "request":
            # The question and the sources of a request: of its messages, or of a bare prompt.
            prompts = [{"role": "user", "content": text} for text in call.get("texts") or ()]
            messages = call.get("structured_messages") or prompts
            text = encrypt(
                json.dumps(dict(check_options(messages, {}, call.get("model") or ""))).encode(),
                purpose=_PURPOSE,
                row=exchange,
            )
            try:
                redis_client().set(f"litellm:{exchange}", text, ex=KEEP_SECONDS)
            except RedisError as error:
                raise _unavailable() from error
            return Response({"action": "NONE"})
        options = {**_options_of_request(exchange, parameters), **parameters}
        texts = call.get("texts") or []
        return Response(_outcome(texts, _checked(request, texts, options), on_block))


def _options_of_request(exchange: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return what was kept; nothing where collections are named, which need no request."""
    try:
        text: Any = redis_client().get(f"litellm:{exchange}")
    except RedisError as error:
        raise _unavailable() from error
    if text is not None:
        encrypted = text.decode() if isinstance(text, bytes) else str(text)
        options: dict[str, Any] = json.loads(decrypt(encrypted, purpose=_PURPOSE, row=exchange))
        return options
    if not parameters.get("collections"):
        detail = "The request of this response was not seen. Set `mode: [pre_call, post_call]`."
        raise ProblemError(409, "request_not_seen", detail)
    return {}


def _checked(
    request: Request, texts: Sequence[str], options: dict[str, Any]
) -> list[GuardedAnswer | None]:
    """Return the text to show for each text, all checked at the same time; blank ones stay."""
    accepted = [_accept(request, text, options) if text.strip() else None for text in texts]
    return [
        None if check_id is None else _verdict(request, text, check_id)
        for text, check_id in zip(texts, accepted, strict=True)
    ]


def _accept(request: Request, text: str, options: dict[str, Any]) -> UUID:
    serializer = CheckInput(data={**options, "answer": text})
    serializer.is_valid(raise_exception=True)
    new = serializer.new_check()
    require_known(client_of(request).application_id, new.collections)
    return accept(request, 1, partial(submit, new=new)).id


def _verdict(request: Request, text: str, check_id: UUID) -> GuardedAnswer:
    wait_for_verdict(check_id, settings.MAX_WAIT_SECONDS)
    check = Check.model_validate(check_document(client_of(request).application_id, check_id))
    if check.action is None:
        raise ProblemError(503, "not_ready", "This answer has no verdict yet.")
    return release(text, check)


def _outcome(
    texts: Sequence[str], results: Sequence[GuardedAnswer | None], on_block: str
) -> dict[str, Any]:
    """BLOCKED for a blocked text: LiteLLM drops new texts of some streams, and programs read JSON.

    With `on_block` "replace" the text to show stands in its place, but for JSON.
    """
    for text, result in zip(texts, results, strict=True):
        is_blocked = result is not None and result.action == "BLOCK" and not result.observed
        if result and is_blocked and (on_block == "error" or begins_json(answer_alone(text))):
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
