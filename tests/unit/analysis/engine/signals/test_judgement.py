"""The judge's signal: its questions, and the use of its answers."""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.engine.measurement import measure
from analysis.engine.signal_types import JudgeUse, NliScores
from analysis.engine.types import SignalStatus, Source, Submission

SOURCE = Source("s1", "Refunds take 14 days. Is delivery free? Returns are free.")


@dataclass(frozen=True)
class Window:
    source: int = 0
    start: int = 0
    end: int = 21


@dataclass(frozen=True)
class Said:
    entail: float = 0.2
    neutral: float = 0.1
    contradict: float = 0.7
    words: Sequence[tuple[int, int, float]] = ()
    coverage: float = 1.0
    truncated: bool = False
    judge: str = ""
    note: str = ""
    missing: str = ""
    windows: Sequence[Window] = (Window(),)


class FakeJudge:
    """Says the same of every sentence, and remembers what it was asked."""

    model_id = "fake-judge@1"

    def __init__(self, answer: Said | None) -> None:
        self.said = answer
        self.questions: list[tuple[str, list[str], list[str]]] = []
        self.before: list[str] = []

    def predict(self, question, evidence, claims, *, before=(), seconds=None):
        self.questions.append((question, list(evidence), list(claims)))
        self.before += before
        return [self.said] * len(claims)


def checked(answer: str, judge: FakeJudge):
    return measure(Submission(answer, "How long?", (SOURCE,)), judge=judge)


def test_the_judge_reads_sentences_and_no_questions_of_the_source() -> None:
    judge = FakeJudge(Said())
    checked("Refunds take 30 days. Returns are free.", judge)
    ((question, evidence, claims),) = judge.questions
    assert (question, claims) == ("How long?", ["Refunds take 30 days.", "Returns are free."])
    assert "Is delivery free" not in evidence[0]
    assert evidence[0].index("Returns") == SOURCE.text.index("Returns")


def test_a_sentence_is_read_after_those_that_it_leans_on() -> None:
    judge = FakeJudge(Said())
    checked(
        "Refunds take 30 days after the return.\n\n- They are **free** of charge for members.",
        judge,
    )
    assert judge.before == ["", "Refunds take 30 days after the return."]


def test_the_judge_reads_sources_as_they_look_and_evidence_stays_where_it_was_written() -> None:
    written = "<p>Rеfunds t&#97;ke **14** days.</p><p>Is it frее？</p><p>Returns are free.</p>"
    seen = "Refunds take 14 days."
    judge = FakeJudge(Said(windows=(Window(0, 0, len(seen)),)))
    submission = Submission("Refunds take 30 days.", "", (Source("s1", written),))
    measurement = measure(submission, judge=judge)
    ((_, (evidence,), _),) = judge.questions
    assert evidence.split() == f"{seen} Returns are free.".split()
    (chunk,) = measurement.evidence
    assert written[chunk.char_start : chunk.char_end] == chunk.text
    assert chunk.text == "Rеfunds t&#97;ke **14** days."


def test_its_judgement_and_its_words_are_stored() -> None:
    judge = FakeJudge(Said(words=((13, 15, 0.9), (0, 7, 0.1))))
    measurement = checked("Refunds take 30 days.", judge)
    (signal,) = measurement.signals
    assert (signal.judgement.contradict, signal.judgement.judge) == (0.7, "fake-judge")
    assert signal.unsupported == ((13, 15, 0.9),)
    assert signal.contradicted_by == "s1#0"
    assert measurement.states["judge"].model == "fake-judge@1"


def test_in_a_sentence_of_several_claims_the_marked_one_is_doubted() -> None:
    answer = "SSN College closed in 2026 and merged with SNU."
    judge = FakeJudge(Said(words=((22, 26, 0.9), (43, 46, 0.1))))
    measurement = checked(answer, judge)
    first, second = (signal.judgement for signal in measurement.signals)
    assert first.entail < second.entail


def test_every_claim_knows_the_mean_odds_of_the_answer() -> None:
    signals = checked("Refunds take 30 days. Returns cost money.", FakeJudge(Said())).signals
    odds = [signal.judgement.odds for signal in signals]
    mean = round(sum(odds) / len(odds), 4)
    assert len(odds) == 2
    assert [signal.judgement.answer_odds for signal in signals] == [mean, mean]


def test_what_was_not_read_in_time_is_truncated() -> None:
    measurement = checked("Refunds take 30 days.", FakeJudge(None))
    assert measurement.states["judge"].status is SignalStatus.TRUNCATED
    assert "1 sentences were not read" in measurement.states["judge"].reason
    assert measurement.signals[0].judgement is None


def test_without_a_judge_the_state_says_so() -> None:
    measurement = measure(Submission("Refunds take 30 days.", "", (SOURCE,)))
    assert measurement.states["judge"].status is SignalStatus.NOT_APPLICABLE


def test_a_claim_that_stands_word_for_word_is_known_as_such() -> None:
    copied = checked("Returns are free.", FakeJudge(Said()))
    reworded = checked("Refunds take 30 days.", FakeJudge(Said()))
    absent = checked("Delivery is free.", FakeJudge(Said()))
    assert copied.signals[0].judgement.verbatim
    assert not reworded.signals[0].judgement.verbatim
    assert not absent.signals[0].judgement.verbatim


def test_the_state_says_who_decided_in_place_of_the_judge() -> None:
    measurement = checked("Refunds take 30 days.", FakeJudge(Said(judge="llm:m")))
    assert measurement.states["judge"].reason == "llm:m decided 1 of 1"
    assert measurement.signals[0].judgement.judge == "llm:m"


def test_the_state_says_who_could_not_decide() -> None:
    measurement = checked(
        "Refunds take 30 days.", FakeJudge(Said(note="llm:m did not decide: down"))
    )
    assert measurement.states["judge"].status is SignalStatus.OK
    assert measurement.states["judge"].reason == "llm:m did not decide: down (1)"


def test_the_state_counts_who_decided_how_many_claims_and_who_was_not_there() -> None:
    answer = "Refunds take 30 days and returns are free. Delivery takes two weeks."
    by_model = checked(answer, FakeJudge(Said(judge="llm:m")))
    (use,) = by_model.states["judge"].judges
    assert use == JudgeUse("llm:m", decided=len(by_model.claims))
    alone = checked(answer, FakeJudge(Said(missing="llm:m"))).states["judge"].judges
    assert alone == (
        JudgeUse("fake-judge", decided=len(by_model.claims)),
        JudgeUse("llm:m", decided=0, unavailable=len(by_model.claims)),
    )


class ReadsOnly(FakeJudge):
    """A judge that has time for the first claims only."""

    def __init__(self, count: int) -> None:
        super().__init__(Said())
        self.count = count

    def predict(self, question, evidence, claims, *, before=(), seconds=None):
        read = super().predict(question, evidence, claims, before=before)
        return [said if at < self.count else None for at, said in enumerate(read)]


TWO = Submission("Refunds take 30 days. Returns of goods are free.", "", (SOURCE,))


def test_where_the_judge_had_no_time_the_words_scores_stand() -> None:
    measurement = measure(TWO, judge=ReadsOnly(1))
    assert measurement.states["judge"].status is SignalStatus.TRUNCATED
    first, second = measurement.signals
    shares = first.judgement
    assert shares is not None
    assert first.nli == NliScores(shares.entail, shares.contradict, shares.neutral) != first.lexical
    assert second.judgement is None
    assert second.nli == second.lexical
