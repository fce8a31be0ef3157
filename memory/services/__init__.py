"""Writes of the memory: `remember` after a turn, `undo` where it was not wanted."""

from memory.services.changing import NotUndoable, undo
from memory.services.remembering import remember

__all__ = ["NotUndoable", "remember", "undo"]
