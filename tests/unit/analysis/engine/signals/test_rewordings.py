"""Sentences with their figures as the sources write them."""

from hypothesis import given
from hypothesis import strategies as st

from analysis.engine.measurement import measure
from analysis.engine.rules.figures import Rewording
from analysis.engine.signals.rewordings import reword
from analysis.engine.types import Source, Submission
from tests.unit.analysis.engine.signals.test_judgement import FakeJudge, Said

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
    judge = FakeJudge(Said(words=((15, 16, 0.9), (22, 27, 0.9))))
    source = Source("s", "Ladders extend 3 feet above the landing.")
    measurement = measure(Submission(TEXT, "", (source,)), judge=judge)
    assert judge.questions[0][2] == ["Ladders extend 3 feet above the landing."]
    assert [TEXT[a:b] for a, b, _ in measurement.signals[0].unsupported] == ["above"]


def test_another_figure_is_left_as_it_is():
    judge = FakeJudge(Said())
    source = Source("s", "Ladders extend 3 feet above the landing.")
    measure(Submission("Ladders extend 3 inches above the landing.", "", (source,)), judge=judge)
    assert judge.questions[0][2] == ["Ladders extend 3 inches above the landing."]
