"""Sends probes as a client sends answers: over HTTP, from a process of their own.

A worker could not report that all workers are gone. `analysis.services.probing` records the
results of a run; the checks that it made are deleted.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import uuid_utils.compat as uuid
from django.conf import settings

from accounts.authentication import probe_token
from accounts.models import Application
from analysis.judge import each_judge, missing_judge
from analysis.models import Probe, ProbeOutcome, ProbeResult, ProbeWay
from analysis.selectors.probes import included_probes, outcome_of, probes_of
from analysis.services.probing import forget_old_results, record_results, remove_probe_checks
from inference.errors import ModelError
from inference.judge.types import Judge
from lib.text.sentences import sentences
from lib.workqueue.models import MAX_ERROR

PROBE_MODEL = "watchdog-probe"
"""The proxy's own model, which answers with the request's last message."""
_ENDED = ("done", "failed")
_ENTAILED = 0.5
_AT_ONCE = 4


class NoVerdict(Exception):
    """Raised if a probe came back without a verdict; the message says why."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The action on a probe, and the text that a client may show."""

    action: str
    text: str


Send = Callable[[Probe, str], Reply]
"""Sends a probe with a token. Raises NoVerdict, or an error that `_verdicts_only` converts."""


def run_probes(applications: Sequence[Application]) -> list[ProbeResult]:
    """Send each application's probes by every configured way; return those that newly failed."""
    remove_probe_checks(left_behind=True)
    forget_old_results()
    failing: list[ProbeResult] = []
    probes = probes_of([application.pk for application in applications])
    ways: dict[ProbeWay, Send] = {ProbeWay.API: _by_api}
    if settings.PROBE_PROXY_URL:
        ways |= {ProbeWay.PROXY: _by_proxy, ProbeWay.STREAM: _by_stream}
    for application in applications:
        mine, token = probes[application.pk], probe_token(application.pk)
        results = list(_by_batch(application.pk, mine, token))
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            futures = [
                pool.submit(_timed, application.pk, probe, way, send, token)
                for probe in mine
                for way, send in ways.items()
            ]
            results += [future.result() for future in futures]
        failing += record_results(uuid.uuid7(), results)
        remove_probe_checks(application_ids=[application.pk])
    return failing


def probe_judges() -> list[ProbeResult]:
    """Send the included probes to each judge alone; return those that newly failed."""
    probes = included_probes()
    results = [_result_of_judge(judge, probe) for judge in each_judge() for probe in probes]
    if missing := missing_judge():
        reply = NoVerdict(f"Judged by {missing}")
        name = str(settings.NLI_MODEL)
        results += [_result(probe, ProbeWay.JUDGE, reply, 0.0, judge=name) for probe in probes]
    return record_results(uuid.uuid7(), results) if results else []


def _timed(
    application_id: UUID, probe: Probe, way: ProbeWay, send: Send, token: str
) -> ProbeResult:
    started = time.perf_counter()
    reply: Reply | NoVerdict
    try:
        with _verdicts_only():
            reply = send(probe, token)
    except NoVerdict as error:
        reply = error
    seconds = time.perf_counter() - started
    return _result(probe, way, reply, seconds, application_id=application_id)


def _result(
    probe: Probe,
    way: ProbeWay,
    reply: Reply | NoVerdict,
    seconds: float,
    *,
    application_id: UUID | None = None,
    judge: str = "",
) -> ProbeResult:
    action, outcome = "", ProbeOutcome.UNCHECKED
    if isinstance(reply, NoVerdict):
        detail = str(reply)[:MAX_ERROR]
    else:
        action = reply.action
        let_through = action == "BLOCK" and probe.answer.strip() in reply.text
        outcome = outcome_of(probe.verdict, action, let_through=let_through)
        detail = "It was blocked, and the answer was passed on nevertheless." * let_through
    return ProbeResult(
        application_id=application_id,
        probe=probe.name,
        way=way,
        judge=judge,
        verdict=probe.verdict,
        outcome=outcome,
        action=action,
        detail=detail,
        milliseconds=round(seconds * 1000),
    )


@contextmanager
def _verdicts_only() -> Iterator[None]:
    """Raise NoVerdict for anything but a verdict that a server returns."""
    try:
        yield
    except httpx.HTTPStatusError as error:
        raise NoVerdict(f"{error.response.status_code}: {error.response.text[:200]}") from error
    except httpx.HTTPError as error:
        raise NoVerdict(f"{type(error).__name__}: {error}") from error
    except (ValueError, LookupError, TypeError) as error:
        raise NoVerdict(f"unreadable: {type(error).__name__} {error}") from error


def _http(url: str, headers: dict[str, str]) -> httpx.Client:
    """Return a client for the private network, past the proxy that terminates HTTPS."""
    headers = headers | {"X-Forwarded-Proto": "https"} if settings.HTTPS else headers
    return httpx.Client(base_url=url, headers=headers, timeout=settings.PROBE_SECONDS + 5)


