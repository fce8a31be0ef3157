"""Stored measurements decided again under other policies."""
