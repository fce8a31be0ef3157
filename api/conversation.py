"""`messages`: a conversation that holds the answer to check and its question."""

from typing import Any

from django.conf import settings
from rest_framework import serializers

from accounts.inputs import InputSerializer
from analysis.engine.conversation import Role, last_answer, turns_of
from api.errors import nested
from api.fields import TextField


class ConversationMessage(InputSerializer):
    """One message of a conversation."""

    role = serializers.ChoiceField(choices=[str(role) for role in Role])
    content = TextField(allow_blank=True)


def answer_and_question(messages: list[dict[str, Any]]) -> dict[str, str]:
    """The answer and the question of a conversation.

    Raises ValidationError where the assistant says nothing, or more than a check takes.
    """
    exchange = last_answer(turns_of(messages), settings.MAX_QUERY_CHARACTERS)
    if exchange is None:
        raise _wrong("messages", "No message is from the assistant, so there is nothing to check.")
    where = f"messages[{exchange.at}].content"
    if not exchange.answer.strip():
        raise _wrong(where, "The assistant's last message is empty, so there is nothing to check.")
    _check_length(where, exchange.answer, settings.MAX_ANSWER_CHARACTERS)
    if exchange.question:
        _check_length(
            f"messages[{exchange.asked_at}].content",
            exchange.question,
            settings.MAX_QUERY_CHARACTERS,
        )
    return {"answer": exchange.answer, "query": exchange.question}


def _check_length(where: str, text: str, most: int) -> None:
    if len(text) > most:
        raise _wrong(where, f"Has {len(text):,} characters; at most {most:,} are allowed.")


def _wrong(where: str, why: str) -> serializers.ValidationError:
    return serializers.ValidationError(nested(where, why))
