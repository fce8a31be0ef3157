"""Writes of the assistant: `ask_later` stores a question for a worker, `ask` answers it at once."""

from assistant.services.accepting import TooManyOpen, ask_later, brief_later
from assistant.services.asking import ask, start_conversation
from assistant.services.briefings import brief, start_briefing
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
