"""Diagnoses an installation in plain words, with a remedy for each problem."""

from operations.doctor.findings import Finding, Level, worst_level
from operations.doctor.run import examine

__all__ = ["Finding", "Level", "examine", "worst_level"]
