"""`messages`: a conversation that contains the answer to check and its question."""

from typing import Any

from django.conf import settings
from rest_framework import serializers

from accounts.inputs import InputSerializer, ListField
from analysis.engine.conversation import Role, last_answer, tool_results, turns_of
from api.errors import nested
from api.fields import TextField

_LONGEST_NAME, _MOST_CALLS = 200, 128


class ToolFunction(InputSerializer):
    """The function that a tool call names."""

    name = TextField(max_length=_LONGEST_NAME)
    arguments = TextField(allow_blank=True)


class ToolCall(InputSerializer):
    """One call of a tool, as OpenAI-compatible APIs return it."""

    id = TextField(required=False, max_length=_LONGEST_NAME)
    type = TextField(required=False, max_length=_LONGEST_NAME)
    function = ToolFunction()


class ConversationMessage(InputSerializer):
    """One message of a conversation."""

    role = serializers.ChoiceField(choices=[str(role) for role in Role])
    content = TextField(allow_blank=True, allow_null=True)
    name = TextField(required=False, max_length=_LONGEST_NAME)
    tool_call_id = TextField(required=False, max_length=_LONGEST_NAME)
    tool_calls = ListField(child=ToolCall(), required=False, max_length=_MOST_CALLS)

    def validate_content(self, value: str | None) -> str:
        """Return "" for null, the content of messages that only call tools."""
        return value or ""


def exchange_of(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a conversation's answer, question and the tool results before the answer.

    Raises ValidationError if the assistant says nothing, or more than a check accepts.
    """
    turns = turns_of(messages)
    exchange = last_answer(turns, settings.MAX_QUERY_CHARACTERS)
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
    results = tool_results(turns[: exchange.at])
    sources = {"sources": results} if results else {}
    return {"answer": exchange.answer, "query": exchange.question, **sources}


def _check_length(where: str, text: str, most: int) -> None:
    if len(text) > most:
        raise _wrong(where, f"Has {len(text):,} characters; at most {most:,} are allowed.")


def _wrong(where: str, why: str) -> serializers.ValidationError:
    return serializers.ValidationError(nested(where, why))
