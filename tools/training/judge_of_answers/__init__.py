"""Trains the judge of answers, which says whether a sentence answers a question."""
