"""Chooses the judge of claims from the settings: an included judge, a named or a language model."""

import math
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache

import structlog
from django.conf import settings
from redis.exceptions import RedisError

from analysis.engine.signals import grounding
from documents.injection import scan
from inference.judge import (
    ANSWERS,
    BASE,
    JUDGES,
    SMALL,
    JudgeStatus,
    get_judge,
    judge_status,
    judges_of,
)
from inference.judge.calibration import CalibratedJudge, with_calibration
from inference.judge.combined import Ask, Blend, Cascade, ModelCost
from inference.judge.language_model import LanguageModel, Limits
from inference.judge.named_judges import name_of, named_judge
from inference.judge.types import Judge
from inference.llm import Endpoint
from lib.workqueue.broker import redis_client

SMALL_SHARE = 0.5
"""Of the small judge's labels beside the base one's; of three shares the one that ranks the answers
of sixteen sets best (docs/research/judges.md)."""


log = structlog.get_logger(__name__)
_KEPT_SECONDS = 2 * 24 * 3600
_EVIDENCE_TOKENS = 600
"""Of evidence that the base judge reads for sixteen sentences (decision 0515)."""
_REPLY_TOKENS = 4096
"""The longest reply of a language model that judges; a model that reasons needs most of it."""


def judge(
    seconds_left: Callable[[], float] = lambda: math.inf, *, calibrated: bool = True
) -> Judge | None:
    """Return this process's judge, or None if the settings name none or none is prepared.

    `seconds_left` returns the time that the check still has for a language model. Without
    `calibrated`, that model's raw scores are returned. The judge raises inference.errors.ModelError
    if it is broken; nothing is prepared here, since a check must not wait for it.
    """
    own, model = own_judge(), language_model()
    if model is None:
        return own
    ask = Ask(settings.JUDGE_LLM_ASK)
    both = Cascade(own, model, ask, seconds_left, lambda text: scan(text).flagged)
    return with_calibration(both, model.name, settings.MODEL_DIR) if calibrated else both


def model_cost(claim_judge: Judge | None) -> ModelCost | None:
    """Return the cost of language-model calls by this judge, or None if it makes none."""
    inner = claim_judge.judge if isinstance(claim_judge, CalibratedJudge) else claim_judge
    return inner.cost if isinstance(inner, Cascade) else None


def language_model() -> LanguageModel | None:
    """Return the language model that judges, with any that vote with it, or None if none is set."""
    endpoints = _endpoints()
    return _language_model(endpoints, settings.JUDGE_LLM_SECONDS) if endpoints else None


def describe_judge() -> str:
    """Describe who judges claims and why a configured judge is missing; load no model."""
    own, model = _describe_own(), language_model()
    if model is None:
        return own
    which = "all claims" if settings.JUDGE_LLM_ASK == Ask.ALL else "what it is unsure of"
    return f"{own}; {model.model_id} for {which}"


def own_judge() -> Judge | None:
    """Return the judge that runs in this process, or None if none is named or prepared."""
    if settings.JUDGE_MODEL:
        return named_judge(settings.JUDGE_MODEL, settings.MODEL_DIR, threads=settings.NLI_THREADS)
    return included_judge()


def included_judge() -> Judge | None:
    """Return the judge of NLI_MODEL, or None if that names none or it is not prepared."""
    name = _prepared()
    return _included(name) if name else None


def _included(name: str) -> Judge:
    small = _open(SMALL)
    if name == SMALL:
        return small
    answers = _open(ANSWERS) if _status(ANSWERS).is_ready else None
    return Blend(_open(BASE), small, SMALL_SHARE, answers)


def trial_judge() -> Judge | None:
    """Return the judge of TRIAL_JUDGE, or None if it names none or an included one is missing."""
    name = settings.TRIAL_JUDGE
    if name in JUDGES:
        return _included(name) if all(_status(each).is_ready for each in judges_of(name)) else None
    return named_judge(name, settings.MODEL_DIR, threads=settings.NLI_THREADS) if name else None


def trial_judge_name() -> str:
    """Return the name of the judge of TRIAL_JUDGE, or ""."""
    name: str = settings.TRIAL_JUDGE
    return name_of(name) if name and name not in JUDGES else name


