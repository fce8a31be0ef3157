"""`messages`: a conversation that holds the answer to check and its question."""

from typing import Any

from django.conf import settings
from rest_framework import serializers

from accounts.inputs import InputSerializer
from analysis.engine.conversation import Role, asked, turns_of
from api.errors import nested
from api.fields import TextField


class ConversationMessage(InputSerializer):
    """One message of a conversation."""

    role = serializers.ChoiceField(choices=[str(role) for role in Role])
    content = TextField(allow_blank=True)


def said(messages: list[dict[str, Any]]) -> dict[str, str]:
    """The answer and the question of a conversation.

    Raises ValidationError where the assistant says nothing, or more than a check takes.
    """
    found = asked(turns_of(messages), settings.MAX_QUERY_CHARACTERS)
    if found is None:
        raise _wrong("messages", "No message is the assistant's: there is no answer to check.")
    where = f"messages[{found.at}].content"
    if not found.answer.strip():
        raise _wrong(where, "The assistant's last message says nothing that could be checked.")
    _bound(where, found.answer, settings.MAX_ANSWER_CHARACTERS)
    if found.question:
        _bound(f"messages[{found.asked_at}].content", found.question, settings.MAX_QUERY_CHARACTERS)
    return {"answer": found.answer, "query": found.question}


def _bound(where: str, text: str, most: int) -> None:
    if len(text) > most:
        raise _wrong(where, f"{len(text):,} characters; at most {most:,} are read.")


def _wrong(where: str, why: str) -> serializers.ValidationError:
    return serializers.ValidationError(nested(where, why))
