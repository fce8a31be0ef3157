"""Each signal as one figure of the answer: the worst claim's."""

from analysis.engine import measure
from analysis.engine.types import Source, Submission
from desk.scoring.signals import by_name

SOURCES = (Source("a", "The tower is 330 metres tall. It stands in Paris."),)


def test_the_worst_claim_counts() -> None:
    good = by_name(measure(Submission("The tower is 330 metres tall.", "", SOURCES)))
    bad = "The tower is 330 metres tall. The tower is 500 metres tall."
    values = by_name(measure(Submission(bad, "", SOURCES)))
    assert good["contradicted"] == 0
    assert values["contradicted"] > 0.5
    assert values["conflicts"] == 1
    assert good["figures not found"] == 0
    assert good["internal contradictions"] == 0
    assert values["internal contradictions"] == 1


def test_a_signal_with_nothing_to_say_is_none() -> None:
    values = by_name(measure(Submission("The tower is very tall.", "", None)))
    assert values["not entailed"] is None
    assert values["uncertainty"] is None
    assert values["overconfident wordings"] == 0
    no_figures = by_name(measure(Submission("The tower stands there.", "", SOURCES)))
    assert no_figures["figures not found"] is None
