"""LlamaIndex evaluator: whether a response is supported by its contexts.

evaluator = WatchdogEvaluator(client)
result = await evaluator.aevaluate_response(query="…", response=response)
"""

from collections.abc import Sequence
from typing import Any

from llama_index.core.evaluation import BaseEvaluator, EvaluationResult

from watchdog_client.async_client import AsyncWatchdog
from watchdog_client.errors import WatchdogError
from watchdog_client.operations import CheckOptions


class WatchdogEvaluator(BaseEvaluator):
    """`passing` for ALLOW; `score` is the probability that the answer is fully supported.

    A response that could not be checked has an `invalid_result`, never a score; what no response
    could be checked with, such as a rejected key, raises.
    """

    def __init__(self, client: AsyncWatchdog, *, timeout: float = 30.0) -> None:
        self._client = client
        self._timeout = timeout

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> EvaluationResult:
        """Check one response against its contexts."""
        question: dict[str, Any] = {"query": query, "response": response, "contexts": contexts}
        options: CheckOptions = {"query": query or ""}
        if contexts is not None:
            options["sources"] = list(contexts)
        try:
            check = await self._client.check(response or "", timeout=self._timeout, **options)
        except WatchdogError as error:
            if error.misconfigured:
                raise
            return EvaluationResult(**question, invalid_result=True, invalid_reason=str(error))
        chance = check.hallucination_score
        return EvaluationResult(
            **question,
            passing=check.action == "ALLOW",
            feedback=check.explanation,
            score=None if chance is None else 1 - chance,
        )

    def _get_prompts(self) -> dict[str, Any]:
        return {}

    def _update_prompts(self, prompts_dict: dict[str, Any]) -> None:
        """There are no prompts."""
