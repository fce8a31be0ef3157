"""Where a generator answers, and what it is told."""

from dataclasses import dataclass
from typing import TypedDict


class ChatMessage(TypedDict):
    """One message of a conversation; `role` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a generator answers. `key` may be empty for one that asks for none."""

    url: str
    model: str
    key: str = ""
    max_tokens: int = 1024
