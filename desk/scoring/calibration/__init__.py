"""Fits a judge and policy thresholds to an operator's labelled answers."""
