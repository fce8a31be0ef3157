"""Objects of which a process has one are made once, by whichever thread asks first."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

from lib.lazy import Lazy


def test_a_lazy_object_is_made_anew_in_a_forked_child() -> None:
    lazy = Lazy(lambda: [os.getpid()])
    mine = lazy()
    child = os.fork()
    if child == 0:
        os._exit(0 if lazy() == [os.getpid()] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert lazy() is mine


def test_threads_that_ask_together_get_the_same_one() -> None:
    @Lazy
    def client() -> object:
        time.sleep(0.05)
        return object()

    with ThreadPoolExecutor(8) as pool:
        clients = set(pool.map(lambda _: client(), range(8)))
    assert len(clients) == 1
    client.forget()
    assert client() not in clients
