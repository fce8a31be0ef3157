"""Reads of policies, replays and trials."""
