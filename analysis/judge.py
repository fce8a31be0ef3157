"""Who judges claims, by the settings: the base-size judge or a named one, and a language model."""

from functools import lru_cache

from django.conf import settings

from analysis.judge_budget import DailyTokens
from inference.endpoints import Endpoint
from inference.judge import BASE, Judge, get_judge, judge_status
from inference.judge.language_model import Ask, Cascade, LanguageModel, Limits
from inference.judge.named import name_of, named_judge


def judge() -> Judge | None:
    """The judge of this process; None where the settings name none or none is prepared.

    Its members raise inference.errors.ModelError where it is broken: nothing is prepared here, a
    check must not wait for that.
    """
    embedded, model = own_judge(), language_model()
    return embedded if model is None else Cascade(embedded, model, Ask(settings.JUDGE_LLM_ASK))


def language_model() -> LanguageModel | None:
    """The language model that judges, with those that vote with it; None where none is set."""
    endpoints = _endpoints()
    return _language_model(endpoints, settings.JUDGE_LLM_SECONDS) if endpoints else None


def describe_judge() -> str:
    """Who judges claims, and why where the base judge is missing. Opens no model."""
    embedded, model = _describe_embedded(), language_model()
    if model is None:
        return embedded
    which = "all claims" if settings.JUDGE_LLM_ASK == Ask.ALL else "what it is unsure of"
    return f"{embedded}; {model.model_id} for {which}"


def own_judge() -> Judge | None:
    """The judge that runs in this process; None where none is named or prepared."""
    if settings.JUDGE_MODEL:
        return named_judge(settings.JUDGE_MODEL, settings.MODEL_DIR, threads=settings.NLI_THREADS)
    if settings.NLI_MODEL != BASE or not judge_status(settings.MODEL_DIR).is_ready:
        return None
    return get_judge(
        settings.MODEL_DIR,
        threads=settings.NLI_THREADS,
        evidence_tokens=settings.JUDGE_EVIDENCE_TOKENS,
        cache_bytes=settings.JUDGE_CACHE_MB * 2**20,
    )


def _describe_embedded() -> str:
    if settings.JUDGE_MODEL:
        return name_of(settings.JUDGE_MODEL)
    if settings.NLI_MODEL != BASE:
        return str(settings.NLI_MODEL)
    status = judge_status(settings.MODEL_DIR)
    if status.is_ready:
        return status.model_id
    return f"embedded, since the base judge is not prepared: {status.reason}"


def _endpoints() -> tuple[Endpoint, ...]:
    first = {
        "url": settings.JUDGE_LLM_URL,
        "model": settings.JUDGE_LLM_MODEL,
        "key": settings.JUDGE_LLM_KEY,
    }
    configured = [each for each in (first, *settings.JUDGE_LLMS) if each["url"]]
    most = settings.JUDGE_LLM_MAX_TOKENS
    return tuple(Endpoint(e["url"], e["model"], e.get("key", ""), most) for e in configured)


@lru_cache(maxsize=8)
def _language_model(endpoints: tuple[Endpoint, ...], seconds: float) -> LanguageModel:
    """One for each configuration, since it keeps its answers."""
    return LanguageModel(endpoints, Limits(seconds), DailyTokens())
