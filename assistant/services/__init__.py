"""Writes of the assistant: `ask_later` stores a question for a worker, `ask` answers it at once."""

from assistant.services.asking import TooManyOpen, ask, ask_later, start_conversation
from assistant.services.briefings import brief, brief_later, start_briefing
from assistant.services.lifecycle import accept

__all__ = [
    "TooManyOpen",
    "accept",
    "ask",
    "ask_later",
    "brief",
    "brief_later",
    "start_briefing",
    "start_conversation",
]
