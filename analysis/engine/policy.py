"""The policy: every threshold, weight and action that `decide` uses, typed and validated.

The presets are policies to begin with: conservative (the safety API's), balanced (the default),
exploratory, and observe, which decides as balanced and leaves every answer as it stands.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from functools import reduce
from operator import getitem
from typing import Annotated, Any, get_type_hints

import msgspec
from msgspec import Meta

from analysis.engine.codec import encode
from analysis.engine.ranges import (
    Hours,
    Points,
    PositiveNumber,
    PositivePoints,
    PositiveShare,
    Share,
    Text,
)
from analysis.engine.safety.model import MOST_SCOPE_CHARACTERS, REFUSAL, SafetyThresholds, fault_in
from analysis.engine.signal_types import OPTIONAL_SIGNALS, SignalName
from analysis.engine.types import Action, AnswerKind, Expiry, SignalStatus, Treatment
from lib.text.tokens import plain_words

MOST_OVERRIDES, MOST_NAME = 50, 80
MOST_HELD_WORDS = 200
MAX_DRAWN = 10
"""Samples that are drawn at most: each costs a call of the generator."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The risk API's RISK_WEIGHTS: what each signal adds to the risk score, 0-100."""

    internal_contradiction: Points = 40
    rag_contradiction: Points = 35
    rag_unverified: Points = 15
    overconfidence: Points = 20

    def by_signal(self) -> dict[str, int]:
        """Return the weights by the names of the risk API's signals."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class VerdictActions:
    """The least severe action for each verdict."""

    contradictory: Action = Action.WARN
    contradictory_high_confidence: Action = Action.BLOCK
    low_confidence: Action = Action.WARN
    not_confirmed: Action = Action.ALLOW
    no_claim_supported: Action = Action.BLOCK
    no_sources: Action = Action.WARN
    conflicting_sources: Action = Action.WARN
    flagged_passages: Action = Action.WARN
    citation_mismatch: Action = Action.WARN
    unsupported_language: Action = Action.WARN
    unknown_names: Action = Action.WARN


@dataclass(frozen=True, slots=True)
class ReviewRules:
    """True if people review blocked answers, and warned ones.

    They always review what was not fully checked and what was drawn at random. With
    `opinion_first` the review screen shows the verdict only after a first opinion.
    """

    blocked: bool = True
    warned: bool = True
    opinion_first: bool = False


@dataclass(frozen=True, slots=True)
class HoldRules:
    """The answers that are shown only once a person has approved them.

    Held are those with a risk score of `risk_at` on (0: all, 101: none), and those with a claim
    that has one of `words`. They are due after so many business `hours`. What nobody has approved
    by then is refused, or with `on_expiry` "release" shown as the policy shows it without a hold.
    With `four_eyes` a second person approves as well.
    """

    risk_at: Annotated[int, Meta(ge=0, le=101)] = 101
    words: Annotated[tuple[str, ...], Meta(max_length=MOST_HELD_WORDS)] = ()
    hours: Hours = 4
    on_expiry: Expiry = Expiry.REFUSE
    four_eyes: bool = False


@dataclass(frozen=True, slots=True)
class NotCheckedActions:
    """The least severe action if a required signal did not finish."""

    unavailable: Action = Action.WARN
    truncated: Action = Action.WARN
    error: Action = Action.WARN

    def of(self, status: SignalStatus) -> Action:
        """Return the action for that status; ALLOW for one that needs none."""
        action: Action = getattr(self, status, Action.ALLOW)
        return action


@dataclass(frozen=True, slots=True)
class MitigationRules:
    """The final response's treatment of claims by verdict (verifier API, module 3)."""

    contradictory: Treatment = Treatment.REPLACE
    low_confidence: Treatment = Treatment.FLAG
    cite_supported: bool = True


