"""Objects of which a process has one are made once, however many threads ask at once."""

import time
from concurrent.futures import ThreadPoolExecutor

from lib.workqueue.broker import MadeOnce


def test_threads_that_ask_together_get_the_same_one() -> None:
    @MadeOnce
    def client() -> object:
        time.sleep(0.05)
        return object()

    with ThreadPoolExecutor(8) as pool:
        clients = set(pool.map(lambda _: client(), range(8)))
    assert len(clients) == 1
    client.cache_clear()
    assert client() not in clients
