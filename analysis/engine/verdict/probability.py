"""The probability that the sources do not support a claim, from its stored signals.

The judge decides; plain word overlap contributes where it was found to help: in long answers, and
for evidence that the judge did not read. Both are calibrated within each kind of answer (Platt
1999), so that one policy limit flags the same share of right answers in each: see `CALIBRATIONS`.
The score of an answer has one calibration for all kinds, so that answers of different kinds
compare: see `ACROSS_KINDS`. Neither outweighs what is certain, a conflict or a copy of the source's
own sentence.
"""

import operator
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from analysis.engine.signal_types import Measurement, SignalName, VerifierSignal
from analysis.engine.types import NO_VALUE, AnswerKind, ConflictKind
from inference.judge.types import CHOSEN
from lib.stats.odds import logistic, logit


@dataclass(frozen=True, slots=True)
class Features:
    """The evidence of words against a claim, each a share of 1.

    `missing_words` are the claim's words not found together, `new_phrases` its adjacent word pairs
    found in no source, `by_rules` is 1 - lexical-1's support, and `stated_otherwise` is 1 if a
    record's field conflicts, `new_figures` and `new_names` are 1 if a figure or a name of the claim
    is in no source.
    """

    missing_words: float
    new_phrases: float
    by_rules: float
    stated_otherwise: float = 0.0
    new_figures: float = 0.0
    new_names: float = 0.0


@dataclass(frozen=True, slots=True)
class WordWeights:
    """The weights of the features, in order, and the bias: log-odds of being unsupported."""

    bias: float
    missing_words: float
    new_phrases: float
    by_rules: float
    stated_otherwise: float = 0.0
    new_figures: float = 0.0
    new_names: float = 0.0


STATED_OTHERWISE = 1.5
"""Set, not fitted: a claim against a field of a record then scores above .9, and 32 of 37 such
claims were marked by people (decision 0513). The fit, which saw no counterexample, said 6.3."""
WEIGHTS = WordWeights(-2.177, 0.012, 1.248, 1.766, STATED_OTHERWISE, 0.779, 1.027)
"""Fitted on answers of 11 sets (docs/research/probability.md)."""
_of = operator.attrgetter(*(field.name for field in fields(Features)))


def features_of(signal: VerifierSignal) -> Features | None:
    """Return the features of a claim, or None if it was not compared with a source."""
    lexical, coverage = signal.lexical, signal.coverage
    if lexical is None or coverage is None:
        return None
    return Features(
        1 - coverage.tokens_overlap,
        0.0 if coverage.phrases is None else 1 - coverage.phrases,
        1 - lexical.entail,
        float(any(conflict.kind is ConflictKind.FIELD for conflict in signal.conflicts)),
        float(bool(coverage.absent_figures)),
        float(bool(coverage.absent_names)),
    )


def log_odds(features: Features) -> float:
    """Return the log-odds by words that a claim is not supported: bias and weighted features."""
    # astuple would copy every number, at twice the cost of a whole claim.
    return float(WEIGHTS.bias + sum(map(operator.mul, _of(WEIGHTS), _of(features))))


LIKELY = 0.5
"""From this probability on a claim is more likely unsupported than supported."""
_FARTHEST = 0.05
"""Nearness is clipped to this distance from 0 and 1."""
ANSWERING = 0.3
"""The weight of what a judge of answers says, beside nearness (docs/research/probability.md)."""
_CERTAIN = 3.0
"""Log-odds of a claim with a certain conflict; those of a verbatim copy are the negative."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Log-odds of a claim not being supported: `bias` and a factor for each part.

    `judge` weighs the judge's log-odds that the claim is not entailed, `words` those of the overlap
    with the sources, and `unread` the latter by the share of the evidence that the judge did not
    read. Where the mean of the answer's claims is below `typical`, the judge's are told from that
    mean instead of from `typical`.
    """

    bias: float
    judge: float
    words: float
    typical: float | None = None
    unread: float = 0.0

    def odds(self, judge: float, words: float, answer: float = 0.0, unread: float = 0.0) -> float:
        """Return the log-odds.

        `answer` is the mean of the judge's over the answer's claims, `unread` a share (0-1).
        """
        if self.typical is not None:
            judge -= min(answer - self.typical, 0.0)
        return self.bias + self.judge * judge + (self.words + self.unread * unread) * words


