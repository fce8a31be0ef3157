"""Exact facts: what code alone can decide about a claim's figures."""
