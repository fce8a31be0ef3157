"""The prompt of a language-model judge: the sources as marked data, the claims by number.

The prompt's text is a file beside this module, so that changes are visible; its hash is in the
judge's id, since labels only compare under the same prompt.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from inference.endpoints import ChatMessage

TEXT = Path(__file__).with_name("prompt.txt").read_text(encoding="utf-8")
VERSION = f"claims-{hashlib.sha256(TEXT.encode()).hexdigest()[:8]}"
SUPPORTED, CONTRADICTED, NOT_IN_SOURCES = "supported", "contradicted", "not_in_sources"
LABELS = (SUPPORTED, CONTRADICTED, NOT_IN_SOURCES)
_MOST_QUOTATIONS = 4
_MOST_CHARACTERS = 600
SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["claims"],
    "properties": {
        "claims": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["claim", "quotations", "label"],
                "properties": {
                    "claim": {"type": "integer", "minimum": 1},
                    "quotations": {
                        "type": "array",
                        "maxItems": _MOST_QUOTATIONS,
                        "items": {"type": "string", "maxLength": _MOST_CHARACTERS},
                    },
                    "label": {"enum": list(LABELS)},
                },
            },
        }
    },
}
"""JSON Schema (2020-12) of a reply. The quotations come before the label: first read, then say."""


def messages(
    question: str, sources: Sequence[str], claims: Sequence[str], before: Sequence[str] = ()
) -> list[ChatMessage]:
    """Return the conversation that asks about all claims at once.

    `before`: the answer's text just before each claim, "" for none. Everything that others wrote is
    a JSON string: no source can close its own mark.
    """
    pairs = zip(claims, before or [""] * len(claims), strict=True)
    data = {
        "question": question,
        "sources": [{"source": at, "text": text} for at, text in enumerate(sources, start=1)],
        "claims": [
            {"claim": at, **({"before": lead} if lead else {}), "text": text}
            for at, (text, lead) in enumerate(pairs, start=1)
        ],
    }
    return [
        ChatMessage(role="system", content=TEXT),
        ChatMessage(role="user", content=json.dumps(data, ensure_ascii=False)),
    ]
