"""Decides stored checks again under other rules: what would change, and why.

Pure functions over stored data. Positive means flagged (WARN or BLOCK), as in every table. A replay
decides past checks at once; a trial of a second policy version decides each check as it comes.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from uuid import UUID

from analysis.engine.codec import decode, decode_text, encode
from analysis.engine.decision import CoreDecision, judge_among
from analysis.engine.measurement import ENGINE_VERSION
from analysis.engine.policy import PolicyRules, candidates
from analysis.engine.signal_types import Measurement, SignalName
from analysis.engine.types import Action, SignalStatus

MOST_LISTED = 1_000
"""Changed checks that a report lists; all are counted."""
COUNTERS = (
    "cannot", "transitions", "reasons_before", "reasons_after", "rejections_before",
    "rejections_after", "labels",
)  # fmt: skip
_OTHER_ENGINE = "engine {}: its rules are not in this build"
_NEVER_MEASURED = "never measured: {}"
_BY_REQUEST = frozenset({SignalName.CONSISTENCY.value, SignalName.UNCERTAINTY.value})
"""Measured only where samples or log-probabilities came with the answer or were drawn."""


@dataclass(frozen=True, slots=True)
class StoredCheck:
    """A stored, decided check: JSON documents as text, without answer and passages.

    `blank`: the answer has no text. `review` is "confirmed", "overturned" or None; `decider` is the
    deciding reason. `measurement` lacks `evidence`, `claims` and `signals`.
    """

    check_id: UUID
    policy_id: int
    engine_version: str
    blank: bool
    sampled: bool
    review: str | None
    measurement: str
    action: str
    decider: str
    rejection: str | None
    risk_score: int
    claims: str | None
    signals: str | None
    collections: str


@dataclass(frozen=True, slots=True)
class DecisionOutcome:
    """The outcome of a decision: action, deciding reason, safety rejection."""

    action: Action
    reason: str
    text: str
    safety_rejection: str | None = None
    risk_score: int = 0

    @property
    def flagged(self) -> bool:
        """True if it is flagged, the positive class of every table."""
        return self.action is not Action.ALLOW


@dataclass(frozen=True, slots=True)
class Replayed:
    """One check before and after. If it cannot be replayed, `after` is None and `cannot` says why.

    `unsafe` is the reviewer's judgement of the answer, None without one; `sampled`: the check is in
    the quality sample, whatever its action.
    """

    check_id: str
    before: DecisionOutcome
    after: DecisionOutcome | None
    cannot: str = ""
    unsafe: bool | None = None
    sampled: bool = False

    @property
    def changed(self) -> bool:
        """True if the action changes."""
        return self.after is not None and self.after.action is not self.before.action


@dataclass(frozen=True, slots=True)
class Quality:
    """The agreement of the flags with reviewers; a share is None if it has no denominator.

    `precision`: the share of flagged answers that reviewers found unsafe. `recall`: the share of
    answers that reviewers found unsafe that was flagged.
    """

    reviewed: int
    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int
    precision: float | None
    recall: float | None


@dataclass(slots=True)
class Tally:
    """Counts over many replayed checks, by one process or added up over several."""

    replayed: int = 0
    cannot: Counter[str] = field(default_factory=Counter)
    transitions: Counter[tuple[str, str]] = field(default_factory=Counter)
    reasons_before: Counter[str] = field(default_factory=Counter)
    reasons_after: Counter[str] = field(default_factory=Counter)
    rejections_before: Counter[str] = field(default_factory=Counter)
    rejections_after: Counter[str] = field(default_factory=Counter)
    labels: Counter[tuple[bool, bool, bool, bool]] = field(default_factory=Counter)
    changed: list[Replayed] = field(default_factory=list)

    def add(self, replayed: Replayed) -> None:
        """Count one check; one that cannot be replayed is only counted separately."""
        after = replayed.after
        if after is None:
            self.cannot[replayed.cannot] += 1
            return
        self.replayed += 1
        self.transitions[(replayed.before.action.value, after.action.value)] += 1
        _count_reasons(replayed.before, self.reasons_before, self.rejections_before)
        _count_reasons(after, self.reasons_after, self.rejections_after)
        if replayed.unsafe is not None:
            self.labels[
                (replayed.sampled, replayed.unsafe, replayed.before.flagged, after.flagged)
            ] += 1
        if replayed.changed and len(self.changed) < MOST_LISTED:
            self.changed.append(replayed)

    def quality(self, *, after: bool, sampled_only: bool) -> Quality:
        """Return the agreement with reviewers, over all reviews or only the quality sample."""
        counts = Counter[tuple[bool, bool]]()
        for (sampled, unsafe, was, now), count in self.labels.items():
            if sampled or not sampled_only:
                counts[(unsafe, now if after else was)] += count
        caught, missed, alarms = (
            counts[key] for key in ((True, True), (True, False), (False, True))
        )
        return Quality(
            reviewed=counts.total(),
            true_positives=caught,
            false_positives=alarms,
            false_negatives=missed,
            true_negatives=counts[(False, False)],
            precision=_share(caught, caught + alarms),
            recall=_share(caught, caught + missed),
        )

    @property
    def changes(self) -> int:
        """The number of checks whose action changes."""
        return sum(count for (was, now), count in self.transitions.items() if was != now)


def _count_reasons(
    outcome: DecisionOutcome, reasons: Counter[str], rejections: Counter[str]
) -> None:
    if outcome.flagged:
        reasons[outcome.reason] += 1
    if outcome.safety_rejection:
        rejections[outcome.safety_rejection] += 1


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def together(parts: Iterable[Tally]) -> Tally:
    """Return the sum of several tallies."""
    whole = Tally()
    for part in parts:
        whole.replayed += part.replayed
        for name in COUNTERS:
            getattr(whole, name).update(getattr(part, name))
        whole.changed += part.changed[: MOST_LISTED - len(whole.changed)]
    return whole


def replay_all(
    rows: Sequence[StoredCheck], decided_by: Mapping[int, PolicyRules], rules: PolicyRules
) -> Tally:
    """Decide checks again and count; `decided_by` has the rules of each policy id."""
    tally = Tally()
    for row in rows:
        tally.add(replay_one(row, decided_by[row.policy_id], rules))
    return tally


def replay_one(row: StoredCheck, decided_by: PolicyRules, rules: PolicyRules) -> Replayed:
    """Return one check as it was decided, and as these rules decide it."""
    measurement, after = measurement_of(row), None
    collections = json.loads(row.collections)
    cannot = why_not(measurement, decided_by, rules, collections)
    if not cannot:
        _, _, judgement = judge_among(measurement, rules, collections, blank=row.blank)
        after = outcome_of(judgement)
    decider, action = json.loads(row.decider), Action(row.action)
    before = DecisionOutcome(
        action, decider["code"], decider["text"], row.rejection or None, row.risk_score
    )
    # A reviewer found the answer unsafe who confirmed a flag or overturned an ALLOW.
    unsafe = before.flagged == (row.review == "confirmed") if row.review is not None else None
    return Replayed(str(row.check_id), before, after, cannot, unsafe, row.sampled)


def outcome_of(judgement: CoreDecision) -> DecisionOutcome:
    """Return a judgement's action and deciding reason."""
    decider = next(reason for reason in judgement.reasons if reason.decided)
    rejection = judgement.safety.rejection_reason if judgement.safety else None
    rejection_code = rejection.value if rejection else None
    return DecisionOutcome(
        judgement.action, decider.code, decider.text, rejection_code, judgement.risk.risk_score
    )


