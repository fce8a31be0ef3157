"""The judge's signal: its questions, and the use of its answers."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine import DEFAULT_RULES
from analysis.engine.evidence.records import as_text
from analysis.engine.measurement import measure
from analysis.engine.rules.figures import Rewording
from analysis.engine.signal_types import JudgeUse, Measurement, NliScores
from analysis.engine.signals.judgement import reword
from analysis.engine.types import ClaimStatus, ConflictKind, SignalStatus, Source, Submission
from analysis.engine.verdict.rule_table import decide_claim
from inference.judge.types import ClaimJudgement, EvidenceWindow

SOURCE = Source("s1", "Refunds take 14 days. Is delivery free? Returns are free.")
FIRST_SENTENCE = (EvidenceWindow(0, 0, 21, 1.0),)


def judgement(
    entail=0.2, neutral=0.1, contradict=0.7, words=(), windows=FIRST_SENTENCE, **who: str
) -> ClaimJudgement:
    return ClaimJudgement(entail, neutral, contradict, words, windows, 1.0, **who)


class FakeJudge:
    """Says the same of every sentence, and remembers what it was asked."""

    model_id = "fake-judge@1"

    def __init__(self, answer: ClaimJudgement | None) -> None:
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
    judge = FakeJudge(judgement())
    checked("Refunds take 30 days. Returns are free.", judge)
    question, evidence, claims = judge.questions[0]
    assert (question, claims) == ("How long?", ["Refunds take 30 days.", "Returns are free."])
    assert "Is delivery free" not in evidence[0]
    assert evidence[0].index("Returns") == SOURCE.text.index("Returns")


def test_the_question_of_a_faq_stays_before_its_answer() -> None:
    judge = FakeJudge(judgement())
    faq = "**Card lost?** A new one costs 12.\n\nQ: Is it fast?\nA: It takes a week. Why? Ask."
    measure(Submission("A new card costs 12.", "", (Source("s", faq),)), judge=judge)
    (evidence,) = judge.questions[0][1]
    assert "Card lost? A new one" in evidence
    assert "Is it fast?" in evidence
    assert "Why" not in evidence


def test_a_sentence_is_read_after_those_that_it_leans_on() -> None:
    judge = FakeJudge(judgement())
    checked(
        "Refunds take 30 days after the return.\n\n- They are **free** of charge for members.",
        judge,
    )
    assert judge.before == ["", "Refunds take 30 days after the return."]


def test_the_judge_reads_sources_as_they_look_and_evidence_stays_where_it_was_written() -> None:
    written = "<p>Rеfunds t&#97;ke **14** days.</p><p>Returns are free.</p><p>Is it frее？</p>"
    seen = "Refunds take 14 days."
    judge = FakeJudge(judgement(windows=(EvidenceWindow(0, 0, len(seen), 1.0),)))
    submission = Submission("Refunds take 30 days.", "", (Source("s1", written),))
    measurement = measure(submission, judge=judge)
    _, (evidence,), _ = judge.questions[0]
    assert evidence.split() == f"{seen} Returns are free.".split()
    (chunk,) = measurement.evidence
    assert written[chunk.char_start : chunk.char_end] == chunk.text
    assert chunk.text == "Rеfunds t&#97;ke **14** days."


HOURS = Source("s2", "Ann runs it. The shop opens at 9. We like tea. Dogs may come in. " * 2)


def test_a_claim_of_a_short_answer_is_read_again_beside_the_passage_next_to_it() -> None:
    judge = FakeJudge(judgement())
    measure(Submission("The shop opens at 10.", "", (SOURCE, HOURS)), judge=judge)
    first, again = judge.questions
    assert len("".join(first[1])) > 100
    assert again == ("", ["Ann runs it. The shop opens at 9."], ["The shop opens at 10."])


def test_a_heading_is_read_with_what_stands_below_it() -> None:
    judge, things = (
        FakeJudge(judgement()),
        "Things that were found go to room 4. They are kept a year.",
    )
    text = f"Sick leave needs a note.\n\nLost property\n\n{things} Keys are destroyed."
    answer = Submission("Lost property is kept a year.", "", (Source("s", text),))
    measure(answer, judge=judge)
    assert judge.questions[1][1] == [f"Lost property\n\n{things}"]


def test_both_readings_count_the_same_beside_few_sources_and_the_first_more_beside_many() -> None:
    class Doubting(FakeJudge):
        def predict(self, question, evidence, claims, *, before=(), seconds=None):
            said = super().predict(question, evidence, claims, before=before)
            return said if len(self.questions) == 1 else [judgement(0.5, 0.1, 0.4)] * len(said)

    def entail(*sources: Source) -> float:
        submission = Submission("The shop opens at 10.", "", sources)
        (signal,) = measure(submission, judge=Doubting(judgement(0.9, 0.05, 0.05))).signals
        return signal.judgement.entail

    many = replace(HOURS, text=HOURS.text + "Trees grow in the park. " * 200)
    few, beside_many = entail(SOURCE, HOURS), entail(SOURCE, many)
    assert 0.7 < few < 0.8 < beside_many < 0.9


BOTH = "Lost keys are kept for a year, but the shop opens at 10."
RULES = Source("s2", "Lost keys are kept for two years. Ann runs it. The shop opens at 9.")


def test_a_sentence_of_a_short_answer_is_read_in_parts_each_beside_its_own_passage() -> None:
    judge = FakeJudge(judgement())
    measure(Submission(BOTH, "", (SOURCE, RULES)), judge=judge)
    assert judge.questions[2:] == [
        ("", ["Lost keys are kept for two years."], ["Lost keys are kept for a year."]),
        ("", ["Ann runs it. The shop opens at 9."], ["The shop opens at 10."]),
    ]


def test_a_part_is_read_beside_all_where_all_is_one_passage() -> None:
    judge = FakeJudge(judgement())
    keys = Source("s", "Lost keys are kept for two years and found in room 4.")
    measure(
        Submission("Lost keys are kept for a year or found in room 5.", "", (keys,)), judge=judge
    )
    assert [evidence for _, evidence, _ in judge.questions] == [[keys.text]] * 2
    assert judge.questions[1][2] == ["Lost keys are kept for a year.", "Found in room 5."]


def test_a_sentence_of_which_a_part_was_not_read_in_time_is_not_judged() -> None:
    class Late(FakeJudge):
        def predict(self, question, evidence, claims, *, before=(), seconds=None):
            said = super().predict(question, evidence, claims, before=before)
            return [None] if claims == ["The shop opens at 10."] else said

    answer = Submission(f"{BOTH} Ann runs it.", "", (SOURCE, RULES))
    measurement = measure(answer, judge=Late(judgement()))
    assert [signal.judgement is None for signal in measurement.signals] == [True, True, False]
    assert "1 sentences were not read within 8 s" in str(measurement)


class Doubting(FakeJudge):
    """Doubts one text, and believes all others."""

    def __init__(self, doubted: str, **who: str) -> None:
        super().__init__(None)
        self.doubted, self.who = doubted, who

    def predict(self, question, evidence, claims, *, before=(), seconds=None):
        return [
            judgement(0.1, 0.1, 0.8)
            if claim == self.doubted
            else judgement(0.9, 0.05, 0.05, **self.who)
            for claim in claims
        ]


def entailed(answer: str, doubted: str, **who: str) -> list[float]:
    judge = Doubting(doubted, **who)
    signals = measure(Submission(answer, "", (SOURCE, RULES)), judge=judge).signals
    return [signal.judgement.entail for signal in signals]


def test_a_doubted_part_lowers_the_claims_that_have_it() -> None:
    assert entailed(BOTH, "") == pytest.approx([0.9, 0.9], abs=0.01)
    keys, shop = entailed(BOTH, "The shop opens at 10.")
    assert keys == pytest.approx(0.9, abs=0.01)
    assert 0.5 < shop < 0.8


@pytest.mark.parametrize("doubted", ["The shop opens at 10 every day.", "Even on a feast day."])
def test_of_a_claim_the_most_doubted_part_counts(doubted: str) -> None:
    (shop,) = entailed("The shop opens at 10 every day, even on a feast day.", doubted)
    assert 0.5 < shop < 0.8


def test_a_part_counts_nothing_against_a_judge_that_an_operator_chose() -> None:
    assert entailed(BOTH, "The shop opens at 10.", judge="llm:m") == [0.9, 0.9]


@pytest.mark.parametrize(
    ("answer", "model_id"),
    [
        ("The shop opens at 10. Dogs may come in. We like tea.", "fake-judge@1"),
        ("The shop opens at 10.", "llm:model@1"),
        ("The shop opens at 10.", "named:model@1"),
    ],
)
def test_long_answers_and_judges_that_an_operator_chose_read_once(
    answer: str, model_id: str
) -> None:
    judge = FakeJudge(judgement())
    judge.model_id = model_id
    measure(Submission(answer, "", (SOURCE, HOURS)), judge=judge)
    assert len(judge.questions) == 1


def test_its_judgement_and_its_words_are_stored() -> None:
    judge = FakeJudge(judgement(words=((13, 15, 0.9), (0, 7, 0.1))))
    measurement = checked("Refunds take 30 days.", judge)
    (signal,) = measurement.signals
    assert (signal.judgement.contradict, signal.judgement.judge) == (0.7, "fake-judge")
    assert signal.unsupported == ((13, 15, 0.9),)
    assert signal.contradicted_by == "s1#0"
    assert measurement.states["judge"].model == "fake-judge@1"


def test_a_bare_answer_is_read_behind_its_question_and_without_it() -> None:
    judge = FakeJudge(judgement(words=((0, 3, 0.9), (10, 17, 0.8))))
    (signal,) = checked("30 days", judge).signals
    assert [(question, claims) for question, _, claims in judge.questions] == [
        ("", ["How long? 30 days"]),
        ("How long?", ["30 days"]),
    ]
    assert signal.unsupported == ((0, 7, 0.8),)


def test_only_the_bare_answers_of_a_list_are_read_again() -> None:
    judge = FakeJudge(judgement())
    checked("- Returns are free of charge.\n- 14 days", judge)
    first, second, *_ = (claims for _, _, claims in judge.questions)
    assert first == ["Returns are free of charge.", "How long? 14 days"]
    assert second == ["14 days"]


def test_both_readings_of_a_bare_answer_count_half() -> None:
    class Reader(FakeJudge):
        def predict(self, question, evidence, claims, *, before=(), seconds=None):
            doubts = judgement(0.05, 0.05, 0.9) if question else judgement(0.9, 0.05, 0.05)
            return [doubts] * len(claims)

    (signal,) = checked("30 days", Reader(None)).signals
    assert signal.judgement.entail == pytest.approx(signal.judgement.contradict)


def test_a_judge_that_an_operator_chose_reads_a_bare_answer_once() -> None:
    judge = FakeJudge(judgement())
    judge.model_id = "named:other@1"
    checked("30 days", judge)
    assert [claims for _, _, claims in judge.questions] == [["How long? 30 days"]]


def test_in_a_sentence_of_several_claims_the_marked_one_is_doubted() -> None:
    answer = "SSN College closed in 2026 and merged with SNU."
    judge = FakeJudge(judgement(words=((22, 26, 0.9), (43, 46, 0.1))))
    measurement = checked(answer, judge)
    first, second = (signal.judgement for signal in measurement.signals)
    assert first.entail < second.entail


def test_every_claim_knows_the_mean_odds_of_the_answer() -> None:
    signals = checked("Refunds take 30 days. Returns cost money.", FakeJudge(judgement())).signals
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
    copied = checked("Returns are free.", FakeJudge(judgement()))
    reworded = checked("Refunds take 30 days.", FakeJudge(judgement()))
    absent = checked("Delivery is free.", FakeJudge(judgement()))
    assert copied.signals[0].judgement.verbatim
    assert not reworded.signals[0].judgement.verbatim
    assert not absent.signals[0].judgement.verbatim


def test_the_state_says_who_decided_in_place_of_the_judge() -> None:
    measurement = checked("Refunds take 30 days.", FakeJudge(judgement(judge="llm:m")))
    assert measurement.states["judge"].reason == "llm:m decided 1 of 1"
    assert measurement.signals[0].judgement.judge == "llm:m"


def test_the_state_says_who_could_not_decide() -> None:
    measurement = checked(
        "Refunds take 30 days.", FakeJudge(judgement(note="llm:m did not decide: down"))
    )
    assert measurement.states["judge"].status is SignalStatus.OK
    assert measurement.states["judge"].reason == "llm:m did not decide: down (1)"


def test_the_state_counts_who_decided_how_many_claims_and_who_was_not_there() -> None:
    answer = "Refunds take 30 days and returns are free. Delivery takes two weeks."
    by_model = checked(answer, FakeJudge(judgement(judge="llm:m")))
    (use,) = by_model.states["judge"].judges
    assert use == JudgeUse("llm:m", decided=len(by_model.claims))
    alone = checked(answer, FakeJudge(judgement(missing="llm:m"))).states["judge"].judges
    assert alone == (
        JudgeUse("fake-judge", decided=len(by_model.claims)),
        JudgeUse("llm:m", decided=0, unavailable=len(by_model.claims)),
    )


class ReadsOnly(FakeJudge):
    """A judge that has time for the first claims only."""

    def __init__(self, count: int) -> None:
        super().__init__(judgement())
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
    assert first.nli == NliScores(shares.entail, shares.contradict, shares.neutral) != first.lexical
    assert second.judgement is None
    assert second.nli == second.lexical


TEXT = "Ladders extend 36 inches above the landing."


def test_a_figure_is_replaced_and_the_rest_keeps_its_place():
    result = reword(TEXT, [Rewording(15, 24, "3 feet")])
    assert result.text == "Ladders extend 3 feet above the landing."
    assert result.original(0, 7) == (0, 7)
    above = result.text.index("above")
    assert result.original(above, above + 5) == (TEXT.index("above"), TEXT.index("above") + 5)
    assert result.original(15, 16) is None


@given(st.lists(st.tuples(st.integers(-5, 60), st.integers(-5, 60), st.text(max_size=9))))
def test_what_is_kept_is_the_same_text(items):
    result = reword(TEXT, [Rewording(*item) for item in items])
    for start, end, old in result.unchanged_spans:
        assert result.text[start:end] == TEXT[old : old + end - start]


def test_the_judge_reads_the_figure_of_the_source():
    judge = FakeJudge(judgement(words=((15, 16, 0.9), (22, 27, 0.9))))
    source = Source("s", "Ladders extend 3 feet above the landing.")
    measurement = measure(Submission(TEXT, "", (source,)), judge=judge)
    assert judge.questions[0][2] == ["Ladders extend 3 feet above the landing."]
    assert [TEXT[a:b] for a, b, _ in measurement.signals[0].unsupported] == ["above"]


def test_another_figure_is_left_as_it_is():
    judge = FakeJudge(judgement())
    source = Source("s", "Ladders extend 3 feet above the landing.")
    measure(Submission("Ladders extend 3 inches above the landing.", "", (source,)), judge=judge)
    assert judge.questions[0][2] == ["Ladders extend 3 inches above the landing."]


def measured(answer: str, *texts: str, said: ClaimJudgement | None = None) -> Measurement:
    """Return the answer measured; with `said`, a judge says that of each claim it has read."""
    sources = tuple(Source(f"s{at}", text) for at, text in enumerate(texts))
    return measure(Submission(answer, "", sources), judge=FakeJudge(said) if said else None)


def against(*texts: str, judge: str = "") -> ClaimJudgement:
    windows = tuple(EvidenceWindow(at, 0, len(text), 1.0) for at, text in enumerate(texts))
    return judgement(windows=windows, judge=judge)


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
