"""What managers stated, kept for their later questions (docs/concepts/memory.md)."""
