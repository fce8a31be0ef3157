"""Writes of the assistant: `ask_later` stores a question for a worker, `ask` answers it at once."""

from assistant.services.asking import TooManyOpen, ask, ask_later, start_conversation
from assistant.services.briefings import brief_later

__all__ = ["TooManyOpen", "ask", "ask_later", "brief_later", "start_conversation"]
