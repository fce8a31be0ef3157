"""The probability that the sources do not support a claim, from its stored signals.

Where the judge read the claim, its log-odds decide together with those of words and of
the model of entailment. In an answer of
one or two sentences the judge nearly decides alone: right answers there are worded freely, and
wrong ones use the words of the source. In a long answer words tell more, since most of it is close
to what the sources say, and the judge counts for less than half of that.
"""

import math
from dataclasses import dataclass

from analysis.engine.types import Judgement, VerifierSignal
from analysis.engine.verdict import fusion_model
from analysis.engine.verdict.fusion_model import features_of, logistic, weighed, weights_of

_EDGE = 0.005
_LONG = 3
"""Sentences from which an answer counts as long. Of 2, 3, 4 and 6 the smaller ones rank labelled
answers better; at 2 an answer of two sentences would be judged by words alone."""


@dataclass(frozen=True, slots=True)
class JudgeWeights:
    """Log-odds of a claim not being supported: a bias and a factor for each part.

    `entail` weighs the judge's log-odds that the claim is not entailed, `words` the log-odds of
    the fusion without the judge. The `long_` ones are added by the share (0-1) that the answer
    is long.
    """

    bias: float
    entail: float
    words: float
    long_bias: float
    long_entail: float
    long_words: float


_COPIED = -4.0
"""Log-odds of a claim that stands word for word in a passage, whatever the judge makes of it; words
still tell where the passage is framed as an error, a question or a thing of the past."""
WEIGHTS = JudgeWeights(0.90, 0.83, 0.46, -1.40, -0.50, 0.75)
"""The first three and the last are fitted by `python -m training.judge.fit` on claims of nine kinds
of answers that trained nothing, each kind and either label weighing the same. What a long answer
adds to bias and judge was chosen on everyday summaries and answers of seven public sets: without
the judge, summaries of short sources were ranked no better than chance."""
CHOSEN = ("llm:", "named:")
"""How the names in `Judgement.judge` begin of judges that an operator chose."""
CHOSEN_WEIGHTS = JudgeWeights(0.0, 1.0, 0.15, 0.0, 0.0, 0.0)
"""Set, not fitted: which model judges is the operator's choice, and `manage.py calibrate` fits what
its probability means. It decides in answers of any length; words move it little."""


def judge_weights(judgement: Judgement) -> JudgeWeights:
    """The weights of the judge that decided."""
    return CHOSEN_WEIGHTS if judgement.judge.startswith(CHOSEN) else WEIGHTS


def unsupported(signal: VerifierSignal, of_model: float = 1.0) -> float | None:
    """The probability (0-1) that the claim is not supported; None where it was not checked.

    `of_model` is the share (0-1) of what the model of entailment says that counts.
    """
    if signal.judgement is None:
        return fusion_model.unsupported(signal, of_model)
    features = features_of(signal)
    if features is None:
        return None
    words = weighed(features, weights_of(signal))
    return logistic(judge_log_odds(signal.judgement, words, judge_weights(signal.judgement)))


def judge_log_odds(judgement: Judgement, words: float, weights: JudgeWeights) -> float:
    """The log-odds that a claim is not supported; `words` are those without the judge."""
    entail, _, share, long_entail, long_words = judge_parts(judgement, words)
    short = weights.bias + weights.entail * entail + weights.words * words
    long = weights.long_bias * share + weights.long_entail * long_entail
    return short + long + weights.long_words * long_words


def judge_parts(judgement: Judgement, words: float) -> tuple[float, float, float, float, float]:
    """What the weights multiply: two log-odds, the share of length, and the two times it."""
    share = min(1.0, (judgement.sentences - 1) / (_LONG - 1))
    entail = _COPIED if judgement.verbatim else _log_odds(1 - judgement.entail)
    return entail, words, share, share * entail, share * words


def _log_odds(probability: float) -> float:
    inside = min(max(probability, _EDGE), 1 - _EDGE)
    return math.log(inside / (1 - inside))
