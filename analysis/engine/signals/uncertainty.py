"""Intrinsic uncertainty (verifier API): the generator's certainty about each claim's tokens.

From token log-probabilities: the mean negative log-likelihood (length-normalised), the largest one
of a single token, and the mean entropy over the likeliest tokens at each position, all in nats.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from analysis.engine.evidence.logprobs import LogprobsError, Token, read_logprobs
from analysis.engine.signal_types import Uncertainty
from analysis.engine.signals.result import SignalResult, invalid
from analysis.engine.types import Claim

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
    shift = _blank(text) - _blank(data)
    ends = [shift + end for end in accumulate(len(token.data) for token in tokens)]
    places = [0, *accumulate(len(char.encode("utf-8", "surrogatepass")) for char in answer)]
    return SignalResult(
        tuple(_uncertainty(tokens, *_tokens_of(claim, places, ends)) for claim in claims)
    )


def _blank(text: bytes) -> int:
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
    """Return nats over the token and its likeliest rivals; the remaining mass counts as one more.

    This is a lower bound of the whole distribution's entropy: splitting the rest would only add.
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
