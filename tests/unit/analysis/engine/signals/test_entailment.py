from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from analysis.engine import decide, measure
from analysis.engine.signals import entailment
from analysis.engine.types import ClaimStatus, SignalStatus, Source, Submission


@dataclass(frozen=True)
class Judgement:
    entail: float
    contradict: float
    neutral: float
    truncated: bool = False


class Reader:
    """Entails a claim whose words the window has: a truth one can work out."""

    model_id = "reader-1"

    def __init__(self, truncated: bool = False) -> None:
        self.pairs: list[tuple[str, str]] = []
        self.truncated = truncated

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        self.pairs += pairs
        return [self._judge(window.lower(), claim) for window, claim in pairs]

    def _judge(self, window: str, claim: str) -> Judgement:
        has_all = all(word.strip(".,").lower() in window for word in claim.split())
        entail = 1.0 if has_all else 0.1
        return Judgement(entail, (1 - entail) / 3, (1 - entail) * 2 / 3, self.truncated)


def measured(answer: str, *texts: str, query: str = "", model: Reader | None = None):
    sources = tuple(Source(f"s{at}", text) for at, text in enumerate(texts))
    return measure(Submission(answer, query, sources), model or Reader())


MILL = "The mill stands in Lyon. It was built in 1840 and sold in 1901."


def test_the_model_scores_stand_and_are_named():
    measurement = measured("In Lyon stands the mill.", MILL)
    [signal] = measurement.signals
    assert signal.judged_by == "reader-1"
    assert measurement.states["nli"].status is SignalStatus.OK
    assert measurement.states["nli"].model == "reader-1"
    assert (signal.nli.entail, signal.nli.contradict) == (1.0, 0.0)
    assert signal.lexical is not None


def test_without_a_model_the_rules_stand_and_say_so():
    measurement = measure(Submission("The mill stands in Lyon.", "", (Source("s", MILL),)))
    assert measurement.states["nli"].status is SignalStatus.NOT_APPLICABLE
    assert measurement.states["nli"].model == "lexical-1"
    assert measurement.signals[0].nli == measurement.signals[0].lexical
    assert measurement.signals[0].judged_by == ""


def test_a_sentence_that_is_copied_is_not_read_and_its_words_stand():
    reader = Reader()
    answer = "The mill stands in Lyon. It was sold in 1840."
    measurement = measured(answer, MILL, model=reader)
    copied, reworded = measurement.signals
    assert measurement.states["nli"].status is SignalStatus.OK
    assert measurement.states["nli"].reason == "1 sentences copied from a source were not read"
    assert [claim for _, claim in reader.pairs] == ["It was sold in 1840."]
    assert (copied.judged_by, reworded.judged_by) == ("", "reader-1")
    assert copied.nli == copied.lexical


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("The mill does not stand in Lyon.", id="denied"),
        pytest.param("The mill was sold in Lyon.", id="put together"),
        pytest.param("Lyon stands in the mill.", id="turned round"),
    ],
)
def test_a_sentence_of_the_same_words_that_says_another_thing_is_read(answer):
    reader = Reader()
    measured(answer, MILL, model=reader)
    assert [claim for _, claim in reader.pairs] == [answer]


def test_a_denial_that_the_passage_lacks_is_read_though_its_words_stand_there():
    reader = Reader()
    source = "Green Valley Regional Airport, north of the town, is busy in the United States."
    measured("Green Valley Regional Airport is not in the United States.", source, model=reader)
    assert reader.pairs


def test_a_sentence_is_read_once_for_all_its_claims():
    reader = Reader()
    answer = "The mill was built in 1840 and the mill was painted purple in 1901."
    measurement = measured(answer, MILL, model=reader)
    assert len(reader.pairs) == 1
    first, painted = measurement.signals
    assert first.nli == painted.nli
    assert painted.nli.entail == pytest.approx(0.1)


def test_a_short_answer_is_read_after_its_question():
    reader = Reader()
    measured("Lyon", MILL, query="In which city does the mill stand?", model=reader)
    assert reader.pairs[0][1] == "In which city does the mill stand? Lyon"


