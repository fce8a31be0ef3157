"""The raw signals of one claim as the rows of a table: value, threshold, how it went, model.

Every signal of seed 4 has its row, whether it ran or not: not checked is not clean.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from analysis.confidence import words
from analysis.engine.policy import PolicyRules
from analysis.engine.types import Signal, SignalStatus
from analysis.selectors.marking import DOUBTED_AT

NONE = "–"
_RAN = (SignalStatus.OK, SignalStatus.TRUNCATED)
_NO_STATE = {"status": SignalStatus.NOT_APPLICABLE, "reason": "", "model": ""}


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


@dataclass(frozen=True, slots=True)
class _Of:
    """What the rows of a claim are made from."""

    answer: str
    signal: Mapping[str, Any]
    states: Mapping[str, Any]
    rules: PolicyRules

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
        went = words.STATUSES.get(how["status"], how["status"])
        if value is None and how["status"] == SignalStatus.OK:
            went = "not for this claim"
        value = words.NOT_MEASURED if value is None else value
        return Reading(name, value, said, kind, threshold, went, how["model"] or NONE)


def readings(
    answer: str, signal: Mapping[str, Any], states: Mapping[str, Any], rules: PolicyRules
) -> list[Reading]:
    """All rows, those that decided first.

    `signal` is a stored VerifierSignal, `states` those of the whole answer.
    """
    of = _Of(answer, signal, states, rules)
    by_model = states.get(Signal.NLI, _NO_STATE)["status"] in _RAN
    model, by_rules = _model(of, by_model), _rules(of, not by_model)
    checked = [*_coverage(of), *_checks(of), *_wording(of)]
    if by_model:
        return [*model, *by_rules, *checked, *_of_the_answering_model(of)]
    return [*by_rules, *checked, *model, *_of_the_answering_model(of)]


def notes(states: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Why signals did not run to their end: their names, and how they went with the reason."""
    return [
        (words.signal_name(name), words.status_words(state))
        for name, state in states.items()
        if state.get("reason")
    ]


def _model(of: _Of, decided: bool) -> Iterator[Reading]:
    scores = of.signal["nli"] if decided else None
    yield from _three(of, Signal.NLI, "Entailment", scores or {}, decided)
    yield _doubt(of)


def _rules(of: _Of, decided: bool) -> Iterator[Reading]:
    """Older engines stored the scores by rules as the only ones."""
    scores = of.signal.get("lexical") or (of.signal["nli"] if decided else None)
    yield from _three(of, Signal.GROUNDING, "Comparison by rules", scores or {}, decided)


def _three(
    of: _Of, state: Signal, name: str, scores: Mapping[str, float], decided: bool
) -> Iterator[Reading]:
    rules = of.rules
    against = f"Contradictory from {rules.contradict_at:.2f}"
    for member, side, at, kind, threshold in (
        ("entail", "for", rules.support_at, "good", f"Supported from {rules.support_at:.2f}"),
        ("contradict", "against", rules.contradict_at, "bad",
         f"{against}, surely from {rules.high_confidence_at:.2f}"),
        ("neutral", "neither", None, "none", NONE),
    ):  # fmt: skip
        value = scores.get(member)
        reached = decided and at is not None and value is not None and value >= at
        yield of.row(
            state,
            f"{name}: {side}",
            _number(value),
            "threshold reached" if reached else "",
            kind if reached else "none",
            threshold if decided else NONE,
        )


def _doubt(of: _Of) -> Reading:
    shares = [
        f"“{of.answer[start:end]}” {share:.2f}"
        for start, end, share in sorted(of.signal.get("unsupported") or (), key=lambda w: -w[2])
    ]
    doubt = of.signal.get("doubt")
    kind = "bad" if doubt is not None and doubt >= DOUBTED_AT else "none"
    name = "Doubt about the least supported word"
    threshold = f"Words marked from {DOUBTED_AT:.2f}"
    return of.row(Signal.NLI, name, _number(doubt), ", ".join(shares), kind, threshold)


def _coverage(of: _Of) -> Iterator[Reading]:
    coverage = of.signal["coverage"]
    found_at = f"Nothing found below {of.rules.found_at:.2f}"
    all_found = "All, to be Supported"
    for member, name, threshold in (
        ("tokens_overlap", "Words of the claim found in the passage", found_at),
        ("entities", "Names of the claim found", all_found),
        ("numbers", "Figures of the claim found", all_found),
    ):
        share = None if coverage is None else coverage[member]
        if coverage is not None and share is None:
            yield of.row(Signal.GROUNDING, name, NONE, "the claim has none", "none", threshold)
            continue
        kind = "good" if share == 1 else "none"
        yield of.row(Signal.GROUNDING, name, _number(share), _share(share), kind, threshold)


def _checks(of: _Of) -> Iterator[Reading]:
    agree = of.signal["numeric_check"]
    said, kind = {True: ("they agree", "good"), False: ("they differ", "bad")}.get(
        agree, ("nothing to compare", "none")
    )
    value = {True: "true", False: "false"}.get(agree, NONE if of.signal["checked"] else None)
    yield of.row(Signal.GROUNDING, "Figures and units compared", value, said if value else "", kind)
    conflicts = [f"{c['kind']}: {c['detail']}" for c in of.signal["conflicts"]]
    found = str(len(conflicts)) if of.signal["checked"] else None
    kind = "bad" if conflicts else "none"
    yield of.row(Signal.GROUNDING, "Conflicts with a passage", found, "; ".join(conflicts), kind)
    match = of.signal["citation_span_match"]
    name = "Words of the claim found in the passage it cites"
    yield of.row(Signal.GROUNDING, name, _number(match), _share(match))


def _wording(of: _Of) -> Iterator[Reading]:
    for state, member, name in (
        (Signal.OVERCONFIDENCE, "overconfidence", "Overconfident wording"),
        (Signal.INTERNAL_CONTRADICTION, "contradictions", "Contradicts another part of the answer"),
    ):
        found = [finding["detail"] for finding in of.signal[member]]
        kind = "bad" if found else "none"
        yield of.row(state, name, str(len(found)), "; ".join(found), kind)


def _of_the_answering_model(of: _Of) -> Iterator[Reading]:
    entropy = (of.signal["uncertainty"] or {}).get("mean_entropy")
    yield of.row(Signal.UNCERTAINTY, "The answering model’s uncertainty: mean entropy",
                 _number(entropy))  # fmt: skip
    variance = (of.signal["consistency"] or {}).get("variance")
    yield of.row(Signal.CONSISTENCY, "Disagreement of the samples: variance", _number(variance))


def _number(value: float | None) -> str | None:
    return None if value is None else f"{value:.2f}"


def _share(value: float | None) -> str:
    return "" if value is None else words.percent(value)
