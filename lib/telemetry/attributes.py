"""Attributes of spans, named as in OpenInference (https://github.com/Arize-ai/openinference).

Questions, answers and sources are given by their length; their text stands there only where it was
switched on (TRACE_CONTENT). Pure functions.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from lib.telemetry.tracing import Attributes, shows_content

KIND = "openinference.span.kind"
GUARDRAIL, RETRIEVER, EVALUATOR, LLM = "GUARDRAIL", "RETRIEVER", "EVALUATOR", "LLM"
MOST_DOCUMENTS = 50


def input_attributes(
    kind: str, question: str, answer: str, metadata: Mapping[str, Any]
) -> Attributes:
    """Return the input of a check; `metadata` are ids."""
    return {
        KIND: kind,
        "metadata": json.dumps(metadata),
        "watchdog.question.characters": len(question),
        "watchdog.answer.characters": len(answer),
        **text("input", question),
        "watchdog.answer": answer if shows_content() else None,
    }


def text(side: str, value: str) -> Attributes:
    """Return `input.value` or `output.value`, or nothing where content is not shown."""
    if not shows_content():
        return {}
    return {f"{side}.value": value, f"{side}.mime_type": "text/plain"}


def documents(sources: Sequence[tuple[str, str, float | None]]) -> Attributes:
    """Return the id, the text and the relevance (0 to 1) of each source, in order."""
    attributes: dict[str, Any] = {"watchdog.sources": len(sources)}
    for number, (id_, content, score) in enumerate(sources[:MOST_DOCUMENTS]):
        name = f"retrieval.documents.{number}.document"
        attributes[f"{name}.id"] = id_
        attributes[f"{name}.score"] = score
        attributes[f"{name}.metadata"] = json.dumps({"characters": len(content)})
        if shows_content():
            attributes[f"{name}.content"] = content
    return attributes


def model(kind: str, name: str, **counts: int | None) -> Attributes:
    """Return the attributes of a model that was called; `counts` become `llm.token_count.…`."""
    tokens = {f"llm.token_count.{of}": number for of, number in counts.items()}
    return {KIND: kind, "llm.model_name": name, **tokens}