def _input(probe: Probe) -> dict[str, Any]:
    return {"query": probe.query, "answer": probe.answer, "sources": probe.sources}


def _by_api(probe: Probe, token: str) -> Reply:
    headers = {"Authorization": f"Bearer {token}", "Prefer": f"wait={settings.PROBE_SECONDS}"}
    with _http(settings.PROBE_URL, headers) as http:
        response = http.post("/api/v1/checks", json=_input(probe)).raise_for_status()
    return _reply(response.json())


def _reply(check: dict[str, Any]) -> Reply:
    if check["state"] != "done":
        raise NoVerdict(f"{check['state']} after {settings.PROBE_SECONDS} s")
    return Reply(check["action"], check["final_response"] or "")


def _by_batch(application_id: UUID, probes: Sequence[Probe], token: str) -> Iterator[ProbeResult]:
    """Send all probes as one batch; yield their results, each with the batch's time."""
    if not probes:
        return
    started = time.perf_counter()
    replies: Sequence[Reply | NoVerdict]
    try:
        with (
            _verdicts_only(),
            _http(settings.PROBE_URL, {"Authorization": f"Bearer {token}"}) as http,
        ):
            replies = list(_batch_replies(http, probes))
    except NoVerdict as error:
        replies = [error] * len(probes)
    seconds = time.perf_counter() - started
    for probe, reply in zip(probes, replies, strict=True):
        yield _result(probe, ProbeWay.BATCH, reply, seconds, application_id=application_id)


def _batch_replies(http: httpx.Client, probes: Sequence[Probe]) -> Iterator[Reply | NoVerdict]:
    items = [_input(probe) for probe in probes]
    response = http.post("/api/v1/batches", json={"items": items}).raise_for_status()
    where = response.headers["Location"]
    deadline = time.monotonic() + settings.PROBE_SECONDS
    while True:
        batch = http.get(where).raise_for_status().json()
        checks = [item["check"] for item in batch["items"]]
        if time.monotonic() > deadline or all(check["state"] in _ENDED for check in checks):
            break
        time.sleep(0.5)
    for check in checks:
        answer = http.get(f"/api/v1/checks/{check['id']}").raise_for_status().json()
        try:
            yield _reply(answer)
        except NoVerdict as error:
            yield error


def _completion(probe: Probe, *, stream: bool) -> dict[str, Any]:
    return {
        "model": PROBE_MODEL,
        "stream": stream,
        "messages": [
            {"role": "user", "content": probe.query},
            {"role": "assistant", "content": probe.answer},
        ],
        "watchdog": {"query": probe.query, "sources": probe.sources},
    }


def _by_proxy(probe: Probe, token: str) -> Reply:
    with _http(settings.PROBE_PROXY_URL, {"X-Watchdog-Key": token}) as http:
        body = _completion(probe, stream=False)
        response = http.post("/v1/chat/completions", json=body).raise_for_status()
    document = response.json()
    message = document["choices"][0]["message"]
    return _from_proxy(document["watchdog"]["action"], message["content"] or "")


def _by_stream(probe: Probe, token: str) -> Reply:
    text, verdict = "", None
    body = _completion(probe, stream=True)
    with (
        _http(settings.PROBE_PROXY_URL, {"X-Watchdog-Key": token}) as http,
        http.stream("POST", "/v1/chat/completions", json=body) as response,
    ):
        if response.is_error:
            response.read()
            response.raise_for_status()
        for line in response.iter_lines():
            if not line.startswith("data: {"):
                continue
            event = json.loads(line.removeprefix("data: "))
            if "error" in event:
                raise NoVerdict(str(event["error"].get("message")))
            verdict = event.get("watchdog", verdict)
            text += "".join(
                choice["delta"].get("content") or "" for choice in event.get("choices", ())
            )
    if verdict is None:
        raise NoVerdict("The stream ended without a verdict.")
    return _from_proxy(verdict["action"], text)


def _from_proxy(action: str, text: str) -> Reply:
    if action not in ("ALLOW", "WARN", "BLOCK"):
        raise NoVerdict(f"The proxy says {action}.")
    return Reply(action, text)


def _result_of_judge(judge: Judge, probe: Probe) -> ProbeResult:
    """Return ALLOW if the judge finds every sentence entailed by the sources, else BLOCK."""
    name = judge.model_id.partition("@")[0][:160]
    claims = [probe.answer[sentence.start : sentence.end] for sentence in sentences(probe.answer)]
    started = time.perf_counter()
    reply: Reply | NoVerdict
    try:
        judgements = judge.predict(probe.query, probe.sources, claims)
    except ModelError as error:
        reply = NoVerdict(str(error))
    else:
        read = [judgement for judgement in judgements if judgement and not judgement.missing]
        if len(read) < len(claims):
            reply = NoVerdict("It did not read every claim.")
        else:
            is_entailed = all(judgement.entail >= _ENTAILED for judgement in read)
            reply = Reply("ALLOW" if is_entailed else "BLOCK", "")
    return _result(probe, ProbeWay.JUDGE, reply, time.perf_counter() - started, judge=name)