@dataclass(frozen=True, slots=True)
class SafetyRules:
    """The actions for failed safety checks (safety API), by kind of failure.

    `retrieval` from the collections; `sources`: the relevance of the client's own; `citations`;
    `grounding`, in addition to the verdicts' own actions.
    """

    retrieval: Action = Action.BLOCK
    sources: Action = Action.ALLOW
    citations: Action = Action.WARN
    grounding: Action = Action.WARN
    thresholds: SafetyThresholds = field(
        default_factory=lambda: SafetyThresholds(require_citations=False)
    )


@dataclass(frozen=True, slots=True)
class ScoreLimits:
    """The response score (0-1) above which an answer is at least warned about or blocked; 1: never.

    A policy without them decides by its other rules alone, as all did before they existed.
    """

    warn_above: PositiveShare = 1.0
    block_above: PositiveShare = 1.0


@dataclass(frozen=True, slots=True)
class KindLimits:
    """`unsupported_at` of each kind of answer (`AnswerKind`); 0: that of all kinds."""

    bare: Share = 0.0
    placed: Share = 0.0
    short: Share = 0.0
    long: Share = 0.0
    record: Share = 0.0
    long_record: Share = 0.0


class Language(StrEnum):
    """The language of the product's own texts for end users."""

    ENGLISH = "en"
    GERMAN = "de"


