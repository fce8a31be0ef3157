"""The registry lists all that is measured."""

from dataclasses import fields

from analysis.engine.signal_types import Measurement, SignalName, VerifierSignal
from analysis.engine.signals.registry import SIGNALS, SignalValues, Stored

ELSEWHERE = {SignalName.CLAIMS, SignalName.RETRIEVAL}
"""Measured before the signals: by the extraction of claims, and by the search."""


def test_every_signal_is_registered_with_a_field_for_its_value() -> None:
    registered = [signal.name for signal in SIGNALS]
    assert set(registered) == set(SignalName) - ELSEWHERE, "SIGNALS needs a row for each name"
    valued = [field.name for field in fields(SignalValues)]
    assert sorted(registered) == sorted(valued), "SignalValues needs a field of each name"


def test_a_value_stored_by_its_name_has_a_field_of_that_name() -> None:
    holders = {Stored.OF_CLAIM: VerifierSignal, Stored.OF_ANSWER: Measurement}
    for signal in SIGNALS:
        if holder := holders.get(signal.stored):
            assert signal.name in {field.name for field in fields(holder)}, (
                f"{holder.__name__} in signal_types.py needs a field named {signal.name}"
            )
