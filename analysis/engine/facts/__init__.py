"""Exact facts: what code alone can settle about the figures and abbreviations of a claim."""
