"""LiteLLM callback: completions show what the policy lets a user read.

    litellm.callbacks = [WatchdogCallback(AsyncGuard(client))]

It works for `litellm.acompletion` and in LiteLLM's proxy. Streams cannot be guarded and raise; the
OpenAI-compatible proxy of WATCHDOG streams.
"""

from typing import Any

from litellm.integrations.custom_logger import CustomLogger
from litellm.types.utils import ModelResponse

from watchdog_client.chat import check_options
from watchdog_client.guard import AsyncGuard


class UnguardedStreamError(RuntimeError):
    """A streamed completion was asked for, which this callback cannot check."""


class WatchdogCallback(CustomLogger):  # type: ignore[misc]  # litellm is typed in part
    """Replaces the text of each choice after its check."""

    def __init__(self, guard: AsyncGuard) -> None:
        super().__init__()
        self._guard = guard

    async def async_pre_call_deployment_hook(
        self, kwargs: dict[str, Any], call_type: Any
    ) -> dict[str, Any]:
        """Refuse streams of the SDK."""
        return _without_stream(kwargs)

    async def async_pre_call_hook(
        self, user_api_key_dict: Any, cache: Any, data: dict[str, Any], call_type: Any
    ) -> dict[str, Any]:
        """Refuse streams of LiteLLM's proxy."""
        return _without_stream(data)

    async def async_post_call_success_deployment_hook(
        self, request_data: dict[str, Any], response: Any, call_type: Any
    ) -> Any:
        """Guard a completion of the SDK."""
        return await self._guard_response(request_data, response)

    async def async_post_call_success_hook(
        self, data: dict[str, Any], user_api_key_dict: Any, response: Any
    ) -> Any:
        """Guard a completion of LiteLLM's proxy."""
        return await self._guard_response(data, response)

    async def _guard_response(self, request: dict[str, Any], response: Any) -> Any:
        if not isinstance(response, ModelResponse):
            return response
        options = check_options(request.get("messages") or (), {}, str(request.get("model", "")))
        for choice in response.choices:
            if choice.message.content:
                result = await self._guard.check_answer(choice.message.content, **options)
                choice.message.content = result.text
        return response


def _without_stream(request: dict[str, Any]) -> dict[str, Any]:
    if request.get("stream"):
        raise UnguardedStreamError("WatchdogCallback cannot check a stream.")
    return request
