"""Documents of retrieval frameworks as sources. Pure functions."""

from collections.abc import Mapping
from typing import Any

from watchdog_client.operations import Source

_NAMES = ("title", "source", "file_name")


def source_of(text: str, id: str | None, metadata: Mapping[str, Any]) -> Source:
    """The text, with the id, name and page that evidence is to be found by where there are some."""
    name = next((metadata[key] for key in _NAMES if metadata.get(key)), None)
    page = metadata.get("page_label")
    title = f"{name}, page {page}" if name and page is not None else name
    members = {"id": id, "title": title}
    named = {key: str(value) for key, value in members.items() if value}
    return {**named, "text": text} if named else text
