"""Sources side by side: one that fails or is late is marked, and the others serve."""

import threading
from time import perf_counter

from django.db import connection

from assistant.evidence import EvidenceKind, Item, SourceResult, SourceStatus
from assistant.gathering.collecting import collect, place_in
from assistant.models import Step

RULE = SourceResult((Item(0, EvidenceKind.DOCUMENT, "A rule.", "a.txt"),), SourceStatus.OK)
NOTHING = SourceResult((), SourceStatus.NOTHING, "Nothing was told.")


def gathered(apart, *, seconds=30.0, on_step=lambda _: None):
    return collect(apart, {EvidenceKind.MEMORY: lambda: NOTHING}, on_step, seconds=seconds)


def test_sources_wait_for_each_other_and_so_run_at_once():
    meeting = threading.Barrier(2, timeout=30)

    def meets(result):
        meeting.wait()
        return result

    steps = []
    bundle = gathered(
        {EvidenceKind.DOCUMENT: lambda: meets(RULE), EvidenceKind.WEATHER: lambda: meets(NOTHING)},
        on_step=steps.append,
    )
    assert [source.status for source in bundle.sources] == ["ok", "nothing", "nothing"]
    assert steps[:2] == [Step.RETRIEVING, Step.MEMORY]


def test_one_that_fails_is_marked_and_the_others_serve():
    def fails():
        raise RuntimeError("the socket burnt down")

    bundle = gathered({EvidenceKind.DOCUMENT: lambda: RULE, EvidenceKind.WEATHER: fails})
    weather = {each.kind: each for each in bundle.sources}[EvidenceKind.WEATHER]
    assert (weather.status, weather.reason) == ("unavailable", "It failed (RuntimeError).")
    assert [item.text for item in bundle.usable] == ["A rule."]


def test_one_that_is_late_is_left_behind():
    over = threading.Event()

    def waits():
        over.wait(60)
        return RULE

    began = perf_counter()
    bundle = gathered(
        {EvidenceKind.DOCUMENT: waits, EvidenceKind.WEATHER: lambda: NOTHING}, seconds=0.5
    )
    waited = perf_counter() - began
    over.set()
    assert {each.kind: each for each in bundle.sources}[EvidenceKind.DOCUMENT].status == "timed_out"
    assert bundle.items == ()
    assert waited < 30


def test_a_thread_leaves_no_connection_behind(transactional_db):
    connections = []

    def reads():
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        connections.append(connection.connection)
        return RULE

    gathered({EvidenceKind.DOCUMENT: reads})
    assert connections[0].closed


def test_where_the_site_is_comes_out_of_what_was_told():
    assert place_in("I am the site safety manager, and our site is in Rotterdam.") == "Rotterdam"
    assert place_in("Our project is based in New York.") == "New York"
    assert place_in("The limit on our site is 25 km/h.") is None
