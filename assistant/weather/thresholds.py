"""Limits in the question itself: "if gusts reach 60 km/h", "below 5 °C"."""

import math
from dataclasses import dataclass
from itertools import chain

from lib.text.figures import quantities
from lib.text.quantity import Quantity
from lib.text.tokens import Tokens
from lib.text.units import DEMANDS
from lib.text.words import word_set

_KMH = 3.6
_KNOT = 1.852
_MOST = 8
_NEAR = 4
_PER_HOUR = 1000.0 * 3600.0
_GUSTS = word_set("gust gusts gusting")
_SUSTAINED = word_set("sustained mean average steady constant")
_COLDER = word_set("below under colder drop drops fall falls")
_RAIN = word_set("rain rainfall precipitation raining snow snowfall wet")
_KNOTS = word_set("knot kt")


@dataclass(frozen=True, slots=True)
class Threshold:
    """A value of a measure: gusts and wind in km/h, precipitation in mm, temperature in °C.

    Hours count from the value upwards; if `below` (cold), from the value downwards.
    """

    measure: str
    value: float
    below: bool = False


def thresholds_in(tokens: Tokens) -> tuple[Threshold, ...]:
    """Return the limits of the question in order, each once, eight at most."""
    limits = [_of(quantity, tokens) for quantity in quantities(tokens, 0, len(tokens))]
    return tuple(dict.fromkeys(chain.from_iterable(limits)))[:_MOST]


def _of(quantity: Quantity, tokens: Tokens) -> list[Threshold]:
    """Return the thresholds of one quantity; "below 30 km/h" is violated by hours from 30 on."""
    value = quantity.low if math.isfinite(quantity.low) else quantity.high
    if not math.isfinite(value):
        return []
    rate = quantity.spelled.startswith("mm/")
    if quantity.unit == "m/s" and not rate:
        return _speeds(round(value * _KMH, 1), _wind_words(tokens, quantity))
    if quantity.things & _KNOTS:
        return _speeds(round(value * _KNOT, 1), _wind_words(tokens, quantity))
    if quantity.unit == "temperature":
        cold = bool(_COLDER & _before(tokens, quantity))
        if not (math.isfinite(quantity.low) and math.isfinite(quantity.high)):
            # Colder hours count for "below 5 °C", and for "at least 5 °C", which demands warmth.
            words = tokens.lower[max(0, quantity.first - 3) : quantity.first]
            demands = any(" ".join(words[at:]) in DEMANDS for at in range(len(words)))
            cold = math.isfinite(quantity.high) != demands
        return [Threshold("temperature", round(value, 1), cold)]
    if rate or (quantity.spelled == "mm" and _RAIN & set(tokens.lower)):
        return [Threshold("precipitation", round(value * (_PER_HOUR if rate else 1000), 2))]
    return []


def _speeds(value: float, words: frozenset[str]) -> list[Threshold]:
    """Return thresholds for gusts, sustained wind, or both if only "wind" is said."""
    gusts, sustained = bool(words & _GUSTS), bool(words & _SUSTAINED)
    measures = [("wind", sustained or not gusts), ("gusts", gusts or not sustained)]
    return [Threshold(name, value) for name, measure in measures if measure]


def _wind_words(tokens: Tokens, quantity: Quantity) -> frozenset[str]:
    """Return the words that tell gusts from wind: those just before, else all of the question's."""
    near = _before(tokens, quantity)
    return near if near & (_GUSTS | _SUSTAINED) else frozenset(tokens.lower)


def _before(tokens: Tokens, quantity: Quantity) -> frozenset[str]:
    return frozenset(tokens.lower[max(0, quantity.first - _NEAR) : quantity.first + 1])
