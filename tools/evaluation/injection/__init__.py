"""Rates of the scan for prompt injection, and the fit of its weights."""
