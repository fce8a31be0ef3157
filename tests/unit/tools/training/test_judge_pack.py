"""Differences in four bits and eight come back close to what they were."""

import numpy as np
import pytest

from inference.judge.parameters import GROUP, expand_nibbles
from tools.training.judge.pack import to_nibbles


def test_four_bits_err_by_at_most_half_a_step():
    change = np.random.default_rng(0).normal(0, 0.01, (8, 4 * GROUP)).astype(np.float32)
    packed, scales = to_nibbles(change)
    assert packed.nbytes == change.size // 2
    error = np.abs(expand_nibbles(packed, scales) - change).reshape(8, 4, GROUP)
    largest = np.abs(change).reshape(8, 4, GROUP).max(axis=-1)
    assert (error.max(axis=-1) <= largest / 14 * 1.01).all()


def test_nothing_changed_stays_nothing():
    packed, scales = to_nibbles(np.zeros((2, GROUP), np.float32))
    assert expand_nibbles(packed, scales) == pytest.approx(0, abs=1e-6)
