import math
import threading
from dataclasses import replace

import numpy as np
import pytest

from inference.errors import ModelError
from inference.nli.onnx_pairs import OnnxPairs
from tests.unit.inference.nli.handmade import STRENGTH, graph


@pytest.fixture(scope="module", params=[(False, 1), (False, 3), (True, 1), (True, 3)])
def model(request, tmp_path_factory):
    """Pairs read together or each alone, one after the other or three at a time."""
    alone, threads = request.param
    return OnnxPairs(graph(tmp_path_factory.mktemp("model"), alone=alone), threads=threads)


def shares(entail=0, contradict=0):
    powers = np.exp(np.array([entail, contradict, 0]) * STRENGTH)
    return tuple(powers / powers.sum())


def three(score):
    return (score.entail, score.contradict, score.neutral)


def test_the_scores_follow_the_labels(model):
    yes, no, neither = model.score([("a", "yes"), ("a", "no"), ("a", "b")])
    assert three(yes) == pytest.approx(shares(entail=1))
    assert three(no) == pytest.approx(shares(contradict=1))
    assert three(neither) == pytest.approx(shares())


def test_window_and_claim_are_not_mixed_up(model):
    loud, silent = model.score([("loud", "b"), ("b", "loud")])
    assert three(loud) == pytest.approx(shares(entail=1))
    assert three(silent) == pytest.approx(shares())


def test_pairs_of_any_length_keep_their_order_and_do_not_touch_each_other(model):
    claims = [("yes " * (n % 3) + "a " * (n % 7) or "b") for n in range(40)]
    together = model.score([("a " * (n % 11), claim) for n, claim in enumerate(claims)])
    alone = [model.score([("a " * (n % 11), claim)])[0] for n, claim in enumerate(claims)]
    assert together == alone
    assert model.score([]) == []


def test_each_word_of_the_claim_has_a_probability_of_being_unsupported(model):
    claim = "a bad unbad."
    (score,) = model.score([("bad", claim)])
    high, low = 1 / (1 + math.exp(-STRENGTH / 2)), 1 / (1 + math.exp(STRENGTH / 2))
    assert [(claim[s:e], round(p, 5)) for s, e, p in score.spans] == [
        ("a", round(low, 5)),
        ("bad", round(high, 5)),
        ("unbad", round(high, 5)),
        (".", round(low, 5)),
    ]


def test_without_a_token_head_there_are_no_spans(tmp_path):
    plain = OnnxPairs(graph(tmp_path, spans=False), threads=1)
    assert plain.score([("a", "bad")])[0].spans == ()


def test_a_pair_that_is_too_long_says_so(model):
    short, long = model.score([("a", "yes"), ("a " * 30, "yes")])
    assert not short.truncated
    assert long.truncated
    assert three(long) == pytest.approx(shares(entail=1))


def test_a_graph_that_reads_pairs_alone_fails_as_a_whole_and_says_which(tmp_path):
    wrong = graph(tmp_path, alone=True)
    onnx_pairs = OnnxPairs(replace(wrong, table=np.zeros((99, 4), np.float32)), threads=3)
    with pytest.raises(ModelError, match=r"handmade.* failed on 1 pairs"):
        onnx_pairs.score([("a", "yes"), ("a", "no"), ("b", "bad")])


def test_calibration_moves_the_scores(tmp_path):
    calm = graph(tmp_path, scales=(0.5, 0.5, 0.5), biases=(0.0, 0.0, 1.0), token_scale=2.0)
    (score,) = OnnxPairs(calm, threads=1).score([("a", "yes bad")])
    powers = np.exp([STRENGTH / 2, 1.0, 0.0])
    assert three(score) == pytest.approx(tuple(powers / powers.sum()))
    assert score.spans[1][2] == pytest.approx(1 / (1 + math.exp(-STRENGTH)))


def test_threads_share_one_session(model):
    pairs = [("a", "yes " * (n % 4) + "no " * (n % 3) + "b") for n in range(24)]
    expected, wrong = model.score(pairs), []

    def work(at):
        if any(model.score([pairs[at]]) != [expected[at]] for _ in range(20)):
            wrong.append(at)

    threads = [threading.Thread(target=work, args=(at,)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