class PolicyError(ValueError):
    """Raised for an unusable policy; `field` names the faulty setting."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


ALL_SIGNALS = tuple(signal.value for signal in SignalName)
REQUIRED_SIGNALS = tuple(signal for signal in ALL_SIGNALS if signal not in OPTIONAL_SIGNALS)
_RETIRED = ("aggregator", "fusion_at", "model")
_RETIRED_SIGNAL = "nli"


@dataclass(frozen=True, slots=True)
class Override:
    """Other rules for checks of some collections: `changes` (JSON) on top of the policy's own.

    `rules` are the merged ones. `candidates` says which decide.
    """

    name: str
    collections: tuple[str, ...]
    changes: str
    rules: "PolicyRules"

    def to_json(self) -> dict[str, Any]:
        """Return the override as it was given."""
        changes = json.loads(self.changes)
        return {"name": self.name, "collections": list(self.collections), "rules": changes}


@dataclass(frozen=True, slots=True)
class PolicyRules:
    """One policy version. Scores and thresholds: risk 0-100, probabilities 0-1, entropy in nats.

    Support below `steady_at` does not hold where the samples disagree by `inconsistent_at` or the
    claim's tokens have an entropy of `uncertain_at`. Where the judge read a claim, it is not
    supported from a probability of `unsupported_at` on, or where `by_kind` has another limit for
    the answer's kind from that on, and surely not from `unsupported_sure_at` on: an answer without
    a supported claim is blocked only where that is sure. Words are marked that the judge doubts by
    `doubt_at`. `draw_samples` further answers are asked of the configured generator for each check
    that comes without samples.

    `language` is that of the texts below, as long as they are the shipped ones.
    `refusal_text` stands in place of a blocked answer; its {scope} is `refusal_scope`, or where
    that is empty the class and subject of the collections that were searched. With
    `partial_answers` the supported sentences of a blocked answer stand there instead, where it
    was not refused for what was found or could not be checked. `waiting_text` stands in place of a
    held answer. With `observe` none of it happens, and nothing is held: the verdict is the same,
    and the answer is shown as it stands.
    """

    weights: Weights = field(default_factory=Weights)
    warn_at: PositivePoints = 35
    block_at: PositivePoints = 70
    support_at: PositiveShare = 0.5
    contradict_at: PositiveShare = 0.6
    high_confidence_at: PositiveShare = 0.85
    found_at: PositiveShare = 0.25
    steady_at: Share = 0.75
    inconsistent_at: PositiveShare = 0.5
    uncertain_at: PositiveNumber = 2.0
    unsupported_at: PositiveShare = 0.76
    by_kind: KindLimits = field(default_factory=KindLimits)
    unsupported_sure_at: PositiveShare = 0.95
    doubt_at: PositiveShare = 0.5
    band_high: Share = 0.7
    band_medium: Share = 0.5
    score: ScoreLimits = field(default_factory=ScoreLimits)
    verdicts: VerdictActions = field(default_factory=VerdictActions)
    safety: SafetyRules = field(default_factory=SafetyRules)
    not_checked: NotCheckedActions = field(default_factory=NotCheckedActions)
    mitigation: MitigationRules = field(default_factory=MitigationRules)
    review: ReviewRules = field(default_factory=ReviewRules)
    hold: HoldRules = field(default_factory=HoldRules)
    required_signals: tuple[str, ...] = REQUIRED_SIGNALS
    draw_samples: Annotated[int, Meta(ge=0, le=MAX_DRAWN)] = 0
    trust_flagged: bool = False
    language: Language = Language.ENGLISH
    refusal_text: str = REFUSAL
    refusal_scope: Annotated[str, Meta(max_length=MOST_SCOPE_CHARACTERS)] = ""
    waiting_text: Text = "A person is reviewing this answer. It will follow."
    partial_answers: bool = False
    observe: bool = False
    contradiction_warning: Text = "[Warning: The following claim contradicts the source]"
    low_confidence_flag: str = "[Not confirmed]"
    withheld_text: str = "(claim withheld)"
    overrides: tuple[Override, ...] = ()

    def __post_init__(self) -> None:
        _check_order(self)
        fault = fault_in(self.refusal_text)
        _require(not fault, "refusal_text", fault)
        _require(all(map(plain_words, self.hold.words)), "hold.words", "must not be empty")
        unknown = ", ".join(sorted(set(self.required_signals) - set(ALL_SIGNALS)))
        _require(not unknown, "required_signals", f"unknown signal {unknown}")
        is_told = self.not_checked.error is not Action.ALLOW
        _require(is_told, "not_checked.error", "an error can never be ALLOW")
        is_kept = self.mitigation.contradictory is Treatment.KEEP
        _require(not is_kept, "mitigation.contradictory", "a contradicted claim cannot be kept")

    @classmethod
    def from_json(cls, data: Any) -> "PolicyRules":
        """Return the rules in a JSON object; omitted ones have their defaults. Raises PolicyError.

        Settings of earlier versions are ignored: stored policies still name them.
        """
        if isinstance(data, dict) and "overrides" in data:
            base = cls.from_json({key: value for key, value in data.items() if key != "overrides"})
            return replace(base, overrides=_overrides(base, data["overrides"]))
        data = _without_retired(data)
        _check_keys(DEFAULT_RULES.to_json(), data)
        try:
            return msgspec.convert(data, cls)
        except msgspec.ValidationError as error:
            raise _error_of(error, data) from None

    def limit_of(self, kind: AnswerKind | None) -> float:
        """Return the probability from which a claim is not supported; None: no judge read it."""
        own: float = getattr(self.by_kind, kind) if kind else 0.0
        return own or self.unsupported_at

    def without_hold(self) -> "PolicyRules":
        """Return these rules and their overrides, holding nothing."""
        overrides = tuple(replace(o, rules=o.rules.without_hold()) for o in self.overrides)
        return replace(self, hold=HoldRules(), overrides=overrides)

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON that `from_json` reads back."""
        data: dict[str, Any] = encode(replace(self, overrides=()))
        data["required_signals"] = list(data["required_signals"])
        data["hold"]["words"] = list(data["hold"]["words"])
        data["overrides"] = [override.to_json() for override in self.overrides]
        return data


def _without_retired(data: Any) -> Any:
    """Return the document without settings and signals that only earlier versions had."""
    if not isinstance(data, dict):
        return data
    rest = {key: value for key, value in data.items() if key not in _RETIRED}
    if isinstance(required := rest.get("required_signals"), list):
        rest["required_signals"] = [name for name in required if name != _RETIRED_SIGNAL]
    return rest


