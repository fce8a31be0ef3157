"""What managers stated and this server keeps for their later questions (docs/memory.md)."""
