"""Measuring with the models that the settings name: the way of the worker and of all commands."""

from analysis.engine import measure
from analysis.engine.types import Measurement, Submission
from analysis.nli import nli


def measured(submission: Submission) -> Measurement:
    """Every signal of the submission. A model that is missing is stated in its state."""
    return measure(submission, nli())
