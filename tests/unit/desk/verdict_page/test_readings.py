"""Every raw signal has its row, with its threshold and how it went, whether it ran or not."""

import pytest
from django.utils.formats import number_format

from analysis.engine.codec import decode, encode
from analysis.engine.measurement import measure
from analysis.engine.policy import DEFAULT_RULES
from analysis.engine.signal_types import Judgement, SignalState, VerifierSignal
from analysis.engine.types import AnswerKind, SignalStatus, Source, Submission
from analysis.engine.verdict.probability import unsupported
from desk.verdict_page.readings import ReadingRow, notes, readings

ANSWER = "SSN College closed in 2026."
SOURCE = Source("a", "SSN College closed in 2019.")


def rows_of(signal: dict, states: dict, rules=DEFAULT_RULES) -> dict[str, ReadingRow]:
    rows = readings(ANSWER, signal, states, rules)
    assert len({row.name for row in rows}) == len(rows)
    return {row.name: row for row in rows}


@pytest.fixture
def signal_and_states() -> tuple[dict, dict]:
    document = measure(Submission(ANSWER, sources=(SOURCE,))).to_json()
    return document["signals"][0], document["states"]


def test_by_rules_alone_the_thresholds_stand_beside_the_rules(signal_and_states) -> None:
    rows = rows_of(*signal_and_states)
    against = rows["Comparison by rules: against"]
    assert (against.kind, against.comment) == ("bad", "threshold reached")
    assert against.threshold == "Contradicted from 0.60, sure from 0.85"
    assert against.model == "lexical-1"
    model = rows["Entailment: against"]
    assert model.value == "not measured"
    assert model.outcome == "does not apply"
    reason = dict(notes(signal_and_states[1]))["Reading of all sources by the judge"]
    assert "no judge is configured" in reason
    assert next(iter(rows)) == "Comparison by rules: for"
    assert rows["Figures and units compared"].comment in ("they differ", "nothing to compare")
    conflicts = rows["Conflicts with a passage"].comment
    assert conflicts.split("; ")[0] == "date: the source says “2019”"
    assert rows["Disagreement of the samples: variance"].value == "not measured"


def test_what_samples_tokens_and_citations_say_has_its_row(signal_and_states) -> None:
    signal, states = signal_and_states
    signal |= {
        "uncertainty": {"mean_entropy": 1.12},
        "consistency": {"variance": 0.25},
        "citation_span_match": 0.9,
    }
    rows = rows_of(signal, states)
    entropy = rows["The answering model’s uncertainty: mean entropy (nats)"]
    assert (entropy.value, entropy.kind) == ("1.12", "none")
    assert entropy.threshold == "Unsteady from 2.00, where support is below 0.75"
    assert rows["Disagreement of the samples: variance"].value == "0.25"
    assert rows["Words of the claim found in the passage it cites"].comment == "90%"


def test_where_the_judge_read_the_chance_decides_and_its_words_are_named(signal_and_states) -> None:
    signal, states = signal_and_states
    judgement = Judgement(0.04, 0.16, 0.8, 0.91, 1.0, AnswerKind.SHORT, "small")
    signal |= encode({"judgement": judgement}) | {
        "lexical": {"entail": 0.1, "contradict": 0.2, "neutral": 0.7},
        "nli": {"entail": 0.04, "contradict": 0.8, "neutral": 0.16},
        "unsupported": [[4, 11, 0.3], [22, 26, 0.91]],
    }
    states |= encode({"judge": SignalState(SignalStatus.OK, "", "small@1", 3.0)})
    rows = rows_of(signal, states)
    name = "Probability of being supported, words and model together"
    assert next(iter(rows)) == name
    chance = unsupported(decode(VerifierSignal, signal))
    assert (rows[name].value, rows[name].kind) == (number_format(round(1 - chance, 2), 2), "bad")
    assert rows[name].threshold == "Not supported up to 0.24, supported from 0.50"
    against = rows["Entailment: against"]
    assert (against.value, against.model, against.threshold) == ("0.80", "small@1", "–")
    doubt = rows["Doubt about the least supported word"]
    assert (doubt.value, doubt.comment) == ("0.91", "“2026” 0.91, “College” 0.30")
    assert rows["Names of the claim found"].threshold == "–"
    assert rows["Comparison by rules: for"].threshold == "–"
    ruled = rows["Comparison by rules: against"]
    assert (ruled.kind, ruled.threshold) == ("none", "A conflict from 0.60")


def test_in_a_long_answer_the_mean_that_its_claims_are_told_from_is_shown(
    signal_and_states,
) -> None:
    signal, states = signal_and_states
    name = "Entailment: mean of the answer"
    for kind in AnswerKind:
        judgement = Judgement(0.6, 0.3, 0.1, 0.2, 1.0, kind, "small", answer_odds=-2.0)
        rows = rows_of(signal | encode({"judgement": judgement}), states)
        assert [row.value for row in rows.values() if row.name == name] == (
            ["0.88"] if kind is AnswerKind.LONG else []
        )


@pytest.mark.parametrize(("answering", "shown"), [(1.25, ["1.25"]), (-3.0, ["-3.00"]), (None, [])])
def test_what_a_judge_of_answers_says_of_a_bare_answer_is_shown(
    signal_and_states, answering: float | None, shown: list[str]
) -> None:
    signal, states = signal_and_states
    judgement = Judgement(0.6, 0.3, 0.1, 0.2, 1.0, AnswerKind.PLACED, "small", answering=answering)
    rows = rows_of(signal | encode({"judgement": judgement}), states)
    name = "Its passage answers the question better than others, in log-odds"
    assert [row.value for row in rows.values() if row.name == name] == shown


def test_without_sources_nothing_passes_for_measured() -> None:
    document = measure(Submission(ANSWER)).to_json()
    rows = rows_of(document["signals"][0], document["states"])
    for name in ("Comparison by rules: for", "Names of the claim found", "Entailment: for",
                 "Figures and units compared", "Conflicts with a passage"):  # fmt: skip
        assert rows[name].value == "not measured"
        assert rows[name].outcome == "does not apply"


def test_a_claim_with_a_figure_that_stands_in_no_source_has_figures(signal_and_states) -> None:
    signal, states = signal_and_states
    signal["coverage"] |= {"numbers": None, "absent_figures": 1}
    rows = rows_of(signal, states)
    assert rows["Figures of the claim that stand in no source"].value == "1"
    found = rows["Figures of the claim found"]
    assert (found.value, found.comment) == ("0.00", "0%")


def test_words_are_counted_in_passages_that_may_support_the_claim(signal_and_states) -> None:
    rows = rows_of(*signal_and_states)
    assert "Words of the claim found in a passage that may support it" in rows
    assert "Words of the claim found in the passage" not in rows