def _overrides(base: PolicyRules, data: Any) -> tuple[Override, ...]:
    if not isinstance(data, list) or len(data) > MOST_OVERRIDES:
        raise PolicyError("overrides", f"must be a list of at most {MOST_OVERRIDES}")
    overrides = [_override(base, item, f"overrides[{at}]") for at, item in enumerate(data)]
    for at, override in enumerate(overrides):
        for before in overrides[:at]:
            if override.name == before.name:
                raise PolicyError(f"overrides[{at}].name", f"{override.name} is used twice")
            if set(override.collections) == set(before.collections):
                message = f"{before.name} is for the same collections"
                raise PolicyError(f"overrides[{at}].collections", message)
    return tuple(overrides)


def _override(base: PolicyRules, data: Any, path: str) -> Override:
    """Return one override; an error in the merged rules is one of the override."""
    if not isinstance(data, dict) or data.keys() != {"name", "collections", "rules"}:
        raise PolicyError(path, "must be an object of name, collections and rules")
    name, collections, changes = data["name"], data["collections"], data["rules"]
    is_name = isinstance(name, str) and 0 < len(name.strip()) <= MOST_NAME
    _require(is_name, f"{path}.name", f"must be a name of at most {MOST_NAME} characters")
    are_names = isinstance(collections, list) and all(isinstance(c, str) and c for c in collections)
    are_some = are_names and bool(collections)
    _require(are_some, f"{path}.collections", "must be a list of collection names")
    differ = isinstance(changes, dict) and bool(changes)
    _require(differ, f"{path}.rules", "must be an object of the settings that differ")
    nested = "overrides" in changes
    _require(not nested, f"{path}.rules.overrides", "an override cannot have overrides")
    try:
        rules = PolicyRules.from_json(overlaid(base.to_json(), changes))
    except PolicyError as error:
        raise PolicyError(f"{path}.rules.{error.field}", error.reason) from None
    return Override(name, tuple(dict.fromkeys(collections)), json.dumps(changes), rules)


