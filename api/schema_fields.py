"""Fields that describe payloads, and the enums that the schema names."""

from typing import Any

from rest_framework import serializers

from analysis.engine.safety.model import RejectionReason, SafetyCheck
from analysis.engine.types import ClaimStatus, LowConfidenceReason, SignalStatus

# The settings name these components of the schema after them.
CLAIM_STATUSES = [str(status) for status in ClaimStatus]
REASONS = [str(reason) for reason in LowConfidenceReason]
REJECTION_REASONS = [str(reason) for reason in RejectionReason]
SAFETY_CHECKS = [str(check) for check in SafetyCheck]
SIGNAL_STATUSES = [str(status) for status in SignalStatus]


def share(text: str = "", **options: Any) -> serializers.FloatField:
    """Return a field for a number from 0 to 1, or another measure that `text` explains."""
    return serializers.FloatField(help_text=text or None, **options)


def span(text: str, **options: Any) -> serializers.ListField:
    """Return a field for a start and an end."""
    return serializers.ListField(
        child=serializers.IntegerField(), min_length=2, max_length=2, help_text=text, **options
    )
