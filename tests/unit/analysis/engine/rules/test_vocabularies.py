"""Rules first look for one word of their vocabulary: none may pass over what its pattern finds."""

import pytest

from analysis.engine.evidence.framing import PLAIN, frame_of
from analysis.engine.facts.figures import figures
from analysis.engine.facts.reading import Evidence, FigureQuery, whole
from analysis.engine.facts.subject import match
from analysis.engine.rules.plans import planned_verbs
from lib.text.tokens import MARK, NUMBER, numbers, plain_words, tokenize

PLANS = (
    "plans to; planned to; planning to; plan for; intends to; intended to; the intention of; hopes "
    "to; hoped to; aims to; aimed to; wants to; wanted to; agreed to; agrees to; proposes to; "
    "proposed to; a proposal to; expects to; expected to; is scheduled to; due to; a deal to; "
    "an agreement to; offered to; an offer to; a bid to; promised to; promises to; vows to; in "
    "talks to; vowed to; is to; are to; was to; were to; will; would; may; might; could"
)
FRAMES = """\
It is a myth that the tower leans.
Nobody says that the tower leans.
Myth: the tower leans.
Until 1998 the tower leaned.
Formerly the tower leaned.
In the past the tower leaned.
The tower used to lean.
The tower leans no more
Critics argue that the tower leans.
It was rumoured that the tower leans.
It is assumed that the tower leans.
The tower allegedly leans.
According to some, the tower leans.
By no means does the tower lean.
In no way does the tower lean.
The tower is far from straight.
The tower is anything but straight.
The tower is not quite straight.
The tower hardly leans.
It would be odd if the tower leaned.
If only the tower leaned.
In a parallel world the tower leans.
In an ideal world the tower leans.
In fiction the tower leans.
The tower might lean.
The tower should have leaned.
The idea that the tower leans is wrong.
The tower leans, which is a myth."""


@pytest.mark.parametrize("plan", PLANS.split("; "))
def test_every_way_to_plan_is_found(plan: str) -> None:
    assert planned_verbs(f"the firm {plan} buy the mill".split()) == {"buy"}


@pytest.mark.parametrize("gerund", ["is considering", "proposes", "discussed", "plans"])
def test_what_is_planned_may_be_a_gerund(gerund: str) -> None:
    assert "build" in planned_verbs(f"the firm {gerund} building a mill".split())


@pytest.mark.parametrize("sentence", FRAMES.splitlines())
def test_every_frame_is_found(sentence: str) -> None:
    tokens = tokenize(sentence)
    assert frame_of(tokens, 0, len(tokens)) != PLAIN


@pytest.mark.parametrize("text", ["It meets twice a week.", "Open on weekdays.", "Paid monthly."])
def test_figures_without_a_number_are_found(text: str) -> None:
    assert figures(whole(text))


@pytest.mark.parametrize(
    "evidence",
    [
        "The northern tower was built in 1932 and is 30 metres tall.",
        "In May 1998 the tower was 30 metres tall, the bridge 40 metres.",
        "It is 30 metres tall.",
    ],
)
def test_no_figure_is_more_about_a_claim_than_its_passage_can_be(evidence: str) -> None:
    query = FigureQuery.of(whole("The northern tower built in May 1998 is 50 metres tall."))
    passage = Evidence(whole(evidence))
    for weights in query.weights:
        most = weights.reach(passage.terms)
        assert all(match(weights, about, query.names) <= most + 1e-9 for about in passage.subjects)


@pytest.mark.parametrize(
    "text", ["At 5 p.m., 1,280 people_2 don't go.", "Le café n’a 3 places; 東京"]
)
def test_plain_words_are_the_words_of_all_tokens(text: str) -> None:
    tokens = tokenize(text)
    words = [word for word, kind in zip(tokens.lower, tokens.kinds, strict=True) if kind != MARK]
    assert plain_words(text) == words
    digits = [at for at, kind in enumerate(tokens.kinds) if kind == NUMBER]
    assert list(numbers(tokens, 0, len(tokens))) == digits
    assert list(numbers(tokens, 1, 2)) == [at for at in digits if at == 1]
