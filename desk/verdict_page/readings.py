"""The raw signals of one claim as rows of a table: value, threshold, status, model.

Every signal has its row, whether it ran or not: not checked is not clean. A threshold is shown next
to a value if the verdict's rules compare the two (docs/concepts/verdicts.md).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.engine.codec import decode
from analysis.engine.policy import PolicyRules
from analysis.engine.signal_types import SignalName, VerifierSignal
from analysis.engine.types import AnswerKind, SignalStatus
from analysis.engine.verdict.probability import LIKELY, unsupported
from desk.verdict_page import words
from desk.verdict_page.engine_texts import in_words
from lib.stats.odds import logistic

NONE = "–"
_NO_STATE = {"status": SignalStatus.NOT_APPLICABLE, "reason": "", "model": ""}
_NOT_HERE = gettext_lazy("not for this claim")


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """One row. `value` is as measured, `comment` explains it; `kind` is good, bad or none."""

    name: str
    value: str
    comment: str
    kind: str
    threshold: str
    outcome: str
    model: str

    @property
    def has_model(self) -> bool:
        """True if a model measured it."""
        return self.model != NONE


@dataclass(frozen=True, slots=True)
class _At:
    """A threshold: from `value` on, the row is of `kind`."""

    words: str = NONE
    value: float | None = None
    kind: str = "none"


@dataclass(frozen=True, slots=True)
class _Of:
    """The data for the rows of a claim.

    `chance` is its probability of being unsupported, if the judge read the claim.
    """

    answer: str
    signal: Mapping[str, Any]
    states: Mapping[str, Any]
    rules: PolicyRules
    chance: float | None

    def row(
        self,
        state: str,
        name: str,
        value: str | None,
        comment: str = "",
        kind: str = "none",
        threshold: str = NONE,
    ) -> ReadingRow:
        """Return a row under the state of its signal; `value` None if nothing was measured."""
        how = self.states.get(state, _NO_STATE)
        outcome = words.status_name(how["status"])
        if value is None and how["status"] == SignalStatus.OK:
            outcome = str(_NOT_HERE)
        display_value = str(words.NOT_MEASURED) if value is None else value
        return ReadingRow(
            name, display_value, comment, kind, threshold, outcome, how["model"] or NONE
        )

    def score(self, state: str, name: str, value: float | None, at: _At) -> ReadingRow:
        """Return a row with a number (a score or nats) and whether it reaches its threshold."""
        reached = value is not None and at.value is not None and value >= at.value
        comment, kind = (_("threshold reached"), at.kind) if reached else ("", "none")
        return self.row(state, name, _number(value), comment, kind, at.words)


def readings(
    answer: str, signal: Mapping[str, Any], states: Mapping[str, Any], rules: PolicyRules
) -> list[ReadingRow]:
    """Return all rows, the deciding ones first.

    `signal` is a stored VerifierSignal, `states` those of the whole answer.
    """
    was_read = signal["judgement"] is not None
    chance = unsupported(decode(VerifierSignal, signal)) if was_read else None
    of = _Of(answer, signal, states, rules, chance)
    comparisons = [*_coverage(of), *_absent(of), *_checks(of), *_wording(of)]
    if chance is not None:
        return [*_judge(of, 1 - chance), *_rules(of), *comparisons, *_steadiness(of)]
    return [*_rules(of), *comparisons, *_judge_alone(of), *_steadiness(of)]


def notes(states: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the signals that did not finish, with status and reason."""
    return [
        (words.signal_name(name), words.status_words(state))
        for name, state in states.items()
        if state.get("reason")
    ]


def _judge(of: _Of, support: float) -> Iterator[ReadingRow]:
    """Yield the probability of support from words and judge together, then the judge's scores."""
    kind = AnswerKind(of.signal["judgement"]["kind"])
    at, state = 1 - of.rules.limit_of(kind), SignalName.JUDGE
    low = _("Not supported up to %(n)s, supported from %(likely)s") % {
        "n": _number(at), "likely": _number(LIKELY),
    }  # fmt: skip
    comment, colour = (_("threshold reached"), "bad") if support <= at else ("", "none")
    name = _("Probability of being supported, words and model together")
    yield of.row(state, name, _number(support), comment, colour, low)
    yield from _judge_alone(of)
    shares = [
        f"“{of.answer[start:end]}” {_number(round(share, 2))}"
        for start, end, share in sorted(of.signal["unsupported"], key=lambda w: -w[2])
    ]
    name = _("Doubt about the least supported word")
    yield of.row(state, name, _number(of.signal["judgement"]["doubt"]), ", ".join(shares))


def _judge_alone(of: _Of) -> Iterator[ReadingRow]:
    """Yield the judge's scores, and what else counts of a long answer's claim or a bare answer."""
    scores = of.signal["judgement"] or {}
    yield from _three(of, SignalName.JUDGE, _("Entailment"), scores, _At(), _At())
    if scores.get("kind") == AnswerKind.LONG:
        mean = 1 - logistic(scores.get("answer_odds", 0.0))
        yield of.row(SignalName.JUDGE, _("Entailment: mean of the answer"), _number(mean))
    if (better := scores.get("answering")) is not None:
        name = _("Its passage answers the question better than others, in log-odds")
        yield of.row(SignalName.JUDGE, name, _number(better))


