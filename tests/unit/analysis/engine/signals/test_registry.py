"""The registry lists all that is measured."""

from dataclasses import fields

from analysis.engine.signals.registry import SIGNALS, SignalValues
from analysis.engine.types import SignalName

ELSEWHERE = {SignalName.CLAIMS, SignalName.RETRIEVAL}
"""Measured before the signals: by the extraction of claims, and by the search."""


def test_every_signal_is_registered_with_a_field_for_its_value() -> None:
    registered = [signal.name for signal in SIGNALS]
    assert set(registered) == set(SignalName) - ELSEWHERE, "SIGNALS needs a row for each name"
    valued = [field.name for field in fields(SignalValues)]
    assert sorted(registered) == sorted(valued), "SignalValues needs a field of each name"
