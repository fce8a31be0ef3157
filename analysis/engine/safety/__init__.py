"""Decides when an answer must be declined, and what replaces it."""