_SHORT = Calibration(0.85, 0.717, 0.0, unread=0.717)
CALIBRATIONS: Mapping[AnswerKind, Calibration] = {
    AnswerKind.BARE: _SHORT,
    AnswerKind.PLACED: Calibration(0.85, 0.6, 0.645),
    AnswerKind.SHORT: _SHORT,
    AnswerKind.LONG: Calibration(-0.377, 1.157, 0.289, typical=-0.75),
    AnswerKind.RECORD: Calibration(0.856, 0.609, 0.0),
    AnswerKind.LONG_RECORD: Calibration(0.985, 1.135, 0.568),
}
"""Fitted as `tools.training.judge.fitting.fit_kind` does, on 1,382 answers of twelve sets, of long
ones on 317 of seven: the default policy's limit, 0.76, flags a tenth of the right answers of each
kind, and below 0.5 a claim is at least as likely supported as not; bare answers with a place on 438
of six sets; long answers about records on 596 of five sets. The bias of short answers was moved
after the base judges 1.3, 1.4 and 1.9, that of long ones when words came to count in them, so that
about as many right ones are flagged as before (docs/research/probability.md)."""
ACROSS_KINDS: Mapping[AnswerKind, Calibration] = {
    kind: replace(_SHORT, words=each.words) for kind, each in CALIBRATIONS.items()
}
"""The calibration of short answers for all of them, by which answers of different kinds compare:
with those above, an answer in two words and one in a sentence do not (of 4,402 answers the mean
AUROC of 26 sets is 0.757 instead of 0.749)."""
CHOSEN_CALIBRATION = Calibration(0.0, 1.0, 0.15)
"""Set, not fitted: which model judges is the operator's choice, and `manage.py calibrate` fits what
its probability means. It decides in answers of any kind; words move it little."""

WORDS_ALONE = Calibration(0.43, 0.0, 1.02)
"""For claims that no judge read. Fitted on tune rows of 11 sets; sets and labels weigh the same
(docs/research/probability.md)."""


def unsupported(
    signal: VerifierSignal, by: Mapping[AnswerKind, Calibration] = CALIBRATIONS
) -> float | None:
    """Return the probability (0-1) that the claim is not supported; None if not checked."""
    features = features_of(signal)
    if features is None:
        return None
    if is_certain(signal):
        return logistic(_CERTAIN)
    judgement = signal.judgement
    if judgement is None:
        return logistic(WORDS_ALONE.odds(0.0, log_odds(features)))
    if judgement.verbatim:
        return logistic(-_CERTAIN)
    judge = judgement.odds
    if judgement.judge.startswith(CHOSEN):
        return logistic(CHOSEN_CALIBRATION.odds(judge, log_odds(features)))
    words = words_odds(signal, features)
    unread = 1 - judgement.evidence_read
    return logistic(by[judgement.kind].odds(judge, words, judgement.answer_odds, unread))


def words_odds(signal: VerifierSignal, features: Features) -> float:
    """Return the log-odds by words alone that a claim is not supported.

    A bare answer's words occur in the sources whether it is right or wrong; the evidence is how
    near they are to those of its question, and whether a passage with them answers it. 0 if that is
    unknown.
    """
    judgement, coverage = signal.judgement, signal.coverage
    if judgement is None or judgement.kind is not AnswerKind.PLACED:
        return log_odds(features)
    if coverage is None or coverage.nearness is None:
        return 0.0
    return logit(1 - coverage.nearness, _FARTHEST) - ANSWERING * (judgement.answering or 0.0)


def is_certain(signal: VerifierSignal) -> bool:
    """Return whether a passage certainly contradicts the claim."""
    return any(conflict.certain for conflict in signal.conflicts)


def hallucination_score(measurement: Measurement) -> float | None:
    """Return the answer's score, 0-1 (1: not supported); None if nothing could be measured.

    Claims that need no evidence are ignored; an answer without any other scores 0. Without sources
    (None, not an empty list) no claim is measured, and there is no score.
    """
    if measurement.states[SignalName.CLAIMS].status in NO_VALUE:
        return None
    checkable = [signal for signal in measurement.signals if signal.checkable]
    scores = [score for signal in checkable if (score := claim_score(signal)) is not None]
    return max(scores, default=None) if checkable else 0.0


def claim_score(signal: VerifierSignal) -> float | None:
    """Return how far one claim is from supported, 0-1; None if no source was compared.

    Claims of answers of any kind compare by it, which need not be so of their probabilities.
    """
    score = unsupported(signal, ACROSS_KINDS)
    return None if score is None else round(score, 4)
