"""Clients that submit and wait, one connection each, run as a process of their own.

`python -m tools.evaluation.bench.client URL KEY CLIENTS SECONDS` reads request bodies from standard
input, one a line, sends each once and prints the timings as JSON. It speaks through http.client,
since a richer client takes more of the two cores than the product does.
"""

import json
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from threading import Thread
from time import perf_counter
from urllib.parse import SplitResult, urlsplit


def main(url: str, key: str, clients: int, seconds: float) -> None:
    """Run the clients side by side until the time or the bodies end.

    A response other than 200 ends the measurement.
    """
    bodies = iter(sys.stdin.read().splitlines())
    times_ms: list[float] = []
    wrong: list[int] = []
    began = perf_counter()
    threads = [
        Thread(target=_run, args=(urlsplit(url), key, bodies, began + seconds, times_ms, wrong))
        for _ in range(clients)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps({"ms": times_ms, "seconds": perf_counter() - began, "wrong": wrong}))


def _run(
    url: SplitResult,
    key: str,
    bodies: Iterator[str],
    until: float,
    times_ms: list[float],
    wrong: list[int],
) -> None:
    connection = HTTPConnection(url.hostname or "", url.port, timeout=60)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    while (now := perf_counter()) < until and not wrong:
        # A list's iterator gives each body to one thread only.
        if (body := next(bodies, None)) is None:
            return
        connection.request("POST", "/api/v1/checks", body, headers)
        response = connection.getresponse()
        response.read()
        if response.status != 200:
            wrong.append(response.status)
        times_ms.append((perf_counter() - now) * 1000)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]))
