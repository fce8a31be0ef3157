"""Self-agreement (verifier API): does the generator repeat itself when asked again?

Each claim is compared with every sample as with a source, by a judge if there is one. A generator
that knows repeats itself; fabrications differ from sample to sample.

Source: SelfCheckGPT, arXiv 2303.08896, the variant by NLI, whose measure is the mean over samples
of contradict / (entail + contradict). Here the mean of 1 - entail is added, since fabrications fall
into our neutral class.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol

from analysis.engine.claims.reading import Reading
from analysis.engine.signal_types import Consistency
from analysis.engine.signals import grounding
from analysis.engine.signals.judgement import ClaimReading, judge_claims
from analysis.engine.signals.runner import SignalResult
from analysis.engine.types import SignalStatus, Source
from inference.errors import ModelError
from inference.judge.types import Judge
from lib.text.sentences import sentences

MAX_PAIRS = 400
"""Claims times samples; each is a reading of the judge (about 10 ms)."""
SECONDS = 6.0
"""After this no further samples are read: a check has a limit of its own; cuts are reported."""
MAX_TEXTS = 400
"""Sentences embedded for the distance."""
_DIGITS = 4
_SMALLEST = 1e-6


class Embedder(Protocol):
    """The interface of an embedding model; `inference.embedding` has implementations."""

    @property
    def model_id(self) -> str: ...
    def embed(self, texts: Sequence[str]) -> Any:
        """Return a matrix (texts, dimensions) with rows of length 1 that supports `@` and `T`."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """One sample's judgement of one claim: two shares, by a judge or rules."""

    entail: float
    contradict: float


@dataclass(frozen=True, slots=True)
class SampleReader:
    """Compares claims with samples: by the judge, else by rules."""

    judge: Judge | None = None

    @property
    def model_id(self) -> str:
        """The id of the model that compares. Raises what the judge raises."""
        return self.judge.model_id if self.judge else grounding.MODEL

    def compare(self, reading: Reading, query: str, sample: str) -> list[Agreement | None]:
        """Return one sample's judgement of each claim; None if a limit kept it from being read."""
        grounded = grounding.ground(reading, query, (Source("sample", sample),))
        by_rules = [
            Agreement(claim.support, claim.contradict) if claim else None
            for claim in grounded.claims
        ]
        if self.judge is None:
            return by_rules
        claim_readings = judge_claims(reading, query, grounded, self.judge).claims
        # Rules decide differences that words can show, and the claims that no judge had time for.
        has_conflict = [claim is not None and bool(claim.conflicts) for claim in grounded.claims]
        return [
            ruled if conflict or claim is None else _by_judge(claim)
            for ruled, conflict, claim in zip(by_rules, has_conflict, claim_readings, strict=True)
        ]


def measure(
    reading: Reading,
    query: str,
    samples: Sequence[str],
    reader: SampleReader,
    embedder: Embedder | None,
) -> SignalResult[tuple[Consistency | None, ...]]:
    """Return how far the samples agree with each claim. Raises what the models raise.

    As many samples are compared as the limits allow, at least one; the result says how many were
    left out.
    """
    claims = reading.statements
    agreements = _agreements(reading, query, samples, reader)
    compared = samples[: len(agreements)]
    distances = _sample_distances(reading, compared, embedder)
    values = tuple(
        _consistency(
            [agreement[at] for agreement in agreements],
            distances.value[at] if distances.value else None,
        )
        for at in range(len(claims))
    )
    model_ids = (reader.model_id, distances.model)
    omitted = len(samples) - len(compared)
    notes = [f"{omitted} of {len(samples)} samples were not compared"] if omitted else []
    notes += [distances.reason] if distances.reason else []
    cut = SignalStatus.TRUNCATED if omitted else SignalStatus.OK
    status = cut if distances.status is SignalStatus.OK else distances.status
    return SignalResult(values, status, "; ".join(notes), " + ".join(filter(None, model_ids)))


def _agreements(
    reading: Reading, query: str, samples: Sequence[str], reader: SampleReader
) -> list[list[Agreement | None]]:
    """Return each sample's judgements of all claims, for as many samples as the limits allow."""
    agreements: list[list[Agreement | None]] = []
    began = perf_counter()
    for sample in samples[: max(1, MAX_PAIRS // max(1, len(reading.statements)))]:
        if agreements and perf_counter() - began > SECONDS:
            break
        agreements.append(reader.compare(reading, query, sample))
    return agreements


def _by_judge(claim: ClaimReading) -> Agreement:
    """Return the judge's shares; a claim that is verbatim in the sample needs no judge."""
    judgement = claim.judgement
    if judgement.verbatim:
        return Agreement(1.0, 0.0)
    return Agreement(judgement.entail, judgement.contradict)


def _consistency(
    agreements: Sequence[Agreement | None], distance: float | None
) -> Consistency | None:
    present = [agreement for agreement in agreements if agreement is not None]
    if not present:
        return None
    entail = [agreement.entail for agreement in present]
    against = [
        agreement.contradict / max(_SMALLEST, agreement.entail + agreement.contradict)
        for agreement in present
    ]
    mean = sum(entail) / len(entail)
    return Consistency(
        variance=round(sum((value - mean) ** 2 for value in entail) / len(entail), _DIGITS),
        contradiction=round(sum(against) / len(against), _DIGITS),
        disagreement=round(1 - mean, _DIGITS),
        distance=distance,
        samples=len(present),
    )


def _sample_distances(
    reading: Reading, samples: Sequence[str], embedder: Embedder | None
) -> SignalResult[tuple[float, ...]]:
    """Return each claim's mean over samples of 1 - cosine to the sample's nearest sentence."""
    if embedder is None or not reading.statements:
        return SignalResult()
    sentence_texts = [
        [sample[s.start : s.end] for s in sentences(sample)] or [sample] for sample in samples
    ]
    claims = [statement.claim.text for statement in reading.statements]
    texts = [*claims, *(text for group in sentence_texts for text in group)]
    if len(texts) > MAX_TEXTS:
        note = f"the distance of more than {MAX_TEXTS} sentences was not measured"
        return SignalResult(status=SignalStatus.TRUNCATED, reason=note)
    try:
        vectors, model = embedder.embed(texts), embedder.model_id
    except ModelError as error:
        note = f"the distance was not measured: {error.problem}"
        return SignalResult(status=SignalStatus.UNAVAILABLE, reason=note)
    nearest, at = [], len(claims)
    for sentence_text in sentence_texts:
        nearest.append(
            (vectors[: len(claims)] @ vectors[at : at + len(sentence_text)].T).max(axis=1)
        )
        at += len(sentence_text)
    mean = sum(nearest) / len(nearest)
    distances = (round(max(0.0, 1 - float(cosine)), _DIGITS) for cosine in mean)
    return SignalResult(tuple(distances), model=model)
