"""Reads of the assistant, always within one application."""
