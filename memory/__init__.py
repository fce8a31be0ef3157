"""Managers' statements, kept for their later questions (docs/concepts/memory.md)."""
