"""The base-size judge, where NLI_MODEL is "base" and it is prepared."""

from django.conf import settings

from inference.judge import BASE, Judge, get_judge, judge_status


def judge() -> Judge | None:
    """The judge of this process; None where NLI_MODEL names another model or none is prepared.

    Its members raise inference.errors.ModelError where it is broken: nothing is prepared here, a
    check must not wait for that.
    """
    if settings.NLI_MODEL != BASE or not judge_status(settings.MODEL_DIR).is_ready:
        return None
    return get_judge(
        settings.MODEL_DIR,
        threads=settings.NLI_THREADS,
        evidence_tokens=settings.JUDGE_EVIDENCE_TOKENS,
        cache_bytes=settings.JUDGE_CACHE_MB * 2**20,
    )


def describe_judge() -> str:
    """Who judges claims, and why where the base judge is missing. Opens no model."""
    if settings.NLI_MODEL != BASE:
        return str(settings.NLI_MODEL)
    status = judge_status(settings.MODEL_DIR)
    if status.is_ready:
        return status.model_id
    return f"embedded, since the base judge is not prepared: {status.reason}"
