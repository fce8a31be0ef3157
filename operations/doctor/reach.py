"""Checks over the network: web, replica, language models, mail, webhooks."""

import os
import smtplib
import socket
from collections.abc import Iterator, Sequence
from contextlib import closing
from urllib.parse import urlsplit

import httpx
from django.conf import settings
from django.core.mail import get_connection
from django.db import Error, connections

from notifications.models import Channel, Subscription
from notifications.targets import PORTS, TargetRefused, addresses_of, check_url
from operations.doctor.findings import Finding, error, ok, warning

MOST_WEBHOOKS = 50
MOST_SECONDS_BEHIND = 60
_TIMEOUT = 5.0
_REPLICA = "replica"
_REPLICA_STATE = (
    "SELECT pg_is_in_recovery(), extract(epoch FROM now() - pg_last_xact_replay_timestamp())"
)
_NUMBERS = ("WEB_PORT", "WEB_PROCESSES", "WEB_THREADS", "WORKER_PROCESSES")


def numbers() -> Iterator[Finding]:
    """Report invalid numeric variables that keep web and worker from starting."""
    for name in _NUMBERS:
        value = os.environ.get(name, "")
        if value and not (value.isdecimal() and int(value) > 0):
            yield error(
                f"{name} is {value!r}, which is no positive number.",
                f"Correct {name}, or leave it out; the process that reads it does not start.",
            )


def web() -> Iterator[Finding]:
    """Report whether the public URL, or the one of the probes, leads to a web process."""
    address = settings.PUBLIC_URL or settings.PROBE_URL
    try:
        status = httpx.get(f"{address}/healthz", timeout=_TIMEOUT).status_code
    except (httpx.HTTPError, httpx.InvalidURL) as problem:
        yield _web_finding(f"{address}: {problem}")
        return
    if status == httpx.codes.OK:
        yield ok(f"{address} answers")
    else:
        yield _web_finding(f"{address}/healthz gives {status}: another program may have this port")


def _web_finding(text: str) -> Finding:
    remedy = (
        "Start web (`make run`), look at its log, and see where the proxy and the firewall lead "
        "(WEB_BIND, WEB_PORT, PUBLIC_URL, PROBE_URL)."
    )
    # Without PUBLIC_URL nobody has said that this machine runs a web process.
    return error(text, remedy) if settings.PUBLIC_URL else warning(text, remedy)


def replica() -> Iterator[Finding]:
    """Report whether DATABASE_REPLICA_URL names a working replica."""
    if _REPLICA not in connections.databases:
        return
    remedy = "Check DATABASE_REPLICA_URL and the replication; figures come from the primary now."
    try:
        with connections[_REPLICA].cursor() as cursor:
            cursor.execute(_REPLICA_STATE)
            follows, behind = cursor.fetchone()
    except Error as problem:
        yield error(first_line(problem), remedy)
        return
    if not follows:
        yield error("This server follows no primary: it is one itself.", remedy)
    elif (behind or 0) > MOST_SECONDS_BEHIND:
        yield warning(f"nothing was replayed for {behind:.0f} s", remedy)
    else:
        yield ok("follows the primary")


def language_models() -> Iterator[Finding]:
    """Report whether the configured endpoints accept connections; send nothing."""
    judges = [settings.JUDGE_LLM_URL, *(each.get("url", "") for each in settings.JUDGE_LLMS)]
    for name, urls, consequence in (
        ("LLM_URL", [settings.LLM_URL], "the assistant answers in sentences of its sources"),
        ("JUDGE_LLM_URL", judges, "the embedded judge decides alone"),
    ):
        for url in filter(None, urls):
            parts = urlsplit(url)
            host, port = str(parts.hostname), parts.port or PORTS.get(parts.scheme, 80)
            if problem := unreachable([host], port):
                yield warning(
                    f"{name}: {host}:{port}: {problem}",
                    f"Check {name} and the network; until then {consequence}.",
                )
            else:
                yield ok(f"{name}: {host}:{port} answers")


def mail() -> Iterator[Finding]:
    """Report whether the mail server answers; send nothing."""
    if not settings.EMAIL_HOST:
        yield ok("not set up (EMAIL_HOST): no e-mail is sent")
        return
    where = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    try:
        with get_connection():
            pass
    except (OSError, smtplib.SMTPException) as problem:
        yield error(
            f"{where}: {problem}",
            "Check EMAIL_HOST, EMAIL_PORT, EMAIL_USER, "
            "EMAIL_PASSWORD, EMAIL_STARTTLS and the firewall.",
        )
    else:
        yield ok(f"{where} answers")


def webhooks() -> Iterator[Finding]:
    """Report whether each webhook is allowed and accepts connections; send nothing."""
    active = Subscription.objects.filter(channel=Channel.WEBHOOK, is_active=True)
    for target in active.values_list("target", flat=True)[:MOST_WEBHOOKS]:
        allowed_hosts = settings.WEBHOOK_ALLOWED_HOSTS
        try:
            parts = check_url(target, allowed_hosts)
            port = parts.port or PORTS[parts.scheme]
            addresses = addresses_of(str(parts.hostname), port, allowed_hosts)
        except (TargetRefused, OSError) as problem:
            yield error(
                f"{target}: {problem}",
                "Correct the address, its DNS entry or WEBHOOK_ALLOWED_HOSTS.",
            )
            continue
        if closed := unreachable(addresses, port):
            yield error(
                f"{target}: {closed}",
                "Is the receiver running, and does a firewall here let it be called?",
            )
        else:
            yield ok(f"{target} accepts connections")


def unreachable(hosts: Sequence[str], port: int) -> str:
    """Return why none of the hosts accepts a connection, or ""."""
    reasons = []
    for host in hosts:
        try:
            with closing(socket.create_connection((host, port), timeout=_TIMEOUT)):
                return ""
        except OSError as problem:
            reasons.append(str(problem))
    return "; ".join(reasons)


def first_line(problem: Exception) -> str:
    return (str(problem).strip() or type(problem).__name__).splitlines()[0]
