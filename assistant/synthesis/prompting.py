"""The prompt of a synthesis: the rules, the bundle between boundary markers, the question."""

from collections.abc import Iterable
from pathlib import Path

from assistant.evidence import EvidenceBundle, Item
from assistant.synthesis.drafts import NOT_FOUND
from documents.injection import new_boundary, wrap
from inference.llm import ChatMessage

MOST_ITEM_CHARACTERS = 4_000
_RULES = Path(__file__).parents[1] / "prompts" / "synthesis.txt"


def messages(
    question: str, bundle: EvidenceBundle, boundary: str | None = None
) -> list[ChatMessage]:
    """Return the messages for a model, without flagged items. `boundary`: a new one by default."""
    boundary = boundary or new_boundary()
    items = (*bundle.usable, *bundle.remembered)
    rules = _RULES.read_text(encoding="utf-8").strip().format(not_found=NOT_FOUND)
    return [
        ChatMessage(role="system", content=rules),
        ChatMessage(role="user", content=f"{_list_items(items, boundary)}\n\nQuestion: {question}"),
    ]


def _list_items(items: Iterable[Item], boundary: str) -> str:
    text = "\n\n".join(_item_text(item, boundary) for item in items)
    return f"Items of evidence:\n\n{text}" if text else "There are no items of evidence."


def _item_text(item: Item, boundary: str) -> str:
    heading = item.place.get("heading")
    above = f" under the heading {heading!r}" if heading else ""
    head = f"[{item.number}] {item.kind.value}: {item.title}{above}"
    # A title is a file's name or a heading: untrusted text as well.
    return f"{wrap(head, boundary)}\n{wrap(item.text[:MOST_ITEM_CHARACTERS], boundary)}"