def test_what_the_model_could_not_read_whole_is_truncated():
    measurement = measured("In Lyon stands the mill.", MILL, model=Reader(truncated=True))
    assert measurement.states["nli"].status is SignalStatus.TRUNCATED


def test_a_model_that_fails_is_an_error_and_warns():
    class Broken(Reader):
        def score(self, pairs):
            raise RuntimeError("no")

    measurement = measured("In Lyon stands the mill.", MILL, model=Broken())
    assert measurement.states["nli"].status is SignalStatus.ERROR
    assert decide("In Lyon stands the mill.", measurement).action.value != "ALLOW"


def test_evidence_from_a_record_leads_back_to_its_path():
    measurement = measured(
        "The inn has outdoor seating.", '{"name": "Inn", "attributes": {"OutdoorSeating": true}}'
    )
    assert "attributes" in {chunk.path for chunk in measurement.evidence}


def test_a_conflict_that_words_name_rests_on_the_passage_that_they_name():
    class Against(Reader):
        def score(self, pairs):
            return [Judgement(0.0, 1.0, 0.0) for _ in pairs]

    record = (
        '{"name": "The Blue Inn", "attributes": {"OutdoorSeating": false, "WiFi": "free"}, '
        '"menu": [{"dish": "Lentil soup", "price": 7}, {"dish": "Grilled trout", "price": 19}]}'
    )
    answer = "The Blue Inn has outdoor seating."
    measurement = measured(answer, record, model=Against())
    (claim,) = decide(answer, measurement).claims
    paths = {chunk.ref: chunk.path for chunk in measurement.evidence}
    assert claim.status is ClaimStatus.CONTRADICTORY
    assert paths[claim.primary_evidence] == "attributes"


YARD = " and its miller kept goats, geese, ducks, hens and bees in the yard behind the house" * 5


@pytest.mark.parametrize(
    ("texts", "windows"),
    [
        ([f"The mill stands in Lyon by river {at}{YARD}." for at in range(4)], 1),
        ([f"The mill stands in Lyon{YARD}.", f"The mill is purple{YARD}."], 2),
    ],
    ids=["the same again", "spread"],
)
def test_a_second_window_is_read_where_the_evidence_is_spread(texts, windows):
    reader = Reader()
    measured("The mill stands in purple Lyon.", *texts, model=reader)
    assert len(reader.pairs) == windows


def test_what_there_is_no_time_to_read_is_told_and_warns(monkeypatch):
    monkeypatch.setattr(entailment, "SECONDS", 0.0)
    answer = " ".join(f"Mill {at} in the yard of Lyon is purple." for at in range(100))
    reader = Reader()
    measurement = measured(answer, MILL, model=reader)
    assert len(reader.pairs) == entailment.AT_ONCE
    assert measurement.states["nli"].status is SignalStatus.TRUNCATED
    assert f"{100 - entailment.AT_ONCE} sentences were not read" in measurement.states["nli"].reason
    assert sum(bool(signal.judged_by) for signal in measurement.signals) == entailment.AT_ONCE
    assert decide(answer, measurement).action.value != "ALLOW"


def test_a_second_window_that_there_is_no_time_for_is_told_too(monkeypatch):
    monkeypatch.setattr(entailment, "SECONDS", 0.0)
    reader = Reader()
    texts = [f"The mill stands in Lyon{YARD}.", f"The mill is purple{YARD}."]
    measurement = measured("The mill stands in purple Lyon.", *texts, model=reader)
    assert len(reader.pairs) == 1
    assert measurement.states["nli"].status is SignalStatus.TRUNCATED
    reason = measurement.states["nli"].reason
    assert "1 sentences were compared with only part of the evidence" in reason


def test_a_figure_in_another_unit_is_read_as_the_source_writes_it():
    model = Reader()
    answer = "Climbers must carry a rope of 120 feet."
    measured(answer, "A rope of 40 yards must be carried.", model=model)
    assert [claim for _, claim in model.pairs] == ["Climbers must carry a rope of 40 yards."]
