"""The raw signals of one claim as the rows of a table: value, threshold, how it went, model.

Every signal has its row, whether it ran or not: not checked is not clean. A threshold stands
beside a value where the rules of the verdict hold the one against the other
(docs/verdicts.md).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from analysis.engine.codec import decode
from analysis.engine.policy.rules import PolicyRules
from analysis.engine.types import SignalName, SignalStatus, VerifierSignal
from analysis.engine.verdict.fusion_model import BY_EMBEDDED
from analysis.engine.verdict.probability import unsupported
from confidence import words

NONE = "–"
_RAN = (SignalStatus.OK, SignalStatus.TRUNCATED)
_NO_STATE = {"status": SignalStatus.NOT_APPLICABLE, "reason": "", "model": ""}
_NOT_HERE = "not for this claim"


@dataclass(frozen=True, slots=True)
class Reading:
    """One row. `value` is as measured, `said` in words; `kind` is good, bad or none."""

    name: str
    value: str
    said: str
    kind: str
    threshold: str
    went: str
    model: str

    @property
    def has_model(self) -> bool:
        """Whether anything measured it."""
        return self.model != NONE


@dataclass(frozen=True, slots=True)
class _At:
    """A threshold: from `value` on, the row is of `kind`."""

    words: str = NONE
    value: float | None = None
    kind: str = "none"


@dataclass(frozen=True, slots=True)
class _Of:
    """What the rows of a claim are made from; `by_model`: a model's scores decided.

    `chance` is that of being unsupported, where words and the model that comes along have one.
    """

    answer: str
    signal: Mapping[str, Any]
    states: Mapping[str, Any]
    rules: PolicyRules
    by_model: bool
    chance: float | None

    def row(
        self,
        state: str,
        name: str,
        value: str | None,
        said: str = "",
        kind: str = "none",
        threshold: str = NONE,
    ) -> Reading:
        """A row under the state of its signal; `value` None where nothing was measured."""
        how = self.states.get(state, _NO_STATE)
        went = str(words.STATUSES.get(how["status"], how["status"]))
        if value is None and how["status"] == SignalStatus.OK:
            went = _NOT_HERE
        shown = str(words.NOT_MEASURED) if value is None else value
        return Reading(name, shown, said, kind, threshold, went, how["model"] or NONE)

    def score(self, state: str, name: str, value: float | None, at: _At) -> Reading:
        """A row with a number from 0 (or of nats), and whether it reaches its threshold."""
        reached = value is not None and at.value is not None and value >= at.value
        said, kind = ("threshold reached", at.kind) if reached else ("", "none")
        return self.row(state, name, _number(value), said, kind, at.words)


def readings(
    answer: str, signal: Mapping[str, Any], states: Mapping[str, Any], rules: PolicyRules
) -> list[Reading]:
    """All rows, those that decided first.

    `signal` is a stored VerifierSignal, `states` those of the whole answer.
    """
    ran = states.get(SignalName.NLI, _NO_STATE)["status"] in _RAN
    lexical = signal["lexical"]
    of = _Of(answer, signal, states, rules, ran and lexical != signal["nli"], _chance(signal))
    checked = [*_coverage(of), *_absent(of), *_checks(of), *_wording(of)]
    if of.chance is not None:
        return [*_weighed(of), *_rules(of), *checked, *_steadiness(of)]
    if of.by_model:
        return [*_model(of), *_doubt(of), *_rules(of), *checked, *_steadiness(of)]
    return [*_rules(of), *checked, *_model(of), *_doubt(of), *_steadiness(of)]


def _chance(signal: Mapping[str, Any]) -> float | None:
    if signal["judged_by"] not in BY_EMBEDDED:
        return None
    return unsupported(decode(VerifierSignal, signal))


def notes(states: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Why signals did not run to their end: their names, and how they went with the reason."""
    return [
        (words.signal_name(name), words.status_words(state))
        for name, state in states.items()
        if state.get("reason")
    ]


def _weighed(of: _Of) -> Iterator[Reading]:
    """What words and model together come to, and what the model said; alone it has no threshold."""
    at, low = of.rules.fusion_at, f"Low Confidence from {of.rules.fusion_at:.2f}"
    name = "Chance of being unsupported, words and model together"
    yield of.score(SignalName.NLI, name, of.chance, _At(low, at, "bad"))
    with_chance = of.rules.model.contradict_at
    against = _At(
        f"Contradictory from {with_chance:.2f} if the chance is {at:.2f} or more",
        with_chance,
        "bad",
    )
    yield from _three(of, SignalName.NLI, "Entailment", of.signal["nli"] or {}, _At(), against)
    yield from _doubt(of)


def _model(of: _Of) -> Iterator[Reading]:
    scores = (of.signal["nli"] or {}) if of.by_model else {}
    at = of.rules.model
    against = (
        f"Contradictory from {at.contradict_at:.2f}, or from {at.suspect_at:.2f} with a conflict "
        f"by rules; surely from {of.rules.high_confidence_at:.2f}"
    )
    yield from _three(
        of, SignalName.NLI, "Entailment", scores,
        _At(f"Supported from {at.support_at:.2f}", at.support_at, "good"),
        _At(against, at.contradict_at, "bad"),
    )  # fmt: skip


