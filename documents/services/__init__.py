"""Writes of the documents app: keyword-only, atomic, each says `by` whom."""
