"""LlamaIndex: a query engine that returns what a user may read, and an evaluator.

engine = WatchdogQueryEngine(index.as_query_engine(), guard=Guard(client))
result = await WatchdogEvaluator(client).aevaluate_response(query="…", response=response)
"""

from collections.abc import Sequence
from typing import Any

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import (
    RESPONSE_TYPE,
    AsyncStreamingResponse,
    PydanticResponse,
    Response,
    StreamingResponse,
)
from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
from llama_index.core.schema import QueryBundle

from watchdog_client.async_client import AsyncWatchdog
from watchdog_client.errors import WatchdogError
from watchdog_client.guard import AsyncGuard, Guard, GuardedAnswer
from watchdog_client.operations import CheckOptions, source_of
from watchdog_client.verdicts import verdict_of


class WatchdogQueryEngine(BaseQueryEngine):
    """Checks each answer of an engine against the nodes it was written from.

    `query` needs `guard`, `aquery` needs `async_guard`. A streamed answer is read to its end and
    returned whole; an object that passes is returned as it is, else the text to show.
    """

    def __init__(
        self,
        engine: BaseQueryEngine,
        guard: Guard | None = None,
        async_guard: AsyncGuard | None = None,
    ) -> None:
        super().__init__(engine.callback_manager)
        self._engine = engine
        self._guard = guard
        self._async_guard = async_guard

    def _get_prompt_modules(self) -> dict[str, Any]:
        return {"engine": self._engine}

    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        if self._guard is None:
            raise TypeError("WatchdogQueryEngine was made without `guard`.")
        response = self._engine.query(query_bundle)
        if isinstance(response, AsyncStreamingResponse):
            raise TypeError("An engine that streams asynchronously needs `aquery`.")
        whole = response.get_response() if isinstance(response, StreamingResponse) else response
        result = self._guard.check_answer(str(whole), **_options(query_bundle, whole))
        return _released(whole, result)

    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        if self._async_guard is None:
            raise TypeError("WatchdogQueryEngine was made without `async_guard`.")
        response = await self._engine.aquery(query_bundle)
        if isinstance(response, AsyncStreamingResponse):
            whole: Response | PydanticResponse = await response.get_response()
        elif isinstance(response, StreamingResponse):
            whole = response.get_response()
        else:
            whole = response
        result = await self._async_guard.check_answer(str(whole), **_options(query_bundle, whole))
        return _released(whole, result)


def _options(query: QueryBundle, response: Response | PydanticResponse) -> CheckOptions:
    nodes = [scored.node for scored in response.source_nodes]
    sources = [source_of(node.get_content(), node.node_id, node.metadata) for node in nodes]
    return {"query": query.query_str, "sources": sources}


def _released(response: Response | PydanticResponse, result: GuardedAnswer) -> RESPONSE_TYPE:
    metadata = {**(response.metadata or {}), "watchdog": verdict_of(result)}
    if isinstance(response, PydanticResponse) and result.text == str(response):
        return PydanticResponse(response.response, response.source_nodes, metadata)
    return Response(result.text, response.source_nodes, metadata)


class WatchdogEvaluator(BaseEvaluator):
    """`passing` for ALLOW; `score` is the probability that the answer is fully supported.

    A response that could not be checked has an `invalid_result`, never a score; an error that
    affects every response, such as a rejected key, raises.
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
        """Do nothing: there are no prompts."""