def _rules(of: _Of) -> Iterator[ReadingRow]:
    """Yield the scores of the rules; if the judge decided, only a conflict still counts."""
    at, name = of.rules, _("Comparison by rules")
    scores = of.signal["lexical"] or {}
    thresholds = _("Contradicted from %(n)s, sure from %(sure)s") % {
        "n": _number(at.contradict_at), "sure": _number(at.high_confidence_at),
    }  # fmt: skip
    low = _("Supported from %(n)s") % {"n": _number(at.support_at)}
    support = _At(low, at.support_at, "good")
    if of.chance is not None:
        support, thresholds = _At(), _("A conflict from %(n)s") % {"n": _number(at.contradict_at)}
    against = _At(thresholds, at.contradict_at, "bad")
    yield from _three(of, SignalName.GROUNDING, name, scores, support, against)


def _three(
    of: _Of, state: SignalName, name: str, scores: Mapping[str, float], support: _At, against: _At
) -> Iterator[ReadingRow]:
    yield of.score(state, _("%(name)s: for") % {"name": name}, scores.get("entail"), support)
    yield of.score(
        state, _("%(name)s: against") % {"name": name}, scores.get("contradict"), against
    )
    yield of.score(state, _("%(name)s: neither") % {"name": name}, scores.get("neutral"), _At())


def _coverage(of: _Of) -> Iterator[ReadingRow]:
    coverage = of.signal["coverage"] or {}
    all_found = NONE if of.chance is not None else _("All, to be Supported")
    for member, name, threshold in (
        ("tokens_overlap", _("Words of the claim found in a passage that may support it"),
         _("Nothing found below %(n)s") % {"n": _number(of.rules.found_at)}),
        ("entities", _("Names of the claim found"), all_found),
        ("numbers", _("Figures of the claim found"), all_found),
        ("phrases", _("Pairs of words of the claim found side by side"), NONE),
        ("nearness", _("Nearness in the sources to the words of the question"), NONE),
    ):  # fmt: skip
        share = coverage.get(member)
        if member == "nearness" and share is None:
            continue
        if member == "numbers" and coverage.get("absent_figures"):
            share = share or 0.0
        if coverage and share is None:
            yield of.row(
                SignalName.GROUNDING, name, NONE, _("the claim has none"), "none", threshold
            )
            continue
        kind = "good" if share == 1 else "none"
        yield of.row(SignalName.GROUNDING, name, _number(share), _share(share), kind, threshold)


def _absent(of: _Of) -> Iterator[ReadingRow]:
    coverage = of.signal["coverage"] or {}
    for member, name in (
        ("absent_figures", _("Figures of the claim that stand in no source")),
        ("absent_names", _("Names of the claim that stand in no source")),
    ):
        count = coverage.get(member)
        if count is not None:
            yield of.row(SignalName.GROUNDING, name, str(count), "", "bad" if count else "good")


def _checks(of: _Of) -> Iterator[ReadingRow]:
    agree, checked = of.signal["numeric_check"], of.signal["checked"]
    value, comment, kind = {
        True: (_("true"), _("they agree"), "good"),
        False: (_("false"), _("they differ"), "bad"),
    }.get(agree, (NONE, _("nothing to compare"), "none") if checked else (None, "", "none"))
    yield of.row(SignalName.GROUNDING, _("Figures and units compared"), value, comment, kind)
    conflicts = [in_words(f"{c['kind']}: {c['detail']}") for c in of.signal["conflicts"]]
    conflict_count, kind = str(len(conflicts)) if checked else None, "bad" if conflicts else "none"
    yield of.row(
        SignalName.GROUNDING,
        _("Conflicts with a passage"),
        conflict_count,
        "; ".join(conflicts),
        kind,
    )
    match = of.signal["citation_span_match"]
    name = _("Words of the claim found in the passage it cites")
    yield of.row(SignalName.GROUNDING, name, _number(match), _share(match))


def _wording(of: _Of) -> Iterator[ReadingRow]:
    for state, member, name in (
        (SignalName.OVERCONFIDENCE, "overconfidence", _("Overconfident wording")),
        (
            SignalName.INTERNAL_CONTRADICTION,
            "contradictions",
            _("Contradicts another part of the answer"),
        ),
    ):
        details = [in_words(finding["detail"]) for finding in of.signal[member]]
        kind = "bad" if details else "none"
        yield of.row(state, name, str(len(details)), "; ".join(details), kind)


def _steadiness(of: _Of) -> Iterator[ReadingRow]:
    """Yield whether the generator was sure of the claim, which counts if support is weak."""
    below = _number(of.rules.steady_at)
    for state, block, member, name, at in (
        (SignalName.UNCERTAINTY, "uncertainty", "mean_entropy",
         _("The answering model’s uncertainty: mean entropy (nats)"), of.rules.uncertain_at),
        (SignalName.CONSISTENCY, "consistency", "variance",
         _("Disagreement of the samples: variance"), of.rules.inconsistent_at),
    ):  # fmt: skip
        value = (of.signal[block] or {}).get(member)
        threshold = _("Unsteady from %(n)s, where support is below %(below)s")
        yield of.score(
            state, name, value, _At(threshold % {"n": _number(at), "below": below}, at, "bad")
        )


def _number(value: float | None) -> str | None:
    return None if value is None else number_format(round(value, 2), 2)


def _share(value: float | None) -> str:
    return "" if value is None else words.percent(value)
