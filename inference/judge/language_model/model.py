"""Claims labelled by one or several language models that vote."""

import threading
from collections import Counter, OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from typing import Any, Protocol

from inference.completion import complete_json
from inference.endpoints import Endpoint
from inference.judge.language_model import prompt, quotations
from inference.judge.language_model.passages import fitting
from inference.judge.types import ClaimJudgement, EvidenceWindow

_SHARES = {
    prompt.SUPPORTED: (0.97, 0.02, 0.01),
    prompt.NOT_IN_SOURCES: (0.03, 0.92, 0.05),
    prompt.CONTRADICTED: (0.02, 0.05, 0.93),
}
"""Entailed, left open, contradicted: what a label that all voters give is taken for."""


class TokenBudget(Protocol):
    """Counts what was spent, in tokens."""

    def is_spent(self) -> bool: ...
    def spend(self, tokens: int) -> None: ...


class _Endless:
    """A budget without a limit, which counts nothing."""

    def is_spent(self) -> bool:
        return False

    def spend(self, tokens: int) -> None: ...


@dataclass(frozen=True, slots=True)
class Limits:
    """`seconds` for a call with its retries; `characters` of sources in a call; cached answers."""

    seconds: float = 20.0
    characters: int = 40_000
    cached: int = 512


@dataclass(frozen=True, slots=True)
class Reply:
    """What was said of each claim, None where nothing holds; `problem` is "" or why."""

    claims: tuple[ClaimJudgement | None, ...]
    tokens: int
    problem: str


@dataclass(frozen=True, slots=True)
class _Vote:
    """One model's label for one claim, with the quotations that stand in the sources."""

    label: str
    windows: tuple[EvidenceWindow, ...]


Ballot = Sequence[_Vote | None]
"""One model's votes, a place for each claim."""


class LanguageModel:
    """Asks all endpoints at once; a claim is decided by the label that most of them give.

    Safe to share by threads. Answers are kept by what was asked, so that a check that is repeated
    costs nothing and comes out alike.
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
    def model_id(self) -> str:
        """The endpoints' models and the version of the question."""
        return f"llm:{'+'.join(each.model for each in self._endpoints)}@{prompt.VERSION}"

    def label(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        before: Sequence[str] = (),
    ) -> Reply:
        """What the models say of the claims. Never raises for what an endpoint does."""
        key_parts = (question, tuple(evidence), tuple(claims), tuple(before))
        key = sha256(repr(key_parts).encode()).hexdigest()
        with self._lock:
            if key in self._replies:
                self._replies.move_to_end(key)
                cached = self._replies[key]
                return Reply(cached.claims, 0, "")
        reply = self._ask(question, evidence, claims, before)
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
    ) -> Reply:
        if self._purse.is_spent():
            return Reply((None,) * len(claims), 0, "today's budget of tokens is used up")
        import_module("openai")  # seconds on a busy machine, which the deadline does not count
        texts, coverage = fitting(evidence, claims, self._limits.characters)
        messages = prompt.messages(question, texts, claims, before)
        with ThreadPoolExecutor(len(self._endpoints)) as pool:
            replies = list(
                pool.map(
                    lambda endpoint: complete_json(
                        endpoint, messages, prompt.SCHEMA, deadline_s=self._limits.seconds
                    ),
                    self._endpoints,
                )
            )
        tokens = sum(reply.tokens for reply in replies)
        self._purse.spend(tokens)
        ballots = [votes(r.value, evidence, len(claims)) for r in replies if not r.problem]
        problem = next((reply.problem for reply in replies if reply.problem), "")
        if len(ballots) * 2 <= len(self._endpoints):
            return Reply((None,) * len(claims), tokens, problem or "too few models answered")
        read = tuple(
            majority([ballot[at] for ballot in ballots], text, coverage)
            for at, text in enumerate(claims)
        )
        return Reply(read, tokens, "")


def votes(value: Any, evidence: Sequence[str], count: int) -> Ballot:
    """One model's votes. A label that needs a quotation and has none in the sources is no vote.

    `value` fits the schema; of entries for one claim the last counts, those for no claim are left.
    """
    ballot: list[_Vote | None] = [None] * count
    for entry in value["claims"]:
        if entry["claim"] > count:
            continue
        matches = (quotations.find(each, evidence) for each in entry["quotations"])
        windows = tuple(window for window in matches if window)
        holds = bool(windows) or entry["label"] == prompt.NOT_IN_SOURCES
        ballot[entry["claim"] - 1] = _Vote(entry["label"], windows) if holds else None
    return ballot


def majority(cast: Ballot, claim: str, coverage: float) -> ClaimJudgement | None:
    """The judgement of the majority; None where no label has more than half of all votes.

    A vote that was not valid counts as cast: two of three must agree, not one of one.
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
