"""One check as server-sent events: which events, in which order, to whom, and how often."""

import json
from time import monotonic
from uuid import UUID, uuid4

import pytest
from rest_framework.test import APIClient

from analysis.models import Check
from analysis.services.checking import run_check
from api import stream
from lib.workqueue.broker import announce_end, pause_until_end, wait_for_end
from watchdog_client import Watchdog

EVENTS = {"HTTP_ACCEPT": "text/event-stream"}
ANSWER = "Refunds take 30 days. The shop opens at nine\u0085."
SOURCES = ["Refunds take 14 days."]


def events_of(response) -> list[tuple[str, str, dict]]:
    """Return the events of a stream: id, name, data."""
    assert response["Content-Type"] == "text/event-stream"
    events = []
    for block in b"".join(response.streaming_content).decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line[:1] != ":")
        if "data" in fields:
            events.append((fields["id"], fields["event"], json.loads(fields["data"])))
    return events


@pytest.fixture
def submitted(make_check) -> Check:
    return make_check(ANSWER, sources=SOURCES)


def test_states_claims_and_the_result_in_this_order(api, submitted, monkeypatch) -> None:
    def worked(check_id: UUID, _: float) -> bool:
        """Have a worker take the check while the stream waits."""
        return run_check(check_id)

    monkeypatch.setattr(stream, "pause_until_end", worked)
    path = f"/api/v1/checks/{submitted.pk}"
    events = events_of(api.get(path, **EVENTS))
    document = api.get(path).json()
    assert [name for _, name, _ in events] == ["status", "status", "claim", "claim", "result"]
    assert [data["state"] for _, name, data in events if name == "status"] == ["queued", "done"]
    assert [data for _, name, data in events if name == "claim"] == document["claims"]
    assert events[-1][2] == document
    ids = [int(id_) for id_, _, _ in events]
    assert ids == sorted(set(ids))

    for cut in (1, 3, 4):
        last = {"HTTP_LAST_EVENT_ID": str(ids[cut - 1])}
        assert events_of(api.get(path, **EVENTS, **last)) == events[cut:]
    over = api.get(path, **EVENTS, HTTP_LAST_EVENT_ID=str(ids[-1]))
    assert (over.status_code, over.content) == (204, b"")  # a browser comes back no more
    assert events_of(api.get(path, **EVENTS, HTTP_LAST_EVENT_ID="nonsense")) == events[1:]


@pytest.mark.django_db(transaction=True)
def test_it_ends_and_leaves_its_place(api, submitted, settings) -> None:
    settings.STREAM_SECONDS = 0
    path = f"/api/v1/checks/{submitted.pk}"
    open_streams = [api.get(path, **EVENTS) for _ in range(settings.CHECK_STREAMS)]
    full = api.get(path, **EVENTS)
    assert (full.status_code, full["Retry-After"]) == (503, "3")
    assert full.json()["type"] == "urn:watchdog:problem:too_many_streams"
    assert api.get(path).status_code == 200
    for response in open_streams:
        response.close()  # as when a reader goes away
    again = api.get(path, **EVENTS)
    assert again.status_code == 200, again.json()
    assert [name for _, name, _ in events_of(again)] == ["status"]


def test_a_silent_stream_says_that_it_is_there(monkeypatch) -> None:
    monkeypatch.setattr(stream, "HEARTBEAT_SECONDS", -1)
    events = stream.event_stream(lambda: "queued", dict, 0, 60.0, lambda _: False)
    assert [next(events) for _ in range(3)][-1] == ": still here\n\n"


def test_a_stream_wakes_at_the_end_and_leaves_the_announcement(empty_redis) -> None:
    check_id = uuid4()
    assert not pause_until_end(check_id, 0.01)
    announce_end(check_id)
    began = monotonic()
    assert pause_until_end(check_id, 30)
    assert pause_until_end(check_id, 30)  # another reader
    wait_for_end(check_id, seconds=30, has_ended=lambda: False)  # and who submitted it
    assert monotonic() - began < 10


def test_an_announcement_that_stays_does_not_make_it_spin(monkeypatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(stream, "sleep", slept.append)
    states = iter(["queued", "running", "running", "running", "failed"])
    document = {"state": "failed", "claims": []}
    events = list(
        stream.event_stream(lambda: next(states), lambda: document, 0, 60, lambda _: True)
    )
    assert len(slept) == 3
    assert "event: result" in events[-1]


@pytest.mark.parametrize("path", ["/api/v1/checks/01890a5d-ac96-774b-bcce-b302099a8057"])
def test_of_nobody_elses_check(path, other_application, submitted, client_with) -> None:
    stranger = client_with(other_application)
    for address in (path, f"/api/v1/checks/{submitted.pk}"):
        response = stranger.get(address, **EVENTS)
        assert (response.status_code, response["Content-Type"]) == (404, "application/problem+json")
    assert APIClient().get(path, **EVENTS).status_code == 401


def test_a_failed_check_ends_too(api, submitted) -> None:
    Check.objects.update(state="failed", due_at=None)
    events = events_of(api.get(f"/api/v1/checks/{submitted.pk}", **EVENTS))
    assert [(name, data["state"]) for _, name, data in events] == [
        ("status", "failed"),
        ("result", "failed"),
    ]


def test_the_client_reads_it_from_a_real_server(stack, api_key) -> None:
    with Watchdog(stack.url, api_key[1]) as watchdog:
        check = watchdog.submit(ANSWER, sources=SOURCES)
        events = list(watchdog.stream(check.id, timeout=120.0))
        assert events[-1].check == watchdog.get_check(check.id)
    claims = [event.claim for event in events if event.claim]
    assert claims == events[-1].check.claims
    assert claims[0].status == "Contradictory"
