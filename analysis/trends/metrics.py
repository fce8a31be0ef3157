"""The registry of metrics: what each means, and what one check adds to it.

A check adds 1 at some positions of a vector; the vectors of many checks add up. The positions
follow from METRICS: if a metric's keys change, `manage.py migrate` has all checks counted again
(`analysis.services.trends`).
"""

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import accumulate
from uuid import UUID

from analysis.engine.policy import ALL_SIGNALS
from analysis.engine.safety.model import RejectionReason
from analysis.engine.signal_types import JudgeUse
from analysis.engine.types import Action
from analysis.trends import histogram

ANY, OTHER, DONE, FAILED = "any", "other", "done", "failed"
NOTHING_FOUND = (str(RejectionReason.INSUFFICIENT_CONTEXT), str(RejectionReason.OFF_TOPIC))
"""The reasons, primary or not, of a rejection because too little or nothing fitting was found."""
RISK_STEP = 5
MAX_VALUE = 200
_DECIDING = (
    "contradicted_claim_high_confidence", "contradicted_claim", "no_claim_supported",
    "low_confidence_claims", "claims_not_confirmed", "no_sources", "risk_score",
    "hallucination_score",
    "conflicting_sources", "injection", "citation_mismatch", "unsupported_language",
    "nothing_verified", "unread_text", "unknown_names", "application_caution", "held",
    *(f"safety_{reason}" for reason in RejectionReason),
    *(f"not_checked_{signal}" for signal in ALL_SIGNALS),
    OTHER,
)  # fmt: skip
_RISKS = tuple(str(low) for low in range(0, 101, RISK_STEP))
_LENGTHS = (0, 100, 200, 400, 800, 1600, 3200, 6400)
_SOURCE_COUNTS = (0, 1, 2, 3, 5, 10, 20)
ENGLISH, NO_SOURCES = "English", "none"
LANGUAGES = (
    ENGLISH, "Arabic", "Chinese", "Czech", "Danish", "Dutch", "Finnish", "French", "German",
    "Greek", "Hindi", "Hungarian", "Italian", "Japanese", "Korean", "Norwegian", "Polish",
    "Portuguese", "Romanian", "Russian", "Spanish", "Swedish", "Turkish", "Ukrainian", OTHER,
)  # fmt: skip
"""As `inference.language` names them; rarer ones are OTHER."""


class Grain(StrEnum):
    """The length of a bucket; buckets begin at whole hours and days in UTC."""

    HOUR = "hour"
    DAY = "day"


class Dimension(StrEnum):
    """A dimension by which checks are counted within an application."""

    ALL = "all"
    COLLECTION = "collection"
    SOURCE_MODEL = "source_model"
    POLICY = "policy"


class MetricKind(StrEnum):
    """The form in which a metric is read."""

    SHARES = "shares"
    DISTRIBUTION = "distribution"
    PERCENTILES = "percentiles"


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of one check that are counted; fixed once the check has ended.

    A failed check has no outcome: everything after `source_model` is empty. `not_checked` are the
    signals that should have finished and did not; times are in milliseconds, `model_ms` is None if
    no model read the answer. `nothing_found`: it was rejected for one of NOTHING_FOUND. `models`:
    signals and the models that produced them. `claims` and `judges` belong to no metric: usage
    counts the former, /metrics the latter. `answer_length` is in characters, None of a result that
    was erased; `source_count` is None without sources; `language` is the first other than English.
    """

    application_id: UUID
    created_at: datetime
    collections: tuple[str, ...]
    source_model: str
    failed: bool = False
    policy: str = ""
    action: str = ""
    risk_score: int = 0
    rejection: str | None = None
    decided_by: str = ""
    not_checked: tuple[str, ...] = ()
    worker_ms: float = 0.0
    total_ms: float = 0.0
    model_ms: float | None = None
    nothing_found: bool = False
    models: tuple[tuple[str, str], ...] = ()
    claims: int = 0
    judges: tuple[JudgeUse, ...] = ()
    answer_length: int | None = None
    source_count: int | None = None
    language: str = ""


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric: `keys_of` returns the keys to which a check adds 1.

    `of_failed`: failed checks are in the denominator too.
    """

    name: str
    kind: MetricKind
    meaning: str
    keys: tuple[str, ...]
    keys_of: Callable[[Facts], Sequence[str]]
    of_failed: bool = False


