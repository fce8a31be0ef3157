"""`watchdog-mcp`: WATCHDOG as tools of the Model Context Protocol, over standard input and output.

Reads `WATCHDOG_URL` (default http://127.0.0.1:8000) and `WATCHDOG_API_KEY`.
"""

import os
import sys
from typing import Any

from mcp.server import MCPServer

from watchdog_client.async_client import AsyncWatchdog
from watchdog_client.models import Check


def create_server(client: AsyncWatchdog) -> MCPServer:
    """A server whose tools call WATCHDOG with this client."""
    server = MCPServer("watchdog")

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

    @server.tool()
    async def search_collection(
        query: str, collections: list[str], k: int = 4
    ) -> list[dict[str, Any]]:
        """Find the passages of the collections that are most relevant to a query."""
        passages = await client.search(query, collections, k=k)
        return [{"text": passage.text, "citation": passage.citation} for passage in passages]

    @server.tool()
    async def explain_verdict(check_id: str) -> dict[str, Any]:
        """Explain an earlier verdict: every claim with its status, reason and evidence."""
        check = await client.get_check(check_id)
        return summary_of(check) | {"claims": claims_of(check)}

    return server


def summary_of(check: Check) -> dict[str, Any]:
    """The verdict in short, with what may be shown."""
    return {
        "check_id": check.id,
        "state": check.state,
        "action": check.action,
        "explanation": check.explanation,
        "final_response": check.final_response,
        "reasons": [reason.text for reason in check.reasons],
    }


def claims_of(check: Check) -> list[dict[str, Any]]:
    """The claims with what was decided about them and on which evidence."""
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
    key = os.environ.get("WATCHDOG_API_KEY")
    if not key:
        print("Set WATCHDOG_API_KEY to an API key of WATCHDOG.", file=sys.stderr)
        return 2
    client = AsyncWatchdog(os.environ.get("WATCHDOG_URL", "http://127.0.0.1:8000"), key)
    create_server(client).run()
    return 0
