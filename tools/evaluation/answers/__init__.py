"""Verdicts on labelled answers: figures, reports, thresholds and the gate."""
