"""Labels claims by one or several language models that vote."""

import math
import threading
from collections import Counter, OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from hashlib import sha256
from time import monotonic
from typing import Any, Protocol

from inference.completion import JsonReply, complete_json, load_client, not_answered
from inference.endpoints import ChatMessage, Endpoint
from inference.errors import OutOfTime
from inference.judge.language_model import prompt, quotations
from inference.judge.language_model.passages import fitting
from inference.judge.types import ClaimJudgement, EvidenceWindow

_SHARES = {
    prompt.SUPPORTED: (0.97, 0.02, 0.01),
    prompt.NOT_IN_SOURCES: (0.03, 0.92, 0.05),
    prompt.CONTRADICTED: (0.02, 0.05, 0.93),
}
"""Entailed, left open, contradicted: what a label that all voters give is taken for."""
_LEAST_SECONDS = 0.5
"""With less, nothing is asked: it would be paid for and not be answered."""


class TokenBudget(Protocol):
    """A budget in tokens."""

    def is_spent(self) -> bool: ...
    def spend(self, tokens: int) -> None: ...


class _Endless:
    """A budget without limit, which counts nothing."""

    def is_spent(self) -> bool:
        return False

    def spend(self, tokens: int) -> None: ...


@dataclass(frozen=True, slots=True)
class Limits:
    """`seconds` per call with retries; `characters` of sources per call; cached answers."""

    seconds: float = 20.0
    characters: int = 40_000
    cached: int = 512


@dataclass(frozen=True, slots=True)
class Reply:
    """The judgement of each claim, None without a valid one; `problem` is "" or the reason.

    `calls` and `tokens` are the cost, 0 for cached answers.
    """

    claims: tuple[ClaimJudgement | None, ...]
    tokens: int
    problem: str
    calls: int = 0


@dataclass(frozen=True, slots=True)
class _Vote:
    """One model's label for one claim, with the quotations found in the sources."""

    label: str
    windows: tuple[EvidenceWindow, ...]


Ballot = Sequence[_Vote | None]
"""One model's votes, a place for each claim."""


class LanguageModel:
    """Asks all endpoints at once; the most frequent label decides a claim.

    Safe to share between threads. Answers are cached by question, so that a repeated check costs
    nothing and has the same result.
    """

    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        limits: Limits = Limits(),
        purse: TokenBudget | None = None,
    ) -> None:
        if not endpoints:
            raise ValueError("a language model needs an endpoint")
        self._endpoints = tuple(endpoints)
        self._limits = limits
        self._purse = purse or _Endless()
        self._replies: OrderedDict[str, Reply] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The endpoints' models, as in a judgement's `judge`."""
        return f"llm:{'+'.join(each.model for each in self._endpoints)}"

    @property
    def model_id(self) -> str:
        """The name and the version of the prompt."""
        return f"{self.name}@{prompt.VERSION}"

    def open(self) -> None:
        """Load the client library, which takes seconds on a busy machine; make no call."""
        load_client()

    def label(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        before: Sequence[str] = (),
        seconds: float = math.inf,
    ) -> Reply:
        """Return the models' labels within `seconds`, at most those of `Limits`.

        Never raises for endpoint failures, nor if the check's time ends meanwhile: late labels are
        missing.
        """
        key_parts = (question, tuple(evidence), tuple(claims), tuple(before))
        key = sha256(repr(key_parts).encode()).hexdigest()
        with self._lock:
            if key in self._replies:
                self._replies.move_to_end(key)
                cached = self._replies[key]
                return Reply(cached.claims, 0, "")
        reply = self._ask(question, evidence, claims, before, seconds)
        if not reply.problem:
            self._keep(key, reply)
        return reply

    def _keep(self, key: str, reply: Reply) -> None:
        with self._lock:
            self._replies[key] = reply
            while len(self._replies) > self._limits.cached:
                self._replies.popitem(last=False)

    def _ask(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        before: Sequence[str],
        seconds: float,
    ) -> Reply:
        if seconds < _LEAST_SECONDS:
            return Reply((None,) * len(claims), 0, "no time was left for it")
        if self._purse.is_spent():
            return Reply((None,) * len(claims), 0, "today's budget of tokens is used up")
        texts, coverage = fitting(evidence, claims, self._limits.characters)
        messages = prompt.messages(question, texts, claims, before)
        replies = self._replies_of_all(messages, seconds)
        tokens = sum(reply.tokens for reply in replies)
        self._purse.spend(tokens)
        ballots = [votes(r.value, evidence, claims) for r in replies if not r.problem]
        problem = next((reply.problem for reply in replies if reply.problem), "")
        if len(ballots) * 2 <= len(self._endpoints):
            why = problem or "too few models answered"
            return Reply((None,) * len(claims), tokens, why, len(replies))
        read = tuple(
            majority([ballot[at] for ballot in ballots], text, coverage)
            for at, text in enumerate(claims)
        )
        return Reply(read, tokens, "", len(replies))

    def _replies_of_all(self, messages: list[ChatMessage], seconds: float) -> list[JsonReply]:
        """Return each endpoint's reply by then; abandon threads that hang, as in a name lookup.

        It also ends when the check does, so that earlier judgements are not lost.
        """
        began, futures = monotonic(), list[Future[JsonReply]]()
        pool = ThreadPoolExecutor(len(self._endpoints))
        try:
            for endpoint in self._endpoints:
                futures.append(pool.submit(self._reply, endpoint, messages, began + seconds))
            wait(futures, None if seconds == math.inf else seconds)
        except OutOfTime:
            pass
        finally:
            pool.shutdown(wait=False)
        missing = not_answered(messages, monotonic() - began)
        replies = [future.result() if future.done() else missing for future in futures]
        return replies + [missing] * (len(self._endpoints) - len(replies))

    def _reply(self, endpoint: Endpoint, messages: list[ChatMessage], until: float) -> JsonReply:
        self.open()  # before the time of the call itself begins
        left = min(self._limits.seconds, until - monotonic())
        return complete_json(endpoint, messages, prompt.SCHEMA, deadline_s=max(0.0, left))


def votes(value: Any, evidence: Sequence[str], claims: Sequence[str]) -> Ballot:
    """Return one model's votes. A label that needs a quotation and has none in the sources is void.

    `value` fits the schema; the last entry for a claim counts, entries for no claim are ignored.
    """
    ballot: list[_Vote | None] = [None] * len(claims)
    for entry in value["claims"]:
        if entry["claim"] > len(claims):
            continue
        claim = claims[entry["claim"] - 1]
        matches = (quotations.find(each, evidence, claim) for each in entry["quotations"])
        windows = tuple(window for window in matches if window)
        holds = bool(windows) or entry["label"] == prompt.NOT_IN_SOURCES
        ballot[entry["claim"] - 1] = _Vote(entry["label"], windows) if holds else None
    return ballot


def majority(cast: Ballot, claim: str, coverage: float) -> ClaimJudgement | None:
    """Return the majority's judgement; None if no label has more than half of all votes.

    An invalid vote counts as cast: two of three must agree, not one of one.
    """
    valid = [vote for vote in cast if vote]
    label, most = Counter(vote.label for vote in valid).most_common(1)[0] if valid else ("", 0)
    if most * 2 <= len(cast):
        return None
    agreeing = [vote for vote in valid if vote.label == label]
    share = most / len(cast)
    entail, neutral, contradict = (value * share + (1 - share) / 3 for value in _SHARES[label])
    windows = tuple(window for vote in agreeing for window in vote.windows)
    doubt = (0, len(claim), round(1 - entail, 4))
    return ClaimJudgement(entail, neutral, contradict, (doubt,), windows, coverage)
