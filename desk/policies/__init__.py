"""Policies: versions, replays and trials of them, advice on thresholds."""
