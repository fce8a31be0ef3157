"""Splits an answer into atomic claims with their offsets."""
