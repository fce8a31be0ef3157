"""Accuracy of verdicts according to reviewers: the figures of `evaluate` over stored signals."""
