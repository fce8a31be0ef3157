"""Writes of the assistant: `accept` keeps a question, `ask` answers it at once."""

from assistant.services.asking import ask, start_conversation
from assistant.services.briefings import brief, start_briefing
from assistant.services.life import accept

__all__ = ["accept", "ask", "brief", "start_briefing", "start_conversation"]
