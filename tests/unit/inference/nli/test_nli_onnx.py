import threading

import numpy as np
import pytest

from inference.errors import ModelError
from inference.nli.onnx_pairs import OnnxPairs
from tests.unit.inference.nli.handmade import STRENGTH, graph


@pytest.fixture(scope="module", params=[1, 3])
def model(request, tmp_path_factory):
    """Batches one after the other or three at a time."""
    return OnnxPairs(graph(tmp_path_factory.mktemp("model")), threads=request.param)


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


def test_a_pair_that_is_too_long_says_so(model):
    short, long = model.score([("a", "yes"), ("a " * 30, "yes")])
    assert not short.truncated
    assert long.truncated
    assert three(long) == pytest.approx(shares(entail=1))


def test_a_graph_that_takes_something_else_fails_and_says_which(tmp_path):
    session = OnnxPairs(graph(tmp_path, extra="places"), threads=3)
    with pytest.raises(ModelError, match=r"handmade.* failed on 3 pairs"):
        session.score([("a", "yes"), ("a", "no"), ("b", "bad")])


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
