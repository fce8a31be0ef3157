"""Token log-probabilities as OpenAI-compatible APIs return them (`choices[].logprobs.content`).

Source: the OpenAI API reference, "The chat completion object": each entry holds `token`, `logprob`
(natural logarithm), `bytes` (UTF-8, possibly null) and `top_logprobs`. A token may be part of a
character, which only `bytes` shows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
