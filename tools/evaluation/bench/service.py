"""The product end to end: web → Redis → worker → Postgres → response, on real processes."""

import json
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any
from urllib.request import urlopen

import psutil

from lib.workqueue.broker import redis_client
from tools.evaluation.answers.sets import load_set
from tools.evaluation.bench import machine
from tools.evaluation.bench.engine import Latency, latency

CLIENTS = (1, 8, 32)
_START_SECONDS, _END_SECONDS = 120, 60
_CHECKOUT = Path(__file__).parents[3]
_COMMANDS = {
    "web": ["gunicorn", "-c", "watchdog_site/gunicorn_conf.py", "watchdog_site.wsgi:application"],
    "worker": ["celery", "-A", "watchdog_site", "worker", "-c", "2", "-l", "ERROR"],
    "proxy": ["proxy"],
}
_ANSWERS = _CHECKOUT / "tools" / "evaluation" / "everyday" / "dev"


@dataclass(frozen=True, slots=True)
class Peak:
    """The most memory that a kind of process held, in MiB (shared pages counted in each)."""

    process: str
    count: int
    mebibytes: float


@dataclass(frozen=True, slots=True)
class BenchStack:
    """The address of web or proxy, and the processes that were started, by kind."""

    url: str
    started: dict[str, psutil.Popen]


@contextmanager
def running(names: Iterable[str], path: str, variables: Mapping[str, str]) -> Iterator[BenchStack]:
    """Run processes on the configured database and Redis until the block ends.

    The block begins once web (or the proxy) answers at `path`.
    """
    port = _free_port()
    url = f"http://127.0.0.1:{port}"
    environment = {**os.environ, "WEB_PORT": port, "PROXY_PORT": port, **variables}
    with TemporaryFile() as log:
        started = {
            name: psutil.Popen(
                [sys.executable, "-m", *_COMMANDS[name]],
                cwd=_CHECKOUT,
                env=environment,
                stdout=log,
                stderr=log,
            )
            for name in names
        }
        try:
            _wait_for(f"{url}{path}", log)
            yield BenchStack(url, started)
        finally:
            for process in started.values():
                process.terminate()
            for process in started.values():
                process.wait(_END_SECONDS)


def distinct_bodies() -> Iterator[str]:
    """Yield requests of which no two are alike: everyday answers with their own sources.

    In random order, so that what a worker keeps of one source rarely helps with the next, as with
    real answers. Once all were used, the sources say which round it is.
    """
    rows = load_set(_ANSWERS).rows
    order = random.Random(7)  # noqa: S311  only the order of a measurement
    for turn in count():
        for row in order.sample(rows, len(rows)):
            sources = [_source(each, turn) for each in row.raw["context"]]
            body = {"query": row.raw.get("query") or "", "answer": row.raw["response"]}
            yield json.dumps({**body, "sources": sources})


def _source(content: str | dict[str, Any], turn: int) -> str | dict[str, Any]:
    """Return a text or a record as a source of a request."""
    if isinstance(content, str):
        return f"Edition {turn}. {content}" if turn else content
    return {"record": {**content, "turn": turn} if turn else content}


def measure_clients(
    url: str, key: str, bodies: Iterable[str], *, clients: int, seconds: float
) -> Latency:
    """Submit bodies from `clients` connections for `seconds`.

    Raises RuntimeError when one is refused.
    """
    arguments = [url, key, str(clients), str(seconds)]
    process = subprocess.run(  # noqa: S603  our own module
        [sys.executable, "-m", "tools.evaluation.bench.client", *arguments],
        input="\n".join(bodies),
        cwd=_CHECKOUT,
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    payload = json.loads(process.stdout)
    if payload["wrong"]:
        raise RuntimeError(f"A request was answered with status {payload['wrong'][0]}.")
    return latency(payload["ms"], seconds=payload["seconds"])


def peaks(stack: BenchStack) -> list[Peak]:
    """Return the peak memory of each kind of process, without servers on another machine."""
    # The server process, the parent of the one that serves this connection; -1 for none.
    backend = _process(machine.backend())
    parents: dict[str, psutil.Process | None] = {
        **stack.started,
        "postgres": _process(backend.ppid() if backend else -1),
        "redis": _process(redis_client().info("server")["process_id"]),
    }
    return [_of(kind, parent) for kind, parent in parents.items() if parent is not None]


def _of(kind: str, parent: psutil.Process) -> Peak:
    family = [parent, *parent.children(recursive=True)]
    sizes = [size for process in family if (size := _peak_memory(process.pid)) is not None]
    return Peak(kind, len(sizes), max(sizes, default=0.0))


def _process(pid: int) -> psutil.Process | None:
    try:
        return psutil.Process(pid)
    except (psutil.NoSuchProcess, ValueError):
        return None


def _peak_memory(pid: int) -> float | None:
    """Return the most memory that a process held, in MiB; None once it is gone.

    Not by getrusage, which begins with the parent's memory.
    """
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as status:
            lines = [line for line in status if line.startswith("VmHWM")]
    except (FileNotFoundError, ProcessLookupError):
        return None
    return int(lines[0].split()[1]) / 1024 if lines else None


def _wait_for(address: str, log: IO[bytes]) -> None:
    """Wait until the address answers. Raises TimeoutError with the end of the log."""
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        try:
            with urlopen(address, timeout=5):  # noqa: S310  our own address
                return
        except OSError:  # not there yet, not ready, or slow to answer
            time.sleep(0.2)
    log.seek(0)
    log_tail = log.read().decode(errors="replace")[-2000:]
    raise TimeoutError(f"{address} was not ready within {_START_SECONDS} s.\n{log_tail}")


def _free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])