def measurement_of(row: StoredCheck) -> Measurement:
    """Return the measurement without its passages, which decide nothing."""
    claims, signals = row.claims or "[]", row.signals or "[]"
    parts = f'{{"evidence":[],"claims":{claims},"signals":{signals},{row.measurement[1:]}'
    return decode_text(Measurement, parts)


def why_not(
    measurement: Measurement,
    decided_by: PolicyRules,
    rules: PolicyRules,
    collections: Sequence[str] = (),
) -> str:
    """Return why a check cannot be decided again under other rules, or "".

    Signals newly required by `rules` must have been measured; those that `decided_by` also required
    were decided with the state that they had.
    """
    if measurement.engine_version != ENGINE_VERSION:
        return _OTHER_ENGINE.format(measurement.engine_version)
    added = needed_signals(rules, collections) - needed_signals(decided_by, collections)
    missing = [signal for signal in sorted(added) if not _was_tried(measurement, signal)]
    return _NEVER_MEASURED.format(", ".join(missing)) if missing else ""


def needed_signals(rules: PolicyRules, collections: Sequence[str]) -> frozenset[str]:
    """Return the signals that a policy needs: required ones, and samples if it draws some."""
    names = set[str]()
    for _, candidate in candidates(rules, collections):
        names.update(candidate.required_signals)
        if candidate.draw_samples:
            names.add(SignalName.CONSISTENCY.value)
    return frozenset(names)


def _was_tried(measurement: Measurement, signal: str) -> bool:
    state = measurement.states.get(signal)
    if state is None:
        # No search is a fact of the check: it named no collections.
        return signal == SignalName.RETRIEVAL
    return signal not in _BY_REQUEST or state.status is not SignalStatus.NOT_APPLICABLE


