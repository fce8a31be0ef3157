"""The probability that the sources do not support a claim, from its stored signals.

Where the judge read the claim, its log-odds decide together with those of words. In short sentences
of an answer of one or two the judge nearly decides alone: right answers there are worded freely,
and wrong ones use the words of the source. A figure, a field or an opposite that a source states
instead adds to it. Words tell more in a long answer and in a long sentence, since most of it is
close to what the sources say, and where the judge could read only a part of the sources.
"""

import operator
from collections.abc import Iterable
from dataclasses import dataclass

from analysis.engine.signal_types import Judgement, VerifierSignal
from analysis.engine.types import ConflictKind
from analysis.engine.verdict.fusion_model import features_of, has_model, log_odds, logistic, logit

_EDGE = 0.005
_LONG = 3
"""Sentences from which an answer counts as long. Of 2, 3, 4 and 6 the smaller ones rank labelled
answers better; at 2 an answer of two sentences would be judged by words alone."""
_WORDS = 12
"""Words up to which a sentence is short; one of twice as many is long. Chosen on tune halves of
WiCE, FRANK, SummEdits and ExpertQA and on `tools/evaluation/everyday/dev`."""


@dataclass(frozen=True, slots=True)
class JudgeWeights:
    """Log-odds of a claim not being supported: a bias and a factor for each part.

    `entail` weighs the judge's log-odds that the claim is not entailed, `words` the log-odds of
    the fusion without the judge. The `long_` ones are added by the share (0-1) that the claim
    counts as long (`_length`). `conflict` is added in a short one where words name a conflict: in a
    long one the fusion already weighs it enough.
    """

    bias: float
    entail: float
    words: float
    long_bias: float
    long_entail: float
    long_words: float
    conflict: float


JudgeParts = tuple[float, float, float, float, float, float]
"""What the weights multiply, in their order, without the bias."""

_COPIED = -4.0
"""Log-odds of a claim that stands word for word in a passage, whatever the judge makes of it; words
still tell where the passage is framed as an error, a question or a thing of the past."""
_UNTELLING = {ConflictKind.NEGATION}
"""Of 4,500 claims written for training, words find a denial in as many right ones as wrong ones."""
_CERTAIN = 3.0
"""The least log-odds of a claim that a certain conflict speaks against, whatever a model makes of
its words: those are the source's own."""
WEIGHTS = JudgeWeights(0.81, 0.73, 0.0, -0.21, -0.49, 0.76, 0.08)
"""Fitted by `python -m tools.training.judge.fit` on claims of eight kinds of answers that trained
nothing: `tools/evaluation/everyday/dev`, which weighs as three sets (it has three files), and spare
tune rows of seven public sets; then scaled so that the default policy flags at most 10 % of the
right everyday answers and blocks at most 2 % (docs/research/probability.md)."""
CHOSEN = ("llm:", "named:")
"""How the names in `Judgement.judge` begin of judges that an operator chose."""
CHOSEN_WEIGHTS = JudgeWeights(0.0, 1.0, 0.15, 0.0, 0.0, 0.0, 1.0)
"""Set, not fitted: which model judges is the operator's choice, and `manage.py calibrate` fits what
its probability means. It decides in answers of any length; words move it little."""


def judge_weights(judgement: Judgement) -> JudgeWeights:
    """The weights of the judge that decided."""
    return CHOSEN_WEIGHTS if judgement.judge.startswith(CHOSEN) else WEIGHTS


def unsupported(signal: VerifierSignal) -> float | None:
    """The probability (0-1) that the claim is not supported; None where it was not checked."""
    if signal.judgement is None:
        return _unjudged(signal)
    parts = judge_parts(signal)
    if parts is None:
        return None
    weights = judge_weights(signal.judgement)
    return claim_probability(parts, weights, is_certain=is_certain(signal))


def claim_probability(parts: JudgeParts, weights: JudgeWeights, *, is_certain: bool) -> float:
    """The probability (0-1) of a claim that the judge read; a certain conflict is the least."""
    odds = judge_log_odds(parts, weights)
    return logistic(max(odds, _CERTAIN) if is_certain else odds)


def _unjudged(signal: VerifierSignal) -> float | None:
    """By words and the model of entailment that an operator named, or by words alone."""
    features = features_of(signal)
    if features is None:
        return None
    words = log_odds(features)
    if signal.nli is None or not has_model(signal):
        return logistic(words)
    parts = (logit(1 - signal.nli.entail, _EDGE), words, 0.0, 0.0, 0.0, states_otherwise(signal))
    return logistic(judge_log_odds(parts, CHOSEN_WEIGHTS))


def is_certain(signal: VerifierSignal) -> bool:
    """Whether something is certain to speak against the claim, and nothing outweighs it."""
    words = signal.lexical
    against = words is not None and words.contradict > words.entail
    return against and any(conflict.certain for conflict in signal.conflicts)


def judge_log_odds(parts: JudgeParts, weights: JudgeWeights) -> float:
    """The log-odds that a claim is not supported."""
    factors = (
        weights.entail, weights.words, weights.long_bias, weights.long_entail, weights.long_words,
        weights.conflict,
    )  # fmt: skip
    products: Iterable[float] = map(operator.mul, factors, parts)
    return weights.bias + sum(products)


def judge_parts(signal: VerifierSignal) -> JudgeParts | None:
    """Two log-odds, the share of length, the two times it, and whether words conflict.

    None where the judge did not read the claim or nothing was measured of it.
    """
    judgement, features = signal.judgement, features_of(signal)
    if judgement is None or features is None:
        return None
    words = log_odds(features)
    share = _length(judgement)
    entail = _COPIED if judgement.verbatim else logit(1 - judgement.entail, _EDGE)
    conflict = (1 - share) * states_otherwise(signal)
    return entail, words, share, share * entail, share * words, conflict


def _length(judgement: Judgement) -> float:
    """How long (0-1) the answer or the sentence is, or how much of the sources was not read."""
    of_answer = (judgement.sentences - 1) / (_LONG - 1)
    of_sentence = (judgement.words - _WORDS) / _WORDS
    return min(1.0, max(of_answer, of_sentence, 1 - judgement.evidence_read))


def states_otherwise(signal: VerifierSignal) -> bool:
    """Whether words name a conflict that tells, stronger than what speaks for the claim."""
    words, kinds = signal.lexical, {conflict.kind for conflict in signal.conflicts}
    return bool(words and words.contradict > words.entail and kinds - _UNTELLING)
