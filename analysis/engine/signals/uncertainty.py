"""Intrinsic uncertainty (verifier API): the generator's certainty about each claim's tokens.

From token log-probabilities: the mean negative log-likelihood (length-normalised), the largest one
of a single token, and the mean entropy over the likeliest tokens at each position, all in nats.

They are read as OpenAI-compatible APIs return them (`choices[].logprobs.content`). Source: the
OpenAI API reference, "The chat completion object": each entry holds `token`, `logprob` (natural
logarithm), `bytes` (UTF-8, possibly null) and `top_logprobs`. A token may be part of a character,
which only `bytes` shows.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from analysis.engine.signal_types import Uncertainty
from analysis.engine.signals.runner import SignalResult, invalid
from analysis.engine.types import Claim

MAX_TOP = 20
FLOOR = -25.0
"""OpenAI writes -9999 for "very unlikely"; one such token must not drown a claim's mean."""
_SLACK = 1e-3
"""Servers round a probability of 1 to a logarithm slightly above 0."""
_BYTES = range(256)


class LogprobsError(ValueError):
    """Raised for log-probabilities in an unexpected format; `path` leads to the fault."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}" if path else reason)
        self.path = path
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its UTF-8 bytes, its log-probability, and those of the likeliest alternatives."""

    data: bytes
    logprob: float
    top: tuple[tuple[bytes, float], ...]


def read_logprobs(data: Any) -> tuple[Token, ...]:
    """Return the tokens of `logprobs.content`, or of an object that has it.

    Raises LogprobsError.
    """
    if isinstance(data, Mapping):
        if "content" not in data:
            raise LogprobsError("content", "This field is required.")
        return _tokens(data["content"], "content")
    return _tokens(data, "")


def _tokens(data: Any, path: str) -> tuple[Token, ...]:
    if not isinstance(data, Sequence) or isinstance(data, str):
        raise LogprobsError(path, "Expected a list of tokens.")
    if not data:
        raise LogprobsError(path, "Expected at least one token.")
    return tuple(_token(item, f"{path}[{at}]") for at, item in enumerate(data))


def _token(entry: Any, path: str) -> Token:
    data, logprob = _entry(entry, path)
    top = entry.get("top_logprobs") or ()
    if not isinstance(top, Sequence) or isinstance(top, str):
        raise LogprobsError(f"{path}.top_logprobs", "Expected a list.")
    if len(top) > MAX_TOP:
        raise LogprobsError(f"{path}.top_logprobs", f"{len(top)} entries; at most {MAX_TOP}.")
    alternatives = (_entry(item, f"{path}.top_logprobs[{at}]") for at, item in enumerate(top))
    return Token(data, logprob, tuple(alternatives))


def _entry(data: Any, path: str) -> tuple[bytes, float]:
    if not isinstance(data, Mapping):
        raise LogprobsError(path, "Expected an object with `token` and `logprob`.")
    token, logprob = data.get("token"), data.get("logprob")
    if not isinstance(token, str):
        raise LogprobsError(f"{path}.token", "Expected a string.")
    if isinstance(logprob, bool) or not isinstance(logprob, (int, float)):
        raise LogprobsError(f"{path}.logprob", "Expected a number.")
    if not logprob <= _SLACK:
        raise LogprobsError(
            f"{path}.logprob", "Expected the logarithm of a probability, at most 0."
        )
    return _data(data.get("bytes"), token, path), max(FLOOR, min(0.0, float(logprob)))


def _data(data: Any, token: str, path: str) -> bytes:
    if data is None:
        return token.encode("utf-8", "surrogatepass")
    if not isinstance(data, Sequence) or isinstance(data, str):
        raise LogprobsError(f"{path}.bytes", "Expected a list of bytes or null.")
    if not all(type(byte) is int and byte in _BYTES for byte in data):
        raise LogprobsError(f"{path}.bytes", "Expected whole numbers from 0 to 255.")
    return bytes(data)


MODEL = "logprobs-1"
OTHER_TEXT = "The tokens do not add up to the answer"
_DIGITS = 4


def measure(
    answer: str, claims: Sequence[Claim], logprobs: Any
) -> SignalResult[tuple[Uncertainty | None, ...]]:
    """Return the uncertainty of each claim from the tokens that overlap it.

    `logprobs` is `logprobs.content`. The tokens must make up the answer, except white space at its
    ends; otherwise the result is an error that says where they diverge.
    """
    try:
        tokens = read_logprobs(logprobs)
    except LogprobsError as error:
        return invalid(f"Log-probabilities in an unexpected format: {error}")
    text = answer.encode("utf-8", "surrogatepass")
    data = b"".join(token.data for token in tokens)
    if data.strip() != text.strip():
        return invalid(f"{OTHER_TEXT}: they differ at byte {_parting(data.strip(), text.strip())}")
    shift = _indent(text) - _indent(data)
    ends = [shift + end for end in accumulate(len(token.data) for token in tokens)]
    places = [0, *accumulate(len(char.encode("utf-8", "surrogatepass")) for char in answer)]
    return SignalResult(
        tuple(_uncertainty(tokens, *_tokens_of(claim, places, ends)) for claim in claims)
    )


def _indent(text: bytes) -> int:
    return len(text) - len(text.lstrip())


def _parting(first: bytes, second: bytes) -> int:
    pairs = enumerate(zip(first, second, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(first), len(second)))


def _tokens_of(claim: Claim, places: Sequence[int], ends: Sequence[int]) -> tuple[int, int]:
    """Return the tokens [first, last) that share a byte with the claim; `ends` are theirs."""
    start, end = places[claim.start], places[claim.end]
    return bisect_right(ends, start), bisect_left(ends, end) + 1


def _uncertainty(tokens: Sequence[Token], first: int, last: int) -> Uncertainty | None:
    claim_tokens = [token for token in tokens[first:last] if token.data]
    if not claim_tokens:
        return None
    surprises = [-token.logprob for token in claim_tokens]
    entropies = [entropy(token) for token in claim_tokens if token.top]
    return Uncertainty(
        mean_entropy=_mean(entropies) if len(entropies) == len(claim_tokens) else None,
        nll=_mean(surprises),
        max_nll=round(max(surprises), _DIGITS),
        tokens=len(claim_tokens),
    )


def entropy(token: Token) -> float:
    """Return the entropy of a token and its likeliest rivals in nats; the rest counts as one more.

    It is a lower bound of the whole distribution's entropy: splitting the rest would only add.
    """
    shares = {
        data: math.exp(logprob) for data, logprob in (*token.top, (token.data, token.logprob))
    }
    total = sum(shares.values())
    rest = max(0.0, 1 - total)
    scale = max(1.0, total)
    parts = [share / scale for share in shares.values()] + [rest]
    return -sum(part * math.log(part) for part in parts if part > 0)


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), _DIGITS)
