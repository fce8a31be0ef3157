"""Reads of the assistant, always within one application."""

from assistant.selectors.turns import (
    conversation_document,
    conversation_of,
    conversations_of,
    conversations_with,
    has_ended,
    progress_of,
    turn_document,
    turn_of,
    turns_of,
)

__all__ = [
    "conversation_document",
    "conversation_of",
    "conversations_of",
    "conversations_with",
    "has_ended",
    "progress_of",
    "turn_document",
    "turn_of",
    "turns_of",
]