def _rules(of: _Of) -> Iterator[Reading]:
    """Where a model decided, only a conflict by rules still counts, beside the model's word."""
    at, name = of.rules, "Comparison by rules"
    scores = of.signal["lexical"] or (None if of.by_model else of.signal["nli"]) or {}
    told = f"Contradictory from {at.contradict_at:.2f}, surely from {at.high_confidence_at:.2f}"
    support = _At(f"Supported from {at.support_at:.2f}", at.support_at, "good")
    if of.chance is not None:
        support = _At()
    elif of.by_model:
        support, told = _At(), f"A conflict from {at.contradict_at:.2f}"
    against = _At(told, at.contradict_at, "bad")
    yield from _three(of, SignalName.GROUNDING, name, scores, support, against)


def _three(
    of: _Of, state: SignalName, name: str, scores: Mapping[str, float], support: _At, against: _At
) -> Iterator[Reading]:
    yield of.score(state, f"{name}: for", scores.get("entail"), support)
    yield of.score(state, f"{name}: against", scores.get("contradict"), against)
    yield of.score(state, f"{name}: neither", scores.get("neutral"), _At())


def _doubt(of: _Of) -> Iterator[Reading]:
    shares = [
        f"“{of.answer[start:end]}” {share:.2f}"
        for start, end, share in sorted(of.signal["unsupported"], key=lambda w: -w[2])
    ]
    doubt, at = of.signal["doubt"], of.rules.model.doubt_at
    kind = "bad" if doubt is not None and doubt >= at else "none"
    name = "Doubt about the least supported word"
    threshold = NONE if of.chance is not None else f"Low Confidence from {at:.2f}"
    yield of.row(SignalName.NLI, name, _number(doubt), ", ".join(shares), kind, threshold)


def _coverage(of: _Of) -> Iterator[Reading]:
    coverage = of.signal["coverage"]
    all_found = NONE if of.by_model else "All, to be Supported"
    for member, name, threshold in (
        ("tokens_overlap", "Words of the claim found in the passage",
         f"Nothing found below {of.rules.found_at:.2f}"),
        ("entities", "Names of the claim found", all_found),
        ("numbers", "Figures of the claim found", all_found),
        ("phrases", "Pairs of words of the claim found side by side", NONE),
    ):  # fmt: skip
        share = None if coverage is None else coverage[member]
        if coverage is not None and share is None:
            yield of.row(SignalName.GROUNDING, name, NONE, "the claim has none", "none", threshold)
            continue
        kind = "good" if share == 1 else "none"
        yield of.row(SignalName.GROUNDING, name, _number(share), _share(share), kind, threshold)


def _absent(of: _Of) -> Iterator[Reading]:
    coverage = of.signal["coverage"] or {}
    for member, name in (
        ("absent_figures", "Figures of the claim that stand in no source"),
        ("absent_names", "Names of the claim that stand in no source"),
    ):
        count = coverage.get(member)
        if count is not None:
            yield of.row(SignalName.GROUNDING, name, str(count), "", "bad" if count else "good")


def _checks(of: _Of) -> Iterator[Reading]:
    agree, checked = of.signal["numeric_check"], of.signal["checked"]
    value, said, kind = {
        True: ("true", "they agree", "good"),
        False: ("false", "they differ", "bad"),
    }.get(agree, (NONE, "nothing to compare", "none") if checked else (None, "", "none"))
    yield of.row(SignalName.GROUNDING, "Figures and units compared", value, said, kind)
    conflicts = [f"{c['kind']}: {c['detail']}" for c in of.signal["conflicts"]]
    found, kind = str(len(conflicts)) if checked else None, "bad" if conflicts else "none"
    yield of.row(
        SignalName.GROUNDING, "Conflicts with a passage", found, "; ".join(conflicts), kind
    )
    match = of.signal["citation_span_match"]
    name = "Words of the claim found in the passage it cites"
    yield of.row(SignalName.GROUNDING, name, _number(match), _share(match))


def _wording(of: _Of) -> Iterator[Reading]:
    for state, member, name in (
        (SignalName.OVERCONFIDENCE, "overconfidence", "Overconfident wording"),
        (
            SignalName.INTERNAL_CONTRADICTION,
            "contradictions",
            "Contradicts another part of the answer",
        ),
    ):
        found = [finding["detail"] for finding in of.signal[member]]
        kind = "bad" if found else "none"
        yield of.row(state, name, str(len(found)), "; ".join(found), kind)


def _steadiness(of: _Of) -> Iterator[Reading]:
    """Whether the model that wrote the claim was sure of it; counts where support is weak."""
    below = f"where support is below {of.rules.steady_at:.2f}"
    for state, block, member, name, at in (
        (SignalName.UNCERTAINTY, "uncertainty", "mean_entropy",
         "The answering model’s uncertainty: mean entropy (nats)", of.rules.uncertain_at),
        (SignalName.CONSISTENCY, "consistency", "variance",
         "Disagreement of the samples: variance", of.rules.inconsistent_at),
    ):  # fmt: skip
        value = (of.signal[block] or {}).get(member)
        yield of.score(state, name, value, _At(f"Unsteady from {at:.2f}, {below}", at, "bad"))


def _number(value: float | None) -> str | None:
    return None if value is None else f"{value:.2f}"


def _share(value: float | None) -> str:
    return "" if value is None else words.percent(value)
