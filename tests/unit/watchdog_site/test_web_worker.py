"""Which thread of the web process serves a request."""

import threading
import time
from collections.abc import Iterator

import pytest
from waitress.task import ThreadedTaskDispatcher

from watchdog_site.web_worker import LastComeFirstServed

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
    deadline = time.monotonic() + 30
    while dispatcher.active_count:
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_requests_one_after_another_share_a_thread(dispatcher: ThreadedTaskDispatcher) -> None:
    requests = [Request() for _ in range(6)]
    for request in requests:
        dispatcher.add_task(request)
        assert request.began.wait(30)
        request.release.set()
        wait_until_idle(dispatcher)
    assert len({request.thread for request in requests}) == 1


def test_requests_at_once_have_a_thread_each_and_more_wait_in_line(
    dispatcher: ThreadedTaskDispatcher,
) -> None:
    requests = [Request() for _ in range(THREADS + 1)]
    for request in requests:
        dispatcher.add_task(request)
    assert all(request.began.wait(30) for request in requests[:THREADS])
    assert len({request.thread for request in requests[:THREADS]}) == THREADS
    assert not requests[-1].began.is_set()
    for request in requests:
        request.release.set()
    assert requests[-1].began.wait(30)


def test_all_threads_end_at_the_stop(dispatcher: ThreadedTaskDispatcher) -> None:
    dispatcher.shutdown()
    assert not dispatcher.threads