@dataclass(frozen=True, slots=True)
class VectorSlice:
    """The positions of a metric's counts in the vector: [start, end)."""

    start: int
    end: int


def _actions(facts: Facts) -> Sequence[str]:
    return () if facts.failed else (facts.action,)


def _rejections(facts: Facts) -> Sequence[str]:
    if facts.rejection is None:
        return ()
    return (ANY, facts.rejection if facts.rejection in _KNOWN_REJECTIONS else OTHER)


def _decided_by(facts: Facts) -> Sequence[str]:
    if facts.failed or facts.action == Action.ALLOW:
        return ()
    return (facts.decided_by if facts.decided_by in _KNOWN_CODES else OTHER,)


def _not_checked(facts: Facts) -> Sequence[str]:
    if facts.failed:
        return (ANY, FAILED)
    if not facts.not_checked:
        return ()
    names = (name if name in ALL_SIGNALS else OTHER for name in facts.not_checked)
    return (ANY, *dict.fromkeys(names))


def _risk(facts: Facts) -> Sequence[str]:
    return () if facts.failed else (_RISKS[facts.risk_score // RISK_STEP],)


def _lengths(facts: Facts) -> Sequence[str]:
    return () if facts.answer_length is None else (_step(_LENGTHS, facts.answer_length),)


def _languages(facts: Facts) -> Sequence[str]:
    if facts.answer_length is None:
        return ()
    language = facts.language or ENGLISH
    return (language if language in LANGUAGES else OTHER,)


def _sources(facts: Facts) -> Sequence[str]:
    if facts.answer_length is None:
        return ()
    count = facts.source_count
    return (NO_SOURCES if count is None else _step(_SOURCE_COUNTS, count),)


def _step(lows: Sequence[int], number: int) -> str:
    return str(lows[bisect_right(lows, number) - 1])


TIMES: Mapping[str, Callable[[Facts], float | None]] = {
    "worker_time": lambda facts: facts.worker_ms,
    "total_time": lambda facts: facts.total_ms,
    "waiting_time": lambda facts: facts.total_ms - facts.worker_ms,
    "model_time": lambda facts: facts.model_ms,
}
"""The milliseconds of a check with a verdict, by metric; None: no model read it."""


def _bucketed(name: str) -> Callable[[Facts], Sequence[str]]:
    """Return a function from facts to the time's bucket; none for a failed check or no time."""

    def keys(facts: Facts) -> Sequence[str]:
        time = None if facts.failed else TIMES[name](facts)
        return () if time is None else (histogram.KEYS[histogram.bucket(time)],)

    return keys


# A name from a later engine is counted as OTHER until the registry has it.
_KNOWN_CODES = frozenset(_DECIDING)
_KNOWN_REJECTIONS = frozenset(str(reason) for reason in RejectionReason)
METRICS = (
    Metric(
        "checks", MetricKind.SHARES,
        "Checks that have ended: with a verdict (done), or without one after the last attempt "
        "(failed). A failed check that is retried no longer counts as failed.",
        (DONE, FAILED), lambda facts: (FAILED if facts.failed else DONE,), of_failed=True,
    ),
    Metric(
        "actions", MetricKind.SHARES,
        "The action returned to the application, of all checks with a verdict.",
        tuple(str(action) for action in Action), _actions,
    ),
    Metric(
        "rejections", MetricKind.SHARES,
        "Checks that failed a safety check, by the primary reason, of all checks with a verdict; "
        "`actions` and `decided_by` show whether the policy then blocked them.",
        (ANY, *(str(reason) for reason in RejectionReason), OTHER), _rejections,
    ),
    Metric(
        "decided_by", MetricKind.SHARES,
        "Checks with WARN or BLOCK by the reason that decided, of all checks with a verdict.",
        _DECIDING, _decided_by,
    ),
    Metric(
        "not_checked", MetricKind.SHARES,
        "Checks in which an applicable signal did not finish (unavailable, truncated or error), by "
        "signal, and failed checks; of all that have ended.",
        (ANY, FAILED, *ALL_SIGNALS, OTHER), _not_checked, of_failed=True,
    ),
    Metric(
        "risk", MetricKind.DISTRIBUTION,
        "Checks by risk score (0-100) in steps of 5; a key is the lowest score of its step.",
        _RISKS, _risk,
    ),
    Metric(
        "answer_length", MetricKind.DISTRIBUTION,
        "Checks by length of the answer in characters; a key is the lowest length of its step.",
        tuple(map(str, _LENGTHS)), _lengths,
    ),
    Metric(
        "language", MetricKind.SHARES,
        "Checks by the first language other than English that answer or sources are surely in.",
        LANGUAGES, _languages,
    ),
    Metric(
        "sources", MetricKind.DISTRIBUTION,
        "Checks by number of sources; a key is the lowest number of its step, `none`: neither sent "
        "nor searched for.",
        (NO_SOURCES, *map(str, _SOURCE_COUNTS)), _sources,
    ),
    Metric(
        "worker_time", MetricKind.PERCENTILES,
        "Milliseconds that the worker spent on a check with a verdict.",
        histogram.KEYS, _bucketed("worker_time"),
    ),
    Metric(
        "total_time", MetricKind.PERCENTILES,
        "Milliseconds from submission to verdict, including waiting.",
        histogram.KEYS, _bucketed("total_time"),
    ),
    Metric(
        "waiting_time", MetricKind.PERCENTILES,
        "Milliseconds of a check with a verdict outside of the worker: mostly in the queue.",
        histogram.KEYS, _bucketed("waiting_time"),
    ),
    Metric(
        "model_time", MetricKind.PERCENTILES,
        "Milliseconds of the worker's time that models took, for checks that a model read.",
        histogram.KEYS, _bucketed("model_time"),
    ),
)  # fmt: skip
BY_NAME = {metric.name: metric for metric in METRICS}
_ENDS = tuple(accumulate(len(metric.keys) for metric in METRICS))
PLACES = {
    metric.name: VectorSlice(end - len(metric.keys), end)
    for metric, end in zip(METRICS, _ENDS, strict=True)
}
LENGTH = _ENDS[-1]
LAYOUT = hashlib.sha256(
    "\n".join(f"{metric.name}.{key}" for metric in METRICS for key in metric.keys).encode()
).hexdigest()
"""Changes whenever a position in the vectors means something else."""
_POSITIONS = {
    metric.name: {key: PLACES[metric.name].start + at for at, key in enumerate(metric.keys)}
    for metric in METRICS
}


def positions(facts: Facts) -> list[int]:
    """Return the positions where a check adds 1, each once."""
    return [_POSITIONS[metric.name][key] for metric in METRICS for key in metric.keys_of(facts)]


def series_of(facts: Facts) -> list[tuple[Dimension, str]]:
    """Return the series of a check: one in each dimension, but one for each collection.

    "" where it names no model, no collection, or has no policy version (failed).
    """
    collections = dict.fromkeys(name[:MAX_VALUE] for name in facts.collections) or {"": None}
    return [
        (Dimension.ALL, ""),
        (Dimension.SOURCE_MODEL, facts.source_model[:MAX_VALUE]),
        (Dimension.POLICY, facts.policy),
        *((Dimension.COLLECTION, name) for name in collections),
    ]


def bucket_of(moment: datetime, grain: Grain) -> datetime:
    """Return the beginning of the hour or day in UTC."""
    whole = moment.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    return whole if grain is Grain.HOUR else whole.replace(hour=0)


def length_of(grain: Grain) -> timedelta:
    return timedelta(hours=1) if grain is Grain.HOUR else timedelta(days=1)
