"""Web and worker nodes, each on a machine of its own: `make scale`, and a short form of it.

Throughput by number of workers, and what becomes of checks while links are cut and nodes killed.
"""

import os
import platform
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from urllib.parse import urlsplit

import httpx
import pytest
from django.db import connection

from analysis.models import Check
from audit.tasks import seal_trail
from tests.commands import run
from tests.database import sql
from tests.faults import campaign
from tests.faults.cluster import Cluster
from tests.faults.network import Network, NotPermitted, network
from tests.faults.stream import Accepted, Client
from tests.pgbouncer import needs_pgbouncer
from tests.sockets import wait_until
from tools.evaluation.bench.machine import loop_seconds

WORKERS = [int(count) for count in os.environ.get("SCALE_WORKERS", "1,2").split(",")]
CHECKS = int(os.environ.get("SCALE_CHECKS", "10"))
FAULTS = int(os.environ.get("SCALE_FAULTS", "5"))
SEED = int(os.environ.get("FAULT_SEED", "7"))
WEB = ("web-1", "web-2")
CLIENT = "client"
CUT_SECONDS = float(os.environ.get("SCALE_CUT_SECONDS", "1"))
LEASE_SECONDS = int(os.environ.get("SCALE_LEASE_SECONDS", "8"))
_SENTENCES = " ".join(
    f"The arch number {n} of the bridge was built in {1900 + n}." for n in range(8)
)

pytestmark = [needs_pgbouncer, pytest.mark.timeout(1_200 + 120 * FAULTS + 10 * CHECKS)]


@pytest.fixture
def machines() -> Iterator[Network]:
    try:
        with network(f"wd{os.getpid()}") as net:
            net.add(CLIENT)
            yield net
    except NotPermitted as refused:
        pytest.skip(f"network namespaces are not permitted here: {refused}")


@pytest.fixture
def cluster(transactional_db, machines) -> Iterator[Cluster]:
    address = urlsplit(os.environ["DATABASE_URL"])
    direct = address._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
    started = Cluster.start(
        machines,
        direct,
        CHECK_TIME_LIMIT_SECONDS=str(LEASE_SECONDS * 2 // 3),
        QUEUE_MAX_ATTEMPTS="10",
    )
    yield started
    started.stop()


def test_nodes_share_the_work_and_lose_none_of_it(cluster, api_key, capsys) -> None:
    token = api_key[1]
    cluster.spawn(*WEB, "beat")
    for name in WEB:
        wait_until_healthy(cluster, name)
    rates = [throughput(cluster, token, count) for count in WORKERS]
    size = bytes_a_check()
    accepted = Accepted()
    faults = Faults(cluster, accepted)
    enter = partial(cluster.network.enter, CLIENT)
    kinds = ("check", "check", "batch")
    urls = [cluster.url(name) for name in WEB]
    clients = [
        Client(urls, token, accepted, n, SEED, kinds=kinds, at_start=enter) for n in range(4)
    ]
    with campaign.streaming(clients):
        faults.run(FAULTS)
    campaign.settle(cluster)
    outcome = campaign.outcome(accepted)
    with capsys.disabled():
        tell(rates, size, faults, outcome)
    assert (outcome.lost, outcome.doubled, outcome.queued) == ([], [], 0)
    assert outcome.accepted == outcome.done + outcome.given_up > 0
    assert campaign.undecided() == 0
    seal_trail()
    for command in ("verify_trail", "verify_decisions"):
        run(command)


def throughput(cluster: Cluster, token: str, workers: int) -> tuple[int, float]:
    """Return the number of workers and the checks a second that they decide.

    All checks wait before the first begins.
    """
    cluster.spawn(*[name for name in names(workers) if name not in cluster.nodes])
    cluster.wait_for_workers(workers)
    pause(cluster, signal.SIGSTOP)
    items = [
        {"answer": f"{workers} workers, {n}. {_SENTENCES}", "sources": [_SENTENCES]}
        for n in range(CHECKS)
    ]
    inside(cluster, partial(submit, cluster.url(WEB[0]), token, items, f"{workers}"))
    began = time.monotonic()
    pause(cluster, signal.SIGCONT)
    campaign.settle(cluster)
    return workers, CHECKS / (time.monotonic() - began)


def names(workers: int) -> list[str]:
    return [f"worker-{n + 1}" for n in range(workers)]


def pause(cluster: Cluster, number: signal.Signals) -> None:
    for name in names(len(cluster.nodes)):
        if name in cluster.nodes:
            os.killpg(cluster.nodes[name].pid, number)


def submit(url: str, token: str, items: list[dict[str, object]], key: str) -> None:
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key}
    answer = httpx.post(f"{url}/api/v1/batches", json={"items": items}, headers=headers, timeout=60)
    assert answer.status_code == 202, answer.text


