"""Reads of the memory, always within one manager and application."""

from memory.selectors.entries import RecalledMemory, recall

__all__ = ["RecalledMemory", "recall"]
