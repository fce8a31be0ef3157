"""Self-agreement (verifier API): does the generator say the same when it is asked again?

Each claim is held against every sample as against a source. A generator that knows repeats
itself; what it made up differs from sample to sample.

Source: SelfCheckGPT, arXiv 2303.08896, the variant by NLI, whose measure is the mean over samples
of contradict / (entail + contradict). Here a sample is read by its best window, and the mean of
1 - entail stands beside it, since our neutral class is where inventions fall.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from analysis.engine.claims.extraction import Reading
from analysis.engine.signals import entailment, grounding
from analysis.engine.signals.entailment import Entailed, Model
from analysis.engine.signals.result import SignalResult
from analysis.engine.types import Consistency, SignalStatus, Source
from inference.errors import ModelError
from text.sentences import sentences

MAX_PAIRS = 400
"""Claims times samples; each is a reading of the model (about 10 ms)."""
MAX_TEXTS = 400
"""Sentences embedded for the distance."""
_DIGITS = 4
_SMALLEST = 1e-6


class Embedder(Protocol):
    """What the engine asks of an embedding model; `inference.embedding` has them."""

    @property
    def model_id(self) -> str: ...
    def embed(self, texts: Sequence[str]) -> Any:
        """A matrix (texts, dimensions) with rows of length 1, that knows `@` and `T`."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """What one sample says of one claim: three shares, by the model or by rules."""

    entail: float
    contradict: float


def measure(
    reading: Reading,
    query: str,
    samples: Sequence[str],
    model: Model | None,
    embedder: Embedder | None,
) -> SignalResult[tuple[Consistency | None, ...]]:
    """How far the samples agree with each claim. Raises what the models raise.

    Without `model` the scores by rules are taken. So many samples are compared as the bounds
    allow, at least one; the result says how many were left out.
    """
    claims = reading.statements
    kept = samples[: max(1, MAX_PAIRS // max(1, len(claims)))]
    found = [_held(reading, query, sample, model) for sample in kept]
    apart = _apart(reading, kept, embedder)
    values = tuple(
        _consistency([one[at] for one in found], apart.value[at] if apart.value else None)
        for at in range(len(claims))
    )
    used = (model.model_id if model else grounding.MODEL, apart.model)
    left = len(samples) - len(kept)
    told = [f"{left} of {len(samples)} samples were not compared"] if left else []
    told += [apart.reason] if apart.reason else []
    cut = SignalStatus.TRUNCATED if left else SignalStatus.OK
    status = cut if apart.status is SignalStatus.OK else apart.status
    return SignalResult(values, status, "; ".join(told), " + ".join(filter(None, used)))


def _held(reading: Reading, query: str, sample: str, model: Model | None) -> list[Agreed | None]:
    """What one sample says of each claim; None where a bound kept the claim from being read."""
    grounded = grounding.ground(reading, query, (Source("sample", sample),))
    ruled = [Agreed(one.support, one.contradict) if one else None for one in grounded.claims]
    if model is None:
        return ruled
    read = entailment.entail(reading, query, grounded.corpus, model).claims
    # What words can name, words decide, as they do of a claim (decision 0526).
    named = [one is not None and bool(one.conflicts) for one in grounded.claims]
    return [ruled[at] if named[at] else _agreed(one) for at, one in enumerate(read)]


def _agreed(found: Entailed | None) -> Agreed:
    """A sample without a word of the claim has no window: it leaves the claim open."""
    return Agreed(found.entail, found.contradict) if found else Agreed(0.0, 0.0)


def _consistency(found: Sequence[Agreed | None], distance: float | None) -> Consistency | None:
    held = [one for one in found if one is not None]
    if not held:
        return None
    entail = [one.entail for one in held]
    against = [one.contradict / max(_SMALLEST, one.entail + one.contradict) for one in held]
    mean = sum(entail) / len(entail)
    return Consistency(
        variance=round(sum((one - mean) ** 2 for one in entail) / len(entail), _DIGITS),
        contradiction=round(sum(against) / len(against), _DIGITS),
        disagreement=round(1 - mean, _DIGITS),
        distance=distance,
        samples=len(held),
    )


def _apart(
    reading: Reading, samples: Sequence[str], embedder: Embedder | None
) -> SignalResult[tuple[float, ...]]:
    """For each claim the mean over samples of 1 - cosine to the sample's nearest sentence."""
    if embedder is None or not reading.statements:
        return SignalResult()
    said = [[sample[s.start : s.end] for s in sentences(sample)] or [sample] for sample in samples]
    claims = [statement.claim.text for statement in reading.statements]
    texts = [*claims, *(text for one in said for text in one)]
    if len(texts) > MAX_TEXTS:
        told = f"the distance of more than {MAX_TEXTS} sentences was not measured"
        return SignalResult(status=SignalStatus.TRUNCATED, reason=told)
    try:
        vectors, model = embedder.embed(texts), embedder.model_id
    except ModelError as error:
        told = f"the distance was not measured: {error.problem}"
        return SignalResult(status=SignalStatus.UNAVAILABLE, reason=told)
    nearest, at = [], len(claims)
    for one in said:
        nearest.append((vectors[: len(claims)] @ vectors[at : at + len(one)].T).max(axis=1))
        at += len(one)
    mean = sum(nearest) / len(nearest)
    distances = (round(max(0.0, 1 - float(cosine)), _DIGITS) for cosine in mean)
    return SignalResult(tuple(distances), model=model)
