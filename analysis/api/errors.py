"""What is wrong with an input, field by field."""

from collections.abc import Iterator
from typing import Any


def field_errors(detail: Any, path: str = "") -> Iterator[dict[str, str]]:
    """Flatten DRF's nested details into `{"field": "sources[2].text", "detail", "code"}`."""
    if isinstance(detail, dict):
        for key, value in detail.items():
            yield from field_errors(value, _join(path, key))
    elif isinstance(detail, list):
        for number, value in enumerate(detail):
            inner = path if isinstance(value, str) else f"{path}[{number}]"
            yield from field_errors(value, inner)
    else:
        yield {"field": path, "detail": str(detail), "code": getattr(detail, "code", "invalid")}


def _join(path: str, key: Any) -> str:
    if key == "non_field_errors":
        return path
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else str(key)
