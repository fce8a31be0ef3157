"""Writes of the memory: `remember` after a turn, `undo` if it was not wanted."""

from memory.services.managers import NotUndoable, correct, delete, undo
from memory.services.remembering import remember

__all__ = ["NotUndoable", "correct", "delete", "remember", "undo"]
