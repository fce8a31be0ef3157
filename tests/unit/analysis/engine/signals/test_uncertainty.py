import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine import measure
from analysis.engine.signals.uncertainty import FLOOR, LogprobsError, Token, entropy, read_logprobs
from analysis.engine.types import SignalStatus, Submission

ANSWER = "Refunds take 14 days. The shop is in Oslo."
WORDS = ["Refunds", " take", " 14", " days", ".", " The", " shop", " is", " in", " Oslo", "."]


def tokens(words, logprobs=None, top=None):
    """Return `logprobs.content` for the words, each -1 unless said otherwise."""
    return [
        {
            "token": word,
            "logprob": (logprobs or {}).get(word, -1.0),
            "bytes": list(word.encode()),
            "top_logprobs": [] if top is None else top,
        }
        for word in words
    ]


def uncertain(token_logprobs, answer=ANSWER):
    measurement = measure(Submission(answer, token_logprobs=token_logprobs))
    return measurement.states["uncertainty"], [signal.uncertainty for signal in measurement.signals]


def test_not_given_does_not_apply():
    state, values = uncertain(None)
    assert state.status is SignalStatus.NOT_APPLICABLE
    assert values == [None, None]


def test_each_claim_has_the_mean_of_its_own_tokens():
    state, (first, second) = uncertain(tokens(WORDS, {" 14": -4.0, " Oslo": -0.5}))
    assert state.status is SignalStatus.OK
    assert state.model == "logprobs-1"
    assert (first.nll, first.max_nll, first.tokens) == (1.75, 4.0, 4)
    assert (second.nll, second.max_nll, second.tokens) == (0.9, 1.0, 5)
    assert first.mean_entropy is None


def test_entropy_is_over_the_likeliest_tokens_and_what_they_leave():
    half = math.log(0.5)
    quarter = math.log(0.25)
    even = Token(b"a", half, ((b"a", half), (b"b", half)))
    assert entropy(even) == pytest.approx(math.log(2))
    token = Token(b"a", half, ((b"a", half), (b"b", quarter)))
    assert entropy(token) == pytest.approx(0.5 * math.log(2) + 0.5 * math.log(4))
    unlisted = Token(b"c", quarter, ((b"a", half), (b"b", quarter)))
    assert entropy(unlisted) == pytest.approx(0.5 * math.log(2) + 0.5 * math.log(4))
    sure = Token(b"a", 0.0, ((b"a", 0.0),))
    assert entropy(sure) == pytest.approx(0.0)


def test_the_mean_entropy_of_a_claim():
    half = math.log(0.5)
    top = [{"token": "x", "logprob": half}, {"token": "y", "logprob": half}]
    token_logprobs = tokens(WORDS, dict.fromkeys(WORDS, half), top)
    _, (first, _) = uncertain(token_logprobs)
    assert first.mean_entropy == pytest.approx(math.log(3), abs=1e-4)


def test_tokens_that_split_a_character_are_put_together_by_their_bytes():
    answer = "Der Café-Besitzer heißt 🙂 Müller."
    data = answer.encode()
    cut = [data[at : at + 3] for at in range(0, len(data), 3)]
    token_logprobs = [
        {"token": part.decode(errors="replace"), "logprob": -at, "bytes": list(part)}
        for at, part in enumerate(cut)
    ]
    state, (value,) = uncertain(token_logprobs, answer)
    assert state.status is SignalStatus.OK
    assert value.tokens == len(cut)


def test_without_bytes_the_tokens_themselves_are_read():
    token_logprobs = [{"token": word, "logprob": -1.0} for word in WORDS]
    state, values = uncertain(token_logprobs)
    assert state.status is SignalStatus.OK
    assert [value.tokens for value in values] == [4, 5]


def test_white_space_around_the_answer_may_differ():
    shifted = ["\n", " ", *WORDS, "\n\n"]
    _, (first, second) = uncertain(tokens(shifted, {" Oslo": -3.0}), f" {ANSWER}")
    assert (first.tokens, first.max_nll) == (4, 1.0)
    assert (second.tokens, second.max_nll) == (5, 3.0)


def test_the_whole_logprobs_object_is_read_too():
    state, _ = uncertain({"content": tokens(WORDS), "refusal": None})
    assert state.status is SignalStatus.OK


@pytest.mark.parametrize("words", [WORDS[:-3], [*WORDS, " More."], ["Other", *WORDS[1:]]])
def test_tokens_of_another_text_are_an_error_with_a_reason(words):
    state, values = uncertain(tokens(words))
    assert state.status is SignalStatus.ERROR
    assert "do not add up to the answer" in state.reason
    assert values == [None, None]


def test_a_token_of_no_chance_does_not_drown_the_mean():
    _, (first, _) = uncertain(tokens(WORDS, {" 14": -9999.0}))
    assert first.max_nll == -FLOOR


@pytest.mark.parametrize(
    ("token_logprobs", "path"),
    [
        ("text", ""),
        ([], ""),
        ({}, "content"),
        ({"content": 3}, "content"),
        ([3], "[0]"),
        ([{"logprob": -1.0}], "[0].token"),
        ([{"token": "a"}], "[0].logprob"),
        ([{"token": "a", "logprob": True}], "[0].logprob"),
        ([{"token": "a", "logprob": 0.7}], "[0].logprob"),
        ([{"token": "a", "logprob": float("nan")}], "[0].logprob"),
        ([{"token": "a", "logprob": -1, "bytes": "a"}], "[0].bytes"),
        ([{"token": "a", "logprob": -1, "bytes": [256]}], "[0].bytes"),
        ([{"token": "a", "logprob": -1, "top_logprobs": 3}], "[0].top_logprobs"),
        ([{"token": "a", "logprob": -1, "top_logprobs": [{}]}], "[0].top_logprobs[0].token"),
        (
            [{"token": "a", "logprob": -1, "top_logprobs": [{"token": "b", "logprob": -1}] * 21}],
            "[0].top_logprobs",
        ),
        ({"content": [{"token": "a", "logprob": -1}, {}]}, "content[1].token"),
    ],
)
def test_another_shape_is_refused_with_its_path(token_logprobs, path):
    with pytest.raises(LogprobsError) as raised:
        read_logprobs(token_logprobs)
    assert raised.value.path == path
    assert uncertain(token_logprobs)[0].status is SignalStatus.ERROR


@given(st.text(min_size=1, max_size=60).filter(str.strip), st.data())
def test_any_split_into_tokens_is_mapped(answer, data):
    answer = answer.encode("utf-8", "replace").decode()
    raw = answer.encode()
    cuts = sorted(data.draw(st.sets(st.integers(0, len(raw)), max_size=8)) | {0, len(raw)})
    parts = [raw[a:b] for a, b in pairwise(cuts)]
    token_logprobs = [{"token": "?", "logprob": -1.0, "bytes": list(part)} for part in parts]
    measurement = measure(Submission(answer, "Who?", token_logprobs=token_logprobs))
    assert measurement.states["uncertainty"].status in (
        SignalStatus.OK,
        SignalStatus.NOT_APPLICABLE,
    )
    for signal in measurement.signals:
        assert signal.uncertainty.nll == 1.0
        assert 1 <= signal.uncertainty.tokens <= len(parts)
