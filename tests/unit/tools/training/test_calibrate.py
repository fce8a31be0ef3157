"""The calibration finds the factors that made the labels, whatever the shares of the sets."""

import math
import random

from tools.training.calibrate import RatedAnswer, fit


def test_it_finds_what_made_the_labels_whatever_the_shares_of_the_sets() -> None:
    chance = random.Random(7)
    rows = []
    for _ in range(6000):
        worst, record = chance.uniform(-4, 4), float(chance.random() < 0.5)
        label = chance.random() < 1 / (1 + math.exp(-(1.2 * worst - 1.5 * record)))
        name = "prose" if chance.random() < 0.9 else "few"
        rows.append(RatedAnswer((worst, record), int(label), name))
    fitted = fit(rows)
    assert abs(fitted.worst - 1.2) < 0.15
    assert abs(fitted.record + 1.5) < 0.3
