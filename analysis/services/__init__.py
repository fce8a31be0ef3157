"""Writes of the analysis app: keyword-only, atomic, each says `by` whom."""
