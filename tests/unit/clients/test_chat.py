"""Question and sources in the messages."""

from typing import Any

from django.conf import settings

from watchdog_client.chat import (
    LONGEST_QUESTION,
    check_options,
    input_messages,
    question_of,
    sources_of,
)

MESSAGES: list[Any] = [
    {"role": "system", "content": "Use this: <context>\nA.\n</context> and <context>B.</context>"},
    {"role": "user", "content": "First?"},
    {"role": "assistant", "content": "<context>not a source</context>"},
    {"role": "tool", "tool_call_id": "1", "content": "Plain result."},
    {"role": "tool", "tool_call_id": "2", "content": '{"price": 7}'},
    {"role": "tool", "tool_call_id": "3", "content": "[broken"},
    {"role": "tool", "tool_call_id": "4", "content": " "},
    {
        "role": "user",
        "content": [{"type": "text", "text": "<context>C.</context>Second?"}, {"type": "image"}],
    },
]


def test_sources_are_context_blocks_and_tool_results_in_order() -> None:
    assert sources_of(MESSAGES) == [
        "A.", "B.", "Plain result.", '{"price": 7}', "[broken", "C.",
    ]  # fmt: skip


def test_the_question_is_the_last_user_message_without_its_context() -> None:
    assert question_of(MESSAGES) == "Second?"
    assert question_of([]) == ""
    long = [{"role": "user", "content": "x" * 30_000 + " Why?"}]
    assert question_of(long) == "x" * 19_995 + " Why?"
    assert settings.MAX_QUERY_CHARACTERS == LONGEST_QUESTION


def test_what_the_application_states_wins() -> None:
    stated: Any = {"query": "Mine?", "sources": []}
    assert check_options(MESSAGES, stated, "m") == {
        "source_model": "m", "query": "Mine?", "sources": [],
    }  # fmt: skip
    without: Any = {"source_model": "m", "query": "Hello"}
    assert check_options([{"role": "user", "content": "Hello"}], {}, "m") == without


def test_a_responses_request_has_instructions_items_and_function_outputs() -> None:
    body = {
        "instructions": "<context>A.</context>",
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": "Why?"}]},
            {"type": "function_call_output", "call_id": "1", "output": "B."},
        ],
    }
    messages = input_messages(body)
    assert (question_of(messages), sources_of(messages)) == ("Why?", ["A.", "B."])
