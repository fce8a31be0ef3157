"""Decides stored measurements again under other policies."""
