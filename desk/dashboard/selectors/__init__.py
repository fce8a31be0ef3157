"""Reads of the figures."""