def overlaid(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a rules document with the changes applied: objects member by member, others whole."""
    merged = dict(base)
    for key, value in changes.items():
        below = base.get(key)
        if isinstance(below, Mapping) and isinstance(value, Mapping):
            value = overlaid(below, value)
        merged[key] = value
    return merged


def _require(holds: bool, name: str, reason: str) -> None:
    if not holds:
        raise PolicyError(name, reason)


def _check_order(rules: PolicyRules) -> None:
    score, most = rules.score, rules.block_at
    _require(rules.warn_at <= most, "warn_at", f"{rules.warn_at} is above block_at {most}")
    _require(
        score.warn_above <= score.block_above, "score.warn_above", "is above score.block_above"
    )
    surest = rules.high_confidence_at
    _require(rules.contradict_at <= surest, "contradict_at", "is above high_confidence_at")
    _require(rules.band_medium <= rules.band_high, "band_medium", "is above band_high")


_WANTED = {
    "int": "a whole number",
    "float": "a number",
    "str": "a string",
    "bool": "true or false",
    "object": "an object",
    "array": "a list",
}
_WRONG_TYPE = re.compile(r"Expected `(\w+)`, got `(\w+)`")
_OUT_OF_RANGE = re.compile(r"Expected `(\w+)`(?: of length)? ([<>]=?) ([\w.]+)")


def _check_keys(defaults: Mapping[str, Any], data: Any, path: str = "") -> None:
    """Raise PolicyError for unknown keys, which msgspec would ignore."""
    for key, value in data.items() if isinstance(data, dict) else ():
        if key not in defaults:
            raise PolicyError(f"{path}{key}" or "policy", f"unknown key “{key}”")
        if isinstance(defaults[key], Mapping):
            _check_keys(defaults[key], value, f"{path}{key}.")


def _error_of(error: msgspec.ValidationError, data: Any) -> PolicyError:
    """Return msgspec's error as the faulty setting and a reason that pages can translate."""
    if isinstance(error.__cause__, PolicyError):
        return error.__cause__
    message, _, at = str(error).partition(" - at `$.")
    path = at.rstrip("`")
    if path.startswith("required_signals"):
        return PolicyError("required_signals", "must be a list of signal names")
    if message.startswith("Invalid enum value"):
        return PolicyError(path, f"must be one of {', '.join(_choices(path))}")
    if wrong := _WRONG_TYPE.match(message):
        return PolicyError(path or "policy", f"must be {_WANTED[wrong[1]]}, not {wrong[2]}")
    if wrong := _OUT_OF_RANGE.match(message):
        value = reduce(getitem, path.split("."), data)
        return PolicyError(path, _out_of_range(wrong[1], wrong[2], wrong[3], value))
    return PolicyError(path, "must not be empty" if "regex" in message else "is too large")


def _out_of_range(kind: str, relation: str, limit: str, value: Any) -> str:
    limit = limit.removesuffix(".0")
    match kind, relation:
        case "array", _:
            return f"must be a list of at most {limit}"
        case "str", _:
            return f"must not be longer than {limit} characters"
        case _, ">=":
            return f"must be at least {limit}, not {value}"
        case _, ">":
            return f"must be above {limit}, not {value}"
        case _:
            return f"must be at most {limit}, not {value}"


def _choices(path: str) -> tuple[str, ...]:
    kind: Any = PolicyRules
    for name in path.split("."):
        kind = get_type_hints(kind)[name]
    return tuple(kind)


DEFAULT_RULES = PolicyRules(safety=SafetyRules(grounding=Action.ALLOW), partial_answers=True)
"""The rules of a new application. An unsupported claim warns by itself; the share of grounded
sentences is measured and reported, but decides nothing."""


CONSERVATIVE = PolicyRules(
    unsupported_at=0.6,
    verdicts=VerdictActions(contradictory=Action.BLOCK, not_confirmed=Action.WARN),
    safety=SafetyRules(sources=Action.BLOCK, citations=Action.BLOCK, grounding=Action.BLOCK),
)
"""Safety API: any failed check rejects. Citations are required only of an
answer that has some; `require_citations` requires them of every answer."""
EXPLORATORY = PolicyRules(
    unsupported_at=0.9,
    verdicts=VerdictActions(
        low_confidence=Action.ALLOW,
        contradictory_high_confidence=Action.WARN,
        no_claim_supported=Action.WARN,
        no_sources=Action.ALLOW,
    ),
    safety=SafetyRules(
        retrieval=Action.WARN,
        sources=Action.ALLOW,
        citations=Action.ALLOW,
        grounding=Action.ALLOW,
        thresholds=SafetyThresholds(
            min_retrieval_confidence=0.5,
            max_topic_mismatch_score=0.2,
            require_citations=False,
        ),
    ),
)
"""Only the risk score blocks; thresholds as the safety API's "High Rejection Rate" has them."""
PRESETS: Mapping[str, PolicyRules] = {
    "conservative": CONSERVATIVE,
    "balanced": DEFAULT_RULES,
    "exploratory": EXPLORATORY,
    "observe": replace(DEFAULT_RULES, observe=True),
}


def candidates(rules: PolicyRules, collections: Sequence[str]) -> list[tuple[str, PolicyRules]]:
    """Return the rules that may decide a check of these collections, at least one.

    Each with the name of its override, "" for the policy's own.
    """
    names = set(collections)
    exact = [override for override in rules.overrides if set(override.collections) == names]
    if exact:
        return [(exact[0].name, exact[0].rules)]
    touching = [override for override in rules.overrides if names & set(override.collections)]
    return [("", rules), *((override.name, override.rules) for override in touching)]


def to_measure(rules: PolicyRules, collections: Sequence[str]) -> PolicyRules:
    """Return the rules for measuring: the most samples that any deciding rules ask for.

    Flagged passages are trusted only if all rules do.
    """
    deciding = [each for _, each in candidates(rules, collections)]
    return replace(
        rules,
        draw_samples=max(each.draw_samples for each in deciding),
        trust_flagged=all(each.trust_flagged for each in deciding),
    )
