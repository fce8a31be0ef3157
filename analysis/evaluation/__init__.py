"""Measuring the verifier on labelled answers: pure functions, no database, no model of its own."""
