"""A language model as judge: it labels claims and must quote the sources for its labels.

    model = LanguageModel((Endpoint(url, model, key),), Limits())
    judge = Cascade(get_judge(folder), model, ask=Ask.UNSURE)    # inference.judge.combined

The sources are in the prompt as marked data, the claims by number. Quotations count only where they
stand in the sources, word for word: a label without one is not believed. The prompt's text is a
file beside this module, so that changes are visible; its hash is in the judge's id, since labels
only compare under the same prompt.
"""

import json
import math
import re
import threading
from collections import Counter, OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

from inference.errors import OutOfTime
from inference.judge.types import ClaimJudgement, EvidenceWindow
from inference.llm import ChatMessage, Endpoint, JsonReply, complete_json, load_client, not_answered
from lib.text.stems import stem
from lib.text.words import STOPWORDS

TEXT = Path(__file__).with_name("prompt.txt").read_text(encoding="utf-8")
VERSION = f"claims-{sha256(TEXT.encode()).hexdigest()[:8]}"
SUPPORTED, CONTRADICTED, NOT_IN_SOURCES = "supported", "contradicted", "not_in_sources"
LABELS = (SUPPORTED, CONTRADICTED, NOT_IN_SOURCES)
_MOST_QUOTATIONS = 4
_MOST_CHARACTERS = 600
SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["claims"],
    "properties": {
        "claims": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["claim", "quotations", "label"],
                "properties": {
                    "claim": {"type": "integer", "minimum": 1},
                    "quotations": {
                        "type": "array",
                        "maxItems": _MOST_QUOTATIONS,
                        "items": {"type": "string", "maxLength": _MOST_CHARACTERS},
                    },
                    "label": {"enum": list(LABELS)},
                },
            },
        }
    },
}
"""JSON Schema (2020-12) of a reply. The quotations come before the label: first read, then say."""


def _messages(
    question: str, sources: Sequence[str], claims: Sequence[str], before: Sequence[str] = ()
) -> list[ChatMessage]:
    """Return the conversation that asks about all claims at once.

    `before`: the answer's text just before each claim, "" for none. Everything that others wrote is
    a JSON string: no source can close its own mark.
    """
    pairs = zip(claims, before or [""] * len(claims), strict=True)
    data = {
        "question": question,
        "sources": [{"source": at, "text": text} for at, text in enumerate(sources, start=1)],
        "claims": [
            {"claim": at, **({"before": lead} if lead else {}), "text": text}
            for at, (text, lead) in enumerate(pairs, start=1)
        ],
    }
    return [
        ChatMessage(role="system", content=TEXT),
        ChatMessage(role="user", content=json.dumps(data, ensure_ascii=False)),
    ]


_PARAGRAPH = re.compile(r"[^\n]+")
_LONG_WORD = re.compile(r"\w{3,}")


def fitting(
    sources: Sequence[str], claims: Sequence[str], characters: int
) -> tuple[list[str], float]:
    """Return the sources within `characters`, and the share (0-1) of them that remains.

    If they are longer, the paragraphs with most of the claims' words stay, in order; every source
    keeps its index, so that it can be cited.
    """
    total = sum(map(len, sources))
    if total <= characters:
        return list(sources), 1.0
    words = _words(" ".join(claims))
    parts = [
        (source, match.start(), match.group())
        for source, text in enumerate(sources)
        for match in _PARAGRAPH.finditer(text)
    ]

    def density(text: str) -> float:
        """Return that of the claims' words in a paragraph; length alone does not count."""
        return len(_words(text) & words) / math.sqrt(len(text) + 200)

    ranked = sorted(parts, key=lambda part: (-density(part[2]), part[0], part[1]))
    paragraphs, length = [], 0
    for source, start, text in ranked:
        if length >= characters:
            break
        paragraphs.append((source, start, text[: characters - length]))
        length += len(text) + 1
    of_source: list[list[str]] = [[] for _ in sources]
    for source, _, text in sorted(paragraphs):
        of_source[source].append(text)
    return ["\n".join(texts) for texts in of_source], min(1.0, characters / total)


def _words(text: str) -> frozenset[str]:
    return frozenset(match.group().lower() for match in _LONG_WORD.finditer(text))


_LEAST_WORDS = 2
"""The fewest words of a quotation: a single one proves nothing, unless it is a figure or field."""
_WORD = re.compile(r"\w+")
_GAPS = re.compile(r"\s+")
_WIDEST = 24
"""White space between two words of a quotation: a wider gap is a passage that was taken out."""
_GAP = rf"\s{{1,{_WIDEST}}}"
_ALIKE = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-", "—": "-",
                        "‑": "-", "\u00a0": " "})  # fmt: skip
"""Characters that models write for one another."""


def find_quotation(quotation: str, sources: Sequence[str], claim: str) -> EvidenceWindow | None:
    """Return the code points of a quotation in a source, or None if no source has it.

    None also if it shares no content word with the claim. White space and typographic quotation
    marks and dashes may differ, letters and digits may not. Text that is no evidence is blank in a
    source, and no quotation spans it.
    """
    words = _GAPS.split(quotation.translate(_ALIKE).strip())
    if not _proves_something(words) or _content(quotation).isdisjoint(_content(claim)):
        return None
    pattern = re.compile(r"(?<!\w)" + _GAP.join(map(re.escape, words)) + r"(?!\w)", re.I)
    for source, text in enumerate(sources):
        match = pattern.search(text.translate(_ALIKE))
        if match:
            return EvidenceWindow(source, match.start(), match.end(), 1.0)
    return None


def _content(text: str) -> frozenset[str]:
    """Return the stems of content words, and the figures."""
    words = map(str.lower, _WORD.findall(text))
    return frozenset(stem(word) for word in words if word not in STOPWORDS)


def _proves_something(words: Sequence[str]) -> bool:
    text = "".join(words)
    if not any(map(str.isalnum, text)):
        return False
    return len(words) >= _LEAST_WORDS or any(map(str.isdigit, text))


_SHARES = {
    SUPPORTED: (0.97, 0.02, 0.01),
    NOT_IN_SOURCES: (0.03, 0.92, 0.05),
    CONTRADICTED: (0.02, 0.05, 0.93),
}
"""Probabilities assigned to a unanimous label: entailed, left open, contradicted."""
_LEAST_SECONDS = 0.5
"""With fewer seconds nothing is asked: the call would be charged and not answered."""


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
        return f"{self.name}@{VERSION}"

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
            with self._lock:
                self._replies[key] = reply
                while len(self._replies) > self._limits.cached:
                    self._replies.popitem(last=False)
        return reply

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
        messages = _messages(question, texts, claims, before)
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
        return complete_json(endpoint, messages, SCHEMA, deadline_s=max(0.0, left))


def votes(value: Any, evidence: Sequence[str], claims: Sequence[str]) -> Ballot:
    """Return one model's votes. A label that needs a quotation and has none in the sources is void.

    `value` fits the schema; the last entry for a claim counts, entries for no claim are ignored.
    """
    ballot: list[_Vote | None] = [None] * len(claims)
    for entry in value["claims"]:
        if entry["claim"] > len(claims):
            continue
        claim = claims[entry["claim"] - 1]
        matches = (find_quotation(each, evidence, claim) for each in entry["quotations"])
        windows = tuple(window for window in matches if window)
        holds = bool(windows) or entry["label"] == NOT_IN_SOURCES
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
