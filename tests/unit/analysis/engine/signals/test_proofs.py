"""The passage that is shown against a claim: only one about the same thing."""

import pytest

from analysis.engine import DEFAULT_RULES
from analysis.engine.evidence.records import as_text
from analysis.engine.measurement import measure
from analysis.engine.signal_types import Measurement
from analysis.engine.types import ClaimStatus, ConflictKind, Source, Submission
from analysis.engine.verdict.rule_table import decide_claim
from tests.unit.analysis.engine.signals.test_judgement import FakeJudge, Said, Window


def measured(answer: str, *texts: str, said: Said | None = None) -> Measurement:
    """Return the answer measured; with `said`, a judge says that of each claim it has read."""
    sources = tuple(Source(f"s{at}", text) for at, text in enumerate(texts))
    return measure(Submission(answer, "", sources), judge=FakeJudge(said) if said else None)


def against(*texts: str, judge: str = "") -> Said:
    windows = tuple(Window(at, 0, len(text)) for at, text in enumerate(texts))
    return Said(windows=windows, judge=judge)


def shown(measurement: Measurement) -> str | None:
    """Return the text of the passage against the first claim."""
    ref = measurement.signals[0].contradicted_by
    texts = {f"{chunk.doc_id}#{chunk.sent_id}": chunk.text for chunk in measurement.evidence}
    return None if ref is None else texts[ref]


def proof(answer: str, *texts: str, judge: str = "") -> str | None:
    return shown(measured(answer, *texts, said=against(*texts, judge=judge)))


HOUSE = "Welcome to Heron Cottage! We allow two dogs. They stay downstairs."
BRIDGE = (
    "The bridge carries trams and bicycles. Lorries may cross it one at a time. "
    "Is the bridge open for lorries without restriction at night?"
)


def test_the_passage_shares_the_claims_words_wherever_the_judge_looked() -> None:
    answer = "Lorries may cross the bridge without restriction."
    assert proof(answer, HOUSE, BRIDGE) == "Lorries may cross it one at a time."


def test_where_no_passage_is_about_the_same_thing_none_is_shown() -> None:
    measurement = measured("The kitchen was renovated last year.", HOUSE, said=against(HOUSE))
    decision = decide_claim(measurement.claims[0], measurement.signals[0], DEFAULT_RULES)
    assert shown(measurement) is None
    assert decision.status is ClaimStatus.LOW_CONFIDENCE


def test_with_a_passage_about_the_same_thing_the_judge_contradicts() -> None:
    measurement = measured("Three dogs are allowed.", HOUSE, said=against(HOUSE))
    decision = decide_claim(measurement.claims[0], measurement.signals[0], DEFAULT_RULES)
    assert shown(measurement) == "We allow two dogs."
    assert decision.status is ClaimStatus.CONTRADICTORY


def test_a_passage_about_another_of_the_sources_names_is_not_shown() -> None:
    source = "{} opens early. {} sells grilled fish daily."
    answer = "Grilled fish is sold daily by Marlow."
    filler = " The menu changes often. Guests like it. Children eat there."
    named = f"The menu is long.{filler} {source.format('Tilda', 'Tilda')}"
    other = f"{named}{filler} On Mondays Marlow is closed."
    assert proof(answer, named) == "Tilda sells grilled fish daily."
    assert proof(answer, other) is None


def test_a_record_is_about_one_thing() -> None:
    record = as_text({"vessel": "Kormoran", "flag": "DE", "berth": "Quay 4", "tugs used": 3})
    text = "vessel: Kormoran. flag: DE. berth: Quay 4. tugs used: 3."
    measurement = measured("Two tugs were used for Kormoran.", record, said=against(text))
    assert shown(measurement) == "tugs used: 3."


def test_what_a_language_model_quotes_is_shown_in_whatever_words() -> None:
    text = "Smoking anywhere indoors leads to a fine."
    assert proof("Guests can light up in bed.", text) is None
    assert proof("Guests can light up in bed and smoke.", text, judge="llm:m") == text


LEAVE = (
    "The primary caregiver receives 16 weeks of paid leave. The secondary caregiver receives 4 "
    "weeks. Leave of more than 6 weeks may be split into two parts."
)
HOLIDAY = (
    "Full-time employees receive 21 days of holiday a year. Holiday accrues at 1.75 days per "
    "month. Part-time employees receive holiday in proportion to their hours."
)
REVENUE = (
    "Revenue grew by 8 % to $4.2 billion in 2023. Net income fell from $355 million to $310 "
    "million."
)


@pytest.mark.parametrize(
    ("answer", "source", "passage", "detail"),
    [
        (
            "The secondary caregiver receives 16 weeks.",
            LEAVE,
            "The secondary caregiver receives 4 weeks.",
            "the source says “4 weeks”",
        ),
        (
            "Full-time employees get 25 days, and part-time employees get 25 as well.",
            HOLIDAY,
            "Full-time employees receive 21 days of holiday a year.",
            "the source says “21 days”",
        ),
    ],
)
def test_words_show_the_figure_of_the_same_thing(
    answer: str, source: str, passage: str, detail: str
) -> None:
    measurement = measured(answer, source)
    assert shown(measurement) == passage
    assert [conflict.detail for conflict in measurement.signals[0].conflicts] == [detail]


def test_a_dose_conflicts_with_no_date() -> None:
    source = "The maximum dose is 1200 mg per day. The leaflet was revised in March 2016."
    (signal,) = measured("At most 1600 mg a day was allowed in 2016.", source).signals
    kinds = {conflict.kind for conflict in signal.conflicts}
    assert ConflictKind.DATE not in kinds
