"""LiteLLM callback: completions show what the policy lets a user read.

    litellm.callbacks = [WatchdogCallback(AsyncGuard(client))]

It guards `acompletion`, `atext_completion` and `aresponses`, in the SDK and in LiteLLM's proxy.
What it cannot check raises `UnguardedCallError` before the model is asked: streams (WATCHDOG's own
proxy streams), synchronous calls, and other calls that return a model's text.
"""

from collections.abc import Iterator
from functools import wraps
from typing import Any

import litellm
from litellm import utils
from litellm.integrations.custom_guardrail import CustomGuardrail

from watchdog_client.chat import check_options, input_messages
from watchdog_client.guard import AsyncGuard

_GUARDED = frozenset({"acompletion", "atext_completion", "aresponses"})
_WITHOUT_ANSWER = ("embedding", "moderation", "rerank", "image", "speech", "transcription", "ocr")
_UNVERIFIED = ("reasoning_content", "thinking_blocks", "audio")


class UnguardedCallError(RuntimeError):
    """Raised for a call whose answer this callback cannot check; the model was not asked."""


class WatchdogCallback(CustomGuardrail):  # type: ignore[misc]  # litellm is typed in part
    """Replaces each text of an answer after its check.

    It is a guardrail because LiteLLM only logs exceptions of other callbacks and shows the answer.
    """

    def __init__(self, guard: AsyncGuard) -> None:
        super().__init__(guardrail_name="watchdog", default_on=True)
        self._guard = guard
        _refuse_synchronous_calls()

    async def async_pre_call_deployment_hook(
        self, kwargs: dict[str, Any], call_type: Any
    ) -> dict[str, Any]:
        """Refuse what cannot be checked."""
        kind = getattr(call_type, "value", str(call_type))
        if kind in _GUARDED and kwargs.get("stream"):
            raise UnguardedCallError("WatchdogCallback cannot check a stream.")
        _refuse_unless_checkable(kind)
        return kwargs

    async def async_post_call_success_deployment_hook(
        self, request_data: dict[str, Any], response: Any, call_type: Any
    ) -> Any:
        """Guard the answer."""
        if getattr(call_type, "value", "") in _GUARDED:
            options = check_options(_messages(request_data), {}, str(request_data.get("model", "")))
            for holder, member in _texts(response):
                if text := _get(holder, member):
                    result = await self._guard.check_answer(text, **options)
                    _set(holder, member, result.text)
        return response


def _messages(request: dict[str, Any]) -> list[Any]:
    """Return the messages of a request to any of the three APIs."""
    if "prompt" in request:
        return [{"role": "user", "content": request["prompt"]}]
    return list(request.get("messages") or input_messages(request))


def _texts(response: Any) -> Iterator[tuple[Any, str]]:
    """Yield each object of a response with a text, and the member's name; reasoning is removed."""
    for choice in getattr(response, "choices", ()):
        if hasattr(choice, "text"):
            yield choice, "text"
            continue
        choice.logprobs = None
        for member in _UNVERIFIED:
            if getattr(choice.message, member, None) is not None:
                setattr(choice.message, member, None)
        yield choice.message, "content"
        if getattr(choice.message, "refusal", None):
            yield choice.message, "refusal"
    items = getattr(response, "output", ())
    if items:
        response.output = [item for item in items if _get(item, "type") != "reasoning"]
        for item in response.output:
            for part in _get(item, "content") or ():
                yield part, "refusal" if _get(part, "type") == "refusal" else "text"


def _get(holder: Any, member: str) -> Any:
    """Return a member of an object, or of a dict for types that LiteLLM has no class for."""
    return holder.get(member) if isinstance(holder, dict) else getattr(holder, member, None)


def _set(holder: Any, member: str, value: str) -> None:
    if isinstance(holder, dict):
        holder[member] = value
    else:
        setattr(holder, member, value)


def _refuse_unless_checkable(kind: str) -> None:
    if kind not in _GUARDED and not any(word in kind for word in _WITHOUT_ANSWER):
        raise UnguardedCallError(f"WatchdogCallback cannot check {kind}; use an asynchronous call.")


def _refuse_synchronous_calls() -> None:
    """Make LiteLLM's synchronous calls raise while a WatchdogCallback is installed.

    LiteLLM asks no callback about them; all pass `function_setup` before the model is asked.
    """
    original = utils.function_setup
    if hasattr(original, "__wrapped__"):
        return

    @wraps(original)
    def function_setup(call_type: str, *args: Any, **kwargs: Any) -> Any:
        if kwargs.get("is_async_call") is False and any(
            isinstance(callback, WatchdogCallback) for callback in litellm.callbacks
        ):
            _refuse_unless_checkable(call_type)
        return original(call_type, *args, **kwargs)

    utils.function_setup = function_setup
