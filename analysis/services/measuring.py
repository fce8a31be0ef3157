"""Measuring with the models that the settings name: the way of the worker and of all commands."""

from dataclasses import replace

from django.conf import settings

from analysis.embedding import CheckEmbedder
from analysis.engine import measure
from analysis.engine.policy.rules import DEFAULT_RULES, PolicyRules
from analysis.engine.types import Measurement, Submission
from analysis.nli import nli
from analysis.services.sampling import sampled, with_samples


def measured(submission: Submission, rules: PolicyRules = DEFAULT_RULES) -> Measurement:
    """Every signal of the submission. A model that is missing is stated in its state.

    Where the policy asks for samples and none were given, they are drawn first.
    """
    drawn = sampled(submission, rules)
    if drawn is not None:
        submission = replace(submission, samples=drawn.texts)
    measurement = measure(submission, nli(), CheckEmbedder(), settings.MAX_CLAIMS)
    return measurement if drawn is None else with_samples(measurement, drawn)
