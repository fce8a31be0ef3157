"""Advice on risk-score thresholds from reviewed answers; a lead decides."""
