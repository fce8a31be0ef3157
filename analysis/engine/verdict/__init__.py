"""Signals of a claim to its verdict, and claims to scores and actions."""
