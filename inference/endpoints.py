"""The endpoint of a generator, and the messages it receives."""

from dataclasses import dataclass
from typing import TypedDict


class ChatMessage(TypedDict):
    """One message of a conversation; `role` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The endpoint of a generator. `key` may be empty if none is needed."""

    url: str
    model: str
    key: str = ""
    max_tokens: int = 1024
