"""Each stored signal as one figure of the whole answer: higher is more suspicious.

An answer is as suspicious as its worst claim. None if the signal has no value.
"""

from collections.abc import Callable, Iterable

from analysis.engine.signal_types import Measurement, VerifierSignal

Reader = Callable[[VerifierSignal], float | None]


def _complement(share: float | None) -> float | None:
    return None if share is None else 1 - share


_OF_CLAIM: dict[str, Reader] = {
    "not entailed": lambda s: _complement(s.nli.entail) if s.nli else None,
    "contradicted": lambda s: s.nli.contradict if s.nli else None,
    "not entailed, by rules": lambda s: _complement(s.lexical.entail) if s.lexical else None,
    "contradicted, by rules": lambda s: s.lexical.contradict if s.lexical else None,
    "a word doubted": lambda s: s.judgement.doubt if s.judgement else None,
    "words not found together": lambda s: (
        _complement(s.coverage.tokens_overlap) if s.coverage else None
    ),
    "new phrases": lambda s: _complement(s.coverage.phrases) if s.coverage else None,
    "names not found": lambda s: _complement(s.coverage.entities) if s.coverage else None,
    "figures not found": lambda s: _complement(s.coverage.numbers) if s.coverage else None,
    "figures in no source": lambda s: float(s.coverage.absent_figures) if s.coverage else None,
    "names in no source": lambda s: float(s.coverage.absent_names) if s.coverage else None,
    "conflicts": lambda s: float(len(s.conflicts)) if s.checked else None,
    "citation not matched": lambda s: _complement(s.citation_span_match),
    "uncertainty": lambda s: s.uncertainty.mean_entropy if s.uncertainty else None,
    "disagreement of samples": lambda s: s.consistency.disagreement if s.consistency else None,
}


def by_name(measurement: Measurement) -> dict[str, float | None]:
    claims = [signal for signal in measurement.signals if signal.checkable]
    values = {name: _worst(read(signal) for signal in claims) for name, read in _OF_CLAIM.items()}
    return values | {
        "overconfident wordings": float(len(measurement.overconfidence)),
        "internal contradictions": float(len(measurement.contradictions)),
    }


def _worst(values: Iterable[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)
