"""Measured answers with people's labels."""

from collections.abc import Iterator
from dataclasses import dataclass

from analysis.engine.signal_types import Measurement
from desk.scoring.rows import Row
from desk.scoring.truth import label_of, spans_of

NOT_JUDGED = "not_judged"
"""The kind of an answer of which no judge read a claim."""


class CalibrationError(ValueError):
    """Raised for rows that nothing can be fitted to; the message says why."""


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """A measured answer, whether people found it wrong, and which of its claims.

    `wrong_claims`: None for a claim that no judge read, or whose label is unknown.
    """

    measurement: Measurement
    wrong: bool
    wrong_claims: tuple[bool | None, ...]

    @property
    def kind(self) -> str:
        """The kind of its judged claims (`AnswerKind`), or NOT_JUDGED."""
        return kind_of(self.measurement)


def labelled(row: Row, measurement: Measurement) -> LabelledAnswer:
    """Return the answer of a row with its labels. Raises RowError."""
    labels = _claim_labels(row, measurement)
    return LabelledAnswer(measurement, label_of(row.raw), tuple(labels))


def kind_of(measurement: Measurement) -> str:
    """Return the kind of the judged claims (`AnswerKind`), or NOT_JUDGED."""
    judgements = (signal.judgement for signal in measurement.signals)
    return next((str(judgement.kind) for judgement in judgements if judgement), NOT_JUDGED)


def _claim_labels(row: Row, measurement: Measurement) -> Iterator[bool | None]:
    """Yield each claim's label; in a wrong answer with several claims only spans tell which."""
    wrong, spans = label_of(row.raw), spans_of(row.raw)
    alone = sum(signal.judgement is not None for signal in measurement.signals) == 1
    for claim, signal in zip(measurement.claims, measurement.signals, strict=True):
        if signal.judgement is None:
            yield None
        elif spans is not None:
            yield any(start < claim.end and claim.start < end for start, end in spans)
        else:
            yield wrong if alone else None
