"""Measures with the configured models, and loads them; used by the worker and all commands."""

import re
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any

import structlog
from django.conf import settings

from analysis.check_embedder import CheckEmbedder
from analysis.engine import measure
from analysis.engine.policy import DEFAULT_RULES, PolicyRules
from analysis.engine.signal_types import JudgeUse, Measurement, SignalName
from analysis.engine.signals.runner import Limit
from analysis.engine.types import Source, Submission
from analysis.judge import judge, language_model, missing_judge, model_cost, own_judge, sample_judge
from analysis.services.sampling import further_answers, with_samples
from documents.injection import scan
from inference.errors import ModelError
from inference.judge.combined import ModelCost
from inference.judge.types import Judge
from inference.language import other_language, other_languages

log = structlog.get_logger(__name__)
_PARAGRAPH = re.compile(r"\S(?:[^\n]|\n(?![ \t]*\n))*")
"""A stretch of text without a blank line in it."""


def measure_submission(
    submission: Submission,
    rules: PolicyRules = DEFAULT_RULES,
    limit: Limit | None = None,
    other_judge: Judge | None = None,
) -> Measurement:
    """Measure every signal of the submission. A missing model is stated in the signal's state.

    `other_judge` replaces the configured judge.

    If the policy asks for samples and none were sent, they are drawn first. Source passages that
    read like instructions to a model are no evidence, unless the policy trusts them. Signals that
    `limit` leaves no time for are truncated.
    """
    if submission.sources and not rules.trust_flagged:
        submission = replace(submission, sources=tuple(map(_scanned, submission.sources)))
    samples = further_answers(submission, rules)
    if samples is not None:
        submission = replace(submission, samples=samples.texts)
    claim_judge = other_judge or (judge(limit.seconds_for_models) if limit else judge())
    measurement = measure(
        submission,
        CheckEmbedder(),
        settings.MAX_CLAIMS,
        claim_judge,
        limit,
        sample_judge() if submission.samples else None,
    )
    if cost := model_cost(claim_judge):
        measurement = _with_cost(measurement, cost)
    if other_judge is None and (missing := missing_judge()):
        # Who judged instead of the configured judge, and why.
        reasons = f"Judged by {missing}", measurement.states[SignalName.JUDGE].reason
        measurement = _with_judge(measurement, reason="; ".join(filter(None, reasons)))
    claims = " ".join(claim.text for claim in measurement.claims)
    texts = [claims, *(source.text for source in submission.sources or ())]
    measurement = replace(measurement, other_languages=other_languages(texts))
    return measurement if samples is None else with_samples(measurement, samples)


def _scanned(source: Source) -> Source:
    """Mark the paragraphs that the injection scan flags.

    A retrieved source is one passage and is flagged as a whole.
    """
    whole = [(0, len(source.text))]
    parts = whole if source.retrieved else [m.span() for m in _PARAGRAPH.finditer(source.text)]
    flagged = tuple(span for span in parts if scan(source.text[slice(*span)]).flagged)
    return replace(source, flagged=flagged)


def _with_cost(measurement: Measurement, cost: ModelCost) -> Measurement:
    """Add the cost of language-model calls to the judge's state."""
    uses = {use.judge: use for use in measurement.states[SignalName.JUDGE].judges}
    use = uses.get(cost.name, JudgeUse(cost.name, 0))
    uses[cost.name] = replace(
        use,
        unavailable=len(measurement.claims) if cost.left_all else use.unavailable,
        calls=cost.calls,
        tokens=cost.tokens,
    )
    if uses[cost.name] == JudgeUse(cost.name, 0):
        return measurement
    return _with_judge(measurement, judges=tuple(uses.values()))


def _with_judge(measurement: Measurement, **changes: Any) -> Measurement:
    """Return the measurement with these changes of the judge's state."""
    name = SignalName.JUDGE.value
    state = replace(measurement.states[name], **changes)
    return replace(measurement, states=measurement.states | {name: state})


def warm_up() -> None:
    """Load the models of this process and run each once: the first check has no time for it.

    A missing one is logged; the checks that need it will report it too.
    """
    _open("embedding", lambda: CheckEmbedder().embed(["warm"]))
    _open("language", lambda: other_language("warm " * 8))
    base = own_judge()
    if base is not None:
        _open("judge", lambda: base.predict("", ["warm"], ["warm"]))
    second = language_model()
    if second is not None:
        _open("language_model", second.open)


def _open(kind: str, run: Callable[[], object]) -> None:
    began = perf_counter()
    try:
        run()
    except ModelError as error:
        log.error("model_not_opened", model=kind, problem=error.problem, remedy=error.remedy)
        return
    log.info("model_opened", model=kind, seconds=round(perf_counter() - began, 2))