def each_judge() -> list[Judge]:
    """Every judge that takes part in a verdict, alone; a language model as asked for all claims.

    Nothing that a language model has answered before is used again.
    """
    judges: list[Judge] = []
    if settings.JUDGE_MODEL:
        judges += filter(None, [own_judge()])
    elif name := _prepared():
        judges += [_open(each) for each in judges_of(name)]
    if endpoints := _endpoints():
        model = LanguageModel(endpoints, Limits(settings.JUDGE_LLM_SECONDS), DailyTokens())
        judges.append(Cascade(None, model, Ask.ALL))
    return judges


def sample_judge() -> Judge | None:
    """Return the small judge, which compares claims with samples whatever judges the sources.

    A check may need many comparisons, and a language model would charge for each. None if NLI_MODEL
    names no judge or it is not prepared.
    """
    return _open(SMALL) if _prepared() else None


def _open(name: str) -> Judge:
    return get_judge(
        settings.MODEL_DIR,
        name,
        threads=settings.NLI_THREADS,
        evidence_tokens=_EVIDENCE_TOKENS,
        cache_bytes=settings.JUDGE_CACHE_MB * 2**20,
    )


def missing_judge() -> str:
    """Return who judges instead of an unprepared configured judge and why, or ""."""
    name = settings.NLI_MODEL
    if settings.JUDGE_MODEL or name not in JUDGES or _prepared() == name:
        return ""
    instead = _status(SMALL).model_id if _prepared() else grounding.MODEL
    missing = next(each for each in reversed(judges_of(name)) if not _status(each).is_ready)
    return f"{instead}, since the {missing} judge is not prepared: {_status(missing).reason}"


def _prepared() -> str:
    """Return the name of the configured judge, of the small one if that is missing, or ""."""
    if settings.NLI_MODEL not in JUDGES:
        return ""
    names = dict.fromkeys((settings.NLI_MODEL, SMALL))
    ready = (name for name in names if all(_status(each).is_ready for each in judges_of(name)))
    return next(ready, "")


def _status(name: str) -> JudgeStatus:
    return judge_status(settings.MODEL_DIR, name)


def _describe_own() -> str:
    if settings.JUDGE_MODEL:
        return name_of(settings.JUDGE_MODEL)
    if settings.NLI_MODEL not in JUDGES:
        return str(settings.NLI_MODEL)
    names = reversed(judges_of(settings.NLI_MODEL))
    return missing_judge() or ", ".join(_status(name).model_id for name in names)


def _endpoints() -> tuple[Endpoint, ...]:
    first = {
        "url": settings.JUDGE_LLM_URL,
        "model": settings.JUDGE_LLM_MODEL,
        "key": settings.JUDGE_LLM_KEY,
    }
    configured = [each for each in (first, *settings.JUDGE_LLMS) if each["url"]]
    return tuple(
        Endpoint(e["url"], e["model"], e.get("key", ""), _REPLY_TOKENS) for e in configured
    )


@lru_cache(maxsize=8)
def _language_model(endpoints: tuple[Endpoint, ...], seconds: float) -> LanguageModel:
    """Return the language model of a configuration; one instance each, since it caches answers."""
    return LanguageModel(endpoints, Limits(seconds), DailyTokens())


class DailyTokens:
    """Counts the tokens used since midnight UTC in Redis.

    Without Redis the rest is unknown and the limit counts as reached: the embedded judge, which
    costs nothing, then judges the claim.
    """

    def is_spent(self) -> bool:
        """Return whether today's limit is reached; always False without a limit."""
        limit: int = settings.JUDGE_LLM_TOKENS_A_DAY
        if not limit:
            return False
        try:
            return int(redis_client().get(_key()) or 0) >= limit
        except RedisError as error:
            log.warning("judge_budget_unknown", reason=type(error).__name__)
            return True

    def spend(self, tokens: int) -> None:
        if not tokens or not settings.JUDGE_LLM_TOKENS_A_DAY:
            return
        try:
            with redis_client().pipeline(transaction=False) as pipe:
                pipe.incrby(_key(), tokens)
                pipe.expire(_key(), _KEPT_SECONDS)
                pipe.execute()
        except RedisError as error:
            log.warning("judge_budget_not_counted", tokens=tokens, reason=type(error).__name__)


def _key() -> str:
    return f"watchdog:judge:tokens:{datetime.now(UTC):%Y-%m-%d}"
