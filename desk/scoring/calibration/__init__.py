"""Fitting a judge and the thresholds of a policy to labelled answers of an operator."""