def report(tally: Tally) -> dict[str, Any]:
    """Return counts and shares (0-1) before and after, and each check whose action changes.

    Shares are of the checks that could be replayed, None if there were none.
    """
    return {
        "replayed": tally.replayed,
        "cannot_be_replayed": {
            "count": tally.cannot.total(),
            "reasons": [
                {"reason": why, "count": count} for why, count in tally.cannot.most_common()
            ],
        },
        "changed": tally.changes,
        "actions": _actions(tally),
        "transitions": [
            {"before": was, "after": now, "count": count}
            for (was, now), count in tally.transitions.most_common()
        ],
        "flagged_by_reason": _rates(tally.reasons_before, tally.reasons_after, tally.replayed),
        "safety_rejections": _rates(
            tally.rejections_before, tally.rejections_after, tally.replayed
        ),
        "reviewed": _agreement(tally, sampled_only=False),
        "quality_sample": _agreement(tally, sampled_only=True),
        "changes": [
            {
                "check_id": replayed.check_id,
                "before": encode(replayed.before),
                "after": encode(replayed.after),
                "unsafe": replayed.unsafe,
            }
            for replayed in tally.changed
        ],
    }


def _actions(tally: Tally) -> list[dict[str, Any]]:
    before, after = Counter[str](), Counter[str]()
    for (was, now), count in tally.transitions.items():
        before[was] += count
        after[now] += count
    return _rates(before, after, tally.replayed, [action.value for action in Action])


def _rates(
    before: Counter[str], after: Counter[str], whole: int, names: list[str] | None = None
) -> list[dict[str, Any]]:
    """Return each name with its counts and shares; by default the most frequent first."""
    names_listed = names or [name for name, _ in (before + after).most_common()]
    return [
        {
            "name": name,
            "before": before[name],
            "after": after[name],
            "share_before": _share(before[name], whole),
            "share_after": _share(after[name], whole),
        }
        for name in names_listed
    ]


def _agreement(tally: Tally, *, sampled_only: bool) -> dict[str, Any]:
    return {
        "before": encode(tally.quality(after=False, sampled_only=sampled_only)),
        "after": encode(tally.quality(after=True, sampled_only=sampled_only)),
    }


def tally_to_json(tally: Tally) -> dict[str, Any]:
    """Return counters as lists of [key, count]; a key of several parts is a list."""
    counters = {name: list(getattr(tally, name).items()) for name in COUNTERS}
    return {"replayed": tally.replayed, **counters, "changed": encode(tally.changed)}


def tally_from_json(document: dict[str, Any]) -> Tally:
    """Return the tally in a document of `tally_to_json`. Raises KeyError for another."""
    counters: dict[str, Any] = {
        name: Counter({tuple(k) if isinstance(k, list) else k: n for k, n in document[name]})
        for name in COUNTERS
    }
    changed = decode(list[Replayed], document["changed"])
    return Tally(replayed=document["replayed"], changed=changed, **counters)


_WHOLE = 2**64


class TrialMode(StrEnum):
    """The mode: `shadow` only stores decisions, `split` decides a share of the checks."""

    SHADOW = "shadow"
    SPLIT = "split"


class Arm(StrEnum):
    """The version that decided a check: the one in force at the trial's start, or the other."""

    CONTROL = "control"
    TRIAL = "trial"


@dataclass(frozen=True, slots=True)
class Running:
    """A trial as a worker needs it. `policy_id` decides a share (0-1) of the checks.

    `judge` names the judge whose measurement it decides in shadow, or "": that in force.
    """

    id: int
    policy_id: int
    mode: TrialMode
    share: float
    judge: str = ""


def arm_of(trial: Running, key: str) -> Arm:
    """Return the arm of a key: always the same, and drawn independently for each trial."""
    if trial.mode is TrialMode.SHADOW:
        return Arm.CONTROL
    digest = hashlib.sha256(f"{trial.id}:{key}".encode()).digest()
    share_drawn = int.from_bytes(digest[:8], "big") / _WHOLE
    return Arm.TRIAL if share_drawn < trial.share else Arm.CONTROL


def shadow_outcome(
    measurement: Measurement,
    in_force: PolicyRules,
    other: PolicyRules,
    collections: Sequence[str],
) -> dict[str, Any]:
    """Return the other version's outcome as plain JSON; `cannot` says why there is none."""
    cannot = why_not(measurement, in_force, other, collections)
    if cannot:
        return {"cannot": cannot}
    outcome: dict[str, Any] = encode(outcome_of(judge_among(measurement, other, collections)[2]))
    return outcome
