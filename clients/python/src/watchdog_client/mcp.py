"""`watchdog-mcp`: WATCHDOG as tools of the Model Context Protocol, over standard input and output.

Reads `WATCHDOG_URL` and `WATCHDOG_KEY`.
"""

import sys
from importlib.metadata import version
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.types import ToolAnnotations

from watchdog_client.async_client import AsyncWatchdog
from watchdog_client.errors import ConfigurationError, WatchdogError
from watchdog_client.models import Check

_READS = ToolAnnotations(read_only_hint=True)


class Server(MCPServer):
    """Refuses arguments that a tool does not have, and says why a call failed."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool. Raises ToolError, whose text the client reads."""
        members = {tool.name: tool.input_schema["properties"] for tool in await self.list_tools()}
        if unknown := sorted(arguments.keys() - members.get(name, arguments).keys()):
            raise ToolError(f"{name} has no argument {unknown[0]!r}.")
        try:
            return await super().call_tool(name, arguments, context)
        except UnexpectedToolError as error:
            if isinstance(error.__cause__, WatchdogError):
                raise ToolError(str(error.__cause__)) from error
            raise


def create_server(client: AsyncWatchdog) -> Server:
    """Return a server whose tools call WATCHDOG with this client."""
    server = Server("watchdog", version=version("watchdog-client"))

    @server.tool()
    async def check_answer(
        answer: str,
        question: str = "",
        sources: list[str] | None = None,
        collections: list[str] | None = None,
    ) -> dict[str, Any]:
        """Check an answer against sources or named collections before it is shown to a user."""
        options: Any = {"query": question, "collections": collections or []}
        if sources is not None:
            options["sources"] = sources
        return summary_of(await client.check(answer, **options))

    @server.tool(annotations=_READS)
    async def list_collections() -> list[dict[str, Any]]:
        """List the collections that answers can be checked against."""
        collections = await client.list_collections()
        return [{"name": collection.name, "title": collection.title} for collection in collections]

    @server.tool(annotations=_READS)
    async def search_collection(
        query: str, collections: list[str], k: int = 4
    ) -> list[dict[str, Any]]:
        """Find the passages of the collections that are most relevant to a query."""
        passages = await client.search(query, collections, k=k)
        return [{"text": passage.text, "citation": passage.citation} for passage in passages]

    @server.tool(annotations=_READS)
    async def explain_verdict(check_id: str) -> dict[str, Any]:
        """Explain an earlier verdict: every claim with its status, reason and evidence."""
        check = await client.get_check(check_id)
        return summary_of(check) | {"claims": claims_of(check)}

    return server


def summary_of(check: Check) -> dict[str, Any]:
    """Return the verdict in short, with the releasable text."""
    return {
        "check_id": check.id,
        "state": check.state,
        "action": check.action,
        "explanation": check.explanation,
        "final_response": check.final_response,
        "reasons": [reason.text for reason in check.reasons],
    }


def claims_of(check: Check) -> list[dict[str, Any]]:
    """Return the claims with their decisions and evidence."""
    return [
        {
            "text": claim.text,
            "status": claim.status,
            "why": claim.wording,
            "evidence": claim.primary_evidence.text if claim.primary_evidence else None,
        }
        for claim in check.claims
    ]


def main() -> int:
    """Serve until standard input ends."""
    try:
        client = AsyncWatchdog.from_env()
    except ConfigurationError as error:
        print(error, file=sys.stderr)
        return 2
    create_server(client).run()
    return 0
