"""The thread of the web process that serves a request."""

import threading
from collections.abc import Iterator

import pytest
from waitress.adjustments import Adjustments
from waitress.parser import HTTPRequestParser
from waitress.task import ThreadedTaskDispatcher

from tests.sockets import wait_until
from watchdog_site.web_worker import HealthFirstDispatcher, LastComeFirstServed, StrictParser

THREADS = 4


class Request:
    """Notes the thread that serves it, which it keeps until it is released."""

    def __init__(self) -> None:
        self.thread = ""
        self.began, self.release = threading.Event(), threading.Event()

    def service(self) -> None:
        self.thread = threading.current_thread().name
        self.began.set()
        self.release.wait(30)

    def cancel(self) -> None:
        self.release.set()


@pytest.fixture
def dispatcher() -> Iterator[ThreadedTaskDispatcher]:
    made = ThreadedTaskDispatcher()
    made.queue_cv = LastComeFirstServed(made.lock)
    made.set_thread_count(THREADS)
    wait_until_idle(made)
    yield made
    made.shutdown()


def wait_until_idle(dispatcher: ThreadedTaskDispatcher) -> None:
    wait_until(lambda: not dispatcher.active_count, pause=0.005)


def test_requests_one_after_another_share_a_thread(dispatcher) -> None:
    requests = [Request() for _ in range(6)]
    for request in requests:
        dispatcher.add_task(request)
        assert request.began.wait(30)
        request.release.set()
        wait_until_idle(dispatcher)
    assert len({request.thread for request in requests}) == 1


def test_requests_at_once_have_a_thread_each_and_more_wait_in_line(dispatcher) -> None:
    requests = [Request() for _ in range(THREADS + 1)]
    for request in requests:
        dispatcher.add_task(request)
    assert all(request.began.wait(30) for request in requests[:THREADS])
    assert len({request.thread for request in requests[:THREADS]}) == THREADS
    assert not requests[-1].began.is_set()
    for request in requests:
        request.release.set()
    assert requests[-1].began.wait(30)


def test_all_threads_end_at_the_stop(dispatcher) -> None:
    dispatcher.shutdown()
    assert not dispatcher.threads


def parsed(data: bytes) -> HTTPRequestParser:
    parser = StrictParser(Adjustments())
    parser.received(data)
    return parser


@pytest.mark.parametrize(
    "headers", [b"Content-Length: 3\r\nTransfer-Encoding: chunked", b"no colon", b"A: \x7f\r\nb"]
)
def test_a_request_that_two_readers_could_read_differently_is_refused(headers) -> None:
    parser = parsed(b"POST / HTTP/1.1\r\nHost: a\r\n" + headers + b"\r\n\r\n")
    assert parser.completed
    assert parser.error.code == 400


@pytest.mark.parametrize("header", [b"Content-Length: 3", b"Transfer-Encoding: chunked"])
def test_one_of_the_two_lengths_is_fine(header) -> None:
    assert parsed(b"POST / HTTP/1.1\r\n" + header + b"\r\n\r\n").error is None


def test_what_could_not_be_read_is_refused_by_a_thread_like_any_other() -> None:
    class Channel(Request):
        requests = (parsed(b"GET / HTTP/1.1\r\nno colon\r\n\r\n"),)

    dispatcher, channel = HealthFirstDispatcher(1), Channel()
    dispatcher.add_task(channel)
    assert channel.began.wait(30)
    channel.release.set()
    dispatcher.shutdown()
