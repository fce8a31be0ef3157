"""Advice on the thresholds of the risk score, from reviewed answers: a lead decides."""
