"""The trends counted directly from the checks, and as they are stored."""

from collections import Counter
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from analysis.models import AnnotatedAnswer, Check, Claim, CountedCheck, TrendCell
from analysis.selectors.usage import usage_of
from analysis.trends import histogram
from analysis.trends.metrics import METRICS, PLACES

Key = tuple[UUID, str, str, datetime, str]
Counts = dict[Key, dict[tuple[str, str], int]]


def stored() -> Counts:
    """Return every cell with its counts above zero; cells in which nothing is left are no cells."""
    cells: Counts = {}
    for cell in TrendCell.objects.all():
        counts = {
            (metric.name, key): cell.counts[PLACES[metric.name].start + at]
            for metric in METRICS
            for at, key in enumerate(metric.keys)
            if cell.counts[PLACES[metric.name].start + at]
        }
        if counts:
            key = (cell.application_id, cell.dimension, cell.grain, cell.bucket, cell.value)
            cells[key] = counts
    return cells


def listed() -> Counts:
    """Return the same from the rows behind the figures: one for each check."""
    cells: dict[Key, Counter[tuple[str, str]]] = {}
    names = {
        PLACES[metric.name].start + at: (metric.name, key)
        for metric in METRICS
        for at, key in enumerate(metric.keys)
    }
    for row in CountedCheck.objects.all():
        moment = row.created_at.astimezone(UTC)
        hour = datetime(moment.year, moment.month, moment.day, moment.hour, tzinfo=UTC)
        series = [("all", ""), ("source_model", row.source_model), ("policy", row.policy)]
        series += [("collection", name) for name in row.collections]
        for grain, bucket in (("hour", hour), ("day", hour.replace(hour=0))):
            for dimension, value in series:
                cell = (row.application_id, dimension, grain, bucket, value)
                cells.setdefault(cell, Counter()).update(names[place] for place in row.places)
    return {key: dict(counts) for key, counts in cells.items()}


def direct() -> Counts:
    """Count in one loop over all checks that have ended, without the product's own counting."""
    cells: dict[Key, Counter[tuple[str, str]]] = {}
    for check in Check.objects.filter(state__in=("done", "failed")):
        answer = AnnotatedAnswer.objects.select_related("policy").filter(pk=check.pk).first()
        keys = _keys(check, answer)
        moment = check.created_at.astimezone(UTC)
        hour = datetime(moment.year, moment.month, moment.day, moment.hour, tzinfo=UTC)
        for grain, bucket in (("hour", hour), ("day", hour.replace(hour=0))):
            for dimension, value in _series(check, answer):
                cell = (check.application_id, dimension, grain, bucket, value)
                cells.setdefault(cell, Counter()).update(keys)
    return {key: dict(counts) for key, counts in cells.items()}


def used(application: UUID) -> dict[date, tuple[int, int, int, int]]:
    """Return checks, done, failed and claims by day, as the product reports them."""
    days = usage_of(application, date(2020, 1, 1), date(2100, 1, 1))
    return {item.day: (item.checks, item.done, item.failed, item.claims) for item in days}


def used_directly(application: UUID) -> dict[date, tuple[int, int, int, int]]:
    """Return the same from checks and claims themselves."""
    days: dict[date, tuple[int, int, int, int]] = {}
    for check in Check.objects.filter(application=application):
        day = check.created_at.astimezone(UTC).date()
        claims = Claim.objects.filter(annotated_answer=check.pk).count()
        more = (1, check.state == "done", check.state == "failed", claims)
        before = days.get(day, (0, 0, 0, 0))
        days[day] = tuple(a + b for a, b in zip(before, more, strict=True))
    return days


def _series(check: Check, answer: AnnotatedAnswer | None) -> list[tuple[str, str]]:
    version = "" if answer is None else str(answer.policy.version)
    collections = sorted(set(check.collections)) or [""]
    return [
        ("all", ""),
        ("source_model", check.source_model),
        ("policy", version),
        *(("collection", name) for name in collections),
    ]


def _keys(check: Check, answer: AnnotatedAnswer | None) -> list[tuple[str, str]]:
    if answer is None:
        return [("checks", "failed"), ("not_checked", "any"), ("not_checked", "failed")]
    decision: dict[str, Any] = answer.decision
    assert check.risk_score is not None
    total = (check.finished_at - check.created_at).total_seconds() * 1000
    keys = [
        ("checks", "done"),
        ("actions", str(check.action)),
        ("risk", str(check.risk_score - check.risk_score % 5)),
        ("worker_time", _time(answer.milliseconds)),
        ("total_time", _time(total)),
        ("waiting_time", _time(total - answer.milliseconds)),
    ]
    lengths, numbers = (0, 100, 200, 400, 800, 1600, 3200, 6400), (0, 1, 2, 3, 5, 10, 20)
    keys.append(("answer_length", str(max(low for low in lengths if low <= len(check.answer)))))
    count = answer.measurement["source_count"]
    step = "none" if count is None else str(max(low for low in numbers if low <= count))
    keys.append(("sources", step))
    keys.append(("language", [*answer.measurement["other_languages"], "English"][0]))
    states = answer.measurement["states"]
    of_models = [
        states[name]["ms"]
        for name in ("judge", "consistency")
        if name in states and states[name]["status"] in ("ok", "truncated")
    ]
    if of_models:
        keys.append(("model_time", _time(sum(of_models))))
    if check.action != "ALLOW":
        keys += [("decided_by", r["code"]) for r in decision["reasons"] if r["decided"]]
    safety = decision["safety"]
    if safety and safety["should_reject"]:
        keys += [("rejections", "any"), ("rejections", safety["rejection_reason"])]
    failed = [
        state["signal"]
        for state in decision["not_checked"]
        if state["status"] in ("unavailable", "truncated", "error")
    ]
    if failed:
        keys += [("not_checked", "any"), *(("not_checked", name) for name in failed)]
    return keys


def _time(milliseconds: float) -> str:
    """Return the last lower bound that is not above the time."""
    return [
        key
        for key, low in zip(histogram.KEYS, (0.0, *histogram.BOUNDS), strict=True)
        if low <= max(milliseconds, 0)
    ][-1]
