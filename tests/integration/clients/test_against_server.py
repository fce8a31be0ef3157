"""The client against real processes: web, worker, PostgreSQL and Redis."""

import asyncio

import pytest

from watchdog_client import AsyncGuard, AsyncWatchdog, Guard, GuardSettings, Watchdog

pytestmark = pytest.mark.timeout(400)
QUESTION = "How long do refunds take?"
SOURCES = ["Refunds take 14 days."]
WRONG = "Refunds take 30 days."
SLOW = GuardSettings(timeout=120.0)
"""A busy machine is no fault."""


def test_every_operation_works_on_a_server(stack, api_key) -> None:
    with Watchdog(stack.url, api_key[1], timeout=60) as watchdog:
        about = {"ticket": 4711}
        check = watchdog.check(WRONG, query=QUESTION, sources=SOURCES, metadata=about)
        assert (check.action, check.claims[0].status) == ("BLOCK", "Contradictory")
        assert watchdog.get_check(check.id) == check
        assert [item.id for item in watchdog.list_checks(action="BLOCK").results] == [check.id]
        checks = watchdog.list_checks(metadata={"ticket": "4711"})
        assert [item.id for item in checks.results] == [check.id]
        assert watchdog.list_checks(metadata={"ticket": "1"}).results == []
        assert watchdog.give_feedback(check.id, helpful=False, comment="no").comment == "no"
        assert check.id not in watchdog.create_link(check.id, expires_in=60).url

        guarded = Guard(watchdog, SLOW).check_answer(WRONG, query=QUESTION, sources=SOURCES)
        assert guarded.action == "BLOCK"
        assert "30 days" not in guarded.text

        batch = watchdog.submit_batch([{"answer": WRONG, "sources": SOURCES}, {"answer": " "}])
        finished = watchdog.wait_for_batch(batch.id, timeout=60)
        assert (finished.states["done"], finished.refused) == (1, 1)
        assert finished.items[1].errors[0].field == "answer"

        watchdog.create_collection("handbook")
        assert [collection.name for collection in watchdog.list_collections()] == ["handbook"]
        uploaded = watchdog.upload_document("handbook", "refunds.txt", SOURCES[0].encode())
        assert watchdog.wait_for_document(uploaded.id).state == "indexed"
        assert watchdog.get_collection("handbook").chunk_count == 1
        assert watchdog.search(QUESTION, ["handbook"])[0].text == SOURCES[0]
        assert watchdog.list_documents("handbook").results[0].name == "refunds.txt"
        asyncio.run(use_asynchronously(stack.url, api_key[1]))
        watchdog.delete_document(uploaded.id)
        watchdog.delete_collection("handbook")
        assert watchdog.list_collections() == []


async def use_asynchronously(url: str, key: str) -> None:
    async with AsyncWatchdog(url, key) as watchdog:
        guarded = await AsyncGuard(watchdog, SLOW).check_answer(
            WRONG, query=QUESTION, collections=["handbook"]
        )
    assert guarded.action == "BLOCK"
    assert guarded.check.claims[0].primary_evidence.source.startswith("refunds.txt")