def wait_until_healthy(cluster: Cluster, name: str) -> None:
    ask = partial(httpx.get, f"{cluster.url(name)}/healthz", timeout=5)
    healthy = lambda: ask().status_code == 200  # noqa: E731
    despite = (httpx.TransportError,)
    inside(cluster, partial(wait_until, healthy, seconds=180, despite=despite))


def inside(cluster: Cluster, work: Callable[[], object]) -> None:
    """Run the call on the machine of the clients."""
    failed: list[BaseException] = []

    def run() -> None:
        try:
            cluster.network.enter(CLIENT)
            work()
        except BaseException as error:  # noqa: BLE001 - raised again below
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failed:
        raise AssertionError(cluster.logs()) from failed[0]


class Faults(campaign.Schedule):
    """Faults of nodes and their links."""

    def __init__(self, cluster: Cluster, accepted: Accepted) -> None:
        super().__init__(accepted, SEED, cluster.logs)
        self.cluster = cluster
        workers = names(max(WORKERS))
        self.faults = {
            "kill a worker node": lambda: self._kill(self.random.choice(workers)),
            "kill a web node": lambda: self._kill(self.random.choice(WEB)),
            "cut a worker's link": lambda: self._cut(self.random.choice(workers), CUT_SECONDS),
            "cut a worker's link for longer than its lease": lambda: self._cut(
                self.random.choice(workers), LEASE_SECONDS + 2
            ),
            "cut a web node's link": lambda: self._cut(self.random.choice(WEB), CUT_SECONDS),
            "cut a worker's link, then kill it": lambda: self._vanish(self.random.choice(workers)),
            "slow a worker's link to 256 kbit/s": lambda: self._slow(self.random.choice(workers)),
            "cut the link of beat": lambda: self._cut("beat", CUT_SECONDS),
        }

    def _kill(self, name: str) -> None:
        self.cluster.kill(name)
        self.cluster.spawn(name)
        if name in WEB:  # or the other one may be next, and none is left
            wait_until_healthy(self.cluster, name)

    def _cut(self, name: str, seconds: float) -> None:
        with self.cluster.network.cut(name):
            time.sleep(seconds)

    def _vanish(self, name: str) -> None:
        """Remove the node without notice: its connections stay open on the other side."""
        with self.cluster.network.cut(name):
            self.cluster.kill(name)
            time.sleep(CUT_SECONDS)
        self.cluster.spawn(name)

    def _slow(self, name: str) -> None:
        with self.cluster.network.slow(name):
            time.sleep(CUT_SECONDS)


def bytes_a_check() -> float:
    """Return the bytes for each measured check in all tables, indexes included."""
    ((total,),) = sql(
        "SELECT sum(pg_total_relation_size(relid)) FROM pg_stat_user_tables "
        "WHERE relname LIKE 'analysis_%' OR relname LIKE 'audit_%'"
    )
    return float(total) / (CHECKS * len(WORKERS))


def tell(
    rates: list[tuple[int, float]], size: float, faults: Faults, outcome: campaign.Outcome
) -> None:
    print(f"\n{os.cpu_count()} processors ({processor()}), load {os.getloadavg()[0]:.1f}, ", end="")
    print(f"1,000,000 additions in {loop_seconds():.3f} s of processor; one process a worker")
    for workers, rate in rates:
        print(f"  {workers} workers: {rate:6.2f} checks a second ({CHECKS} checks of 8 sentences)")
    print(f"  {size / 1_024:.0f} KiB a check in tables and indexes of checks and trail")
    print(f"seed {SEED}: {faults.counts.total()} faults; {outcome.summary()}")
    again = Check.objects.filter(attempts__gte=2).count()
    print(f"  {again} checks were taken over by another worker; the longest pause in accepting:")
    for kind, seconds in sorted(faults.stalls.items(), key=lambda item: -item[1]):
        print(f"  {seconds:6.1f} s  {faults.counts[kind]} x {kind}")


def processor() -> str:
    description = subprocess.run(["lscpu"], capture_output=True, text=True, check=False).stdout
    rows = [row for row in description.splitlines() if row.startswith("Model name")]
    return rows[0].partition(":")[2].strip() if rows else platform.machine()
