"""Hashes of the rows that something was fitted on, so that no report is made on those rows.

What ships fitted (a model, a policy) keeps its rows in a file of `fitted_on/`:
`{"what": "…", "settings": {"NLI_MODEL": "small"}, "hashes": […]}`. It counts where the named
settings have these values; a list names several.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

SHIPPED = Path(__file__).parent / "fitted_on"
LENGTH = 16
"""Hexadecimal digits stored: among a million rows a collision has odds of 1 to 18 million."""


def hashes(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return hashes of a row's identity (where it names its set and an id) and of its texts.

    The texts are question, context and answer, apart from case and spacing; so neither a new id nor
    a touched text makes a row that was seen a new one.
    """
    context = row.get("context")
    texts = [str(row.get("query") or ""), str(context), str(row.get("response"))]
    digests = [_hash("says", *(" ".join(part.casefold().split()) for part in texts))]
    if row.get("dataset") and row.get("id") is not None:
        digests.append(_hash("is", str(row["dataset"]), str(row["id"])))
    return tuple(digests)


def fitted_rows(rows: Iterable[tuple[str, ...]], fitted_on: Collection[str]) -> list[bool]:
    """Return for each row (its hashes) whether something was fitted on it."""
    known_hashes = frozenset(fitted_on)
    return [not known_hashes.isdisjoint(row) for row in rows]


@dataclass(frozen=True, slots=True)
class Manifest:
    """Something that ships fitted: its name, the settings under which it is used, and its rows."""

    what: str
    settings: dict[str, Any]
    hashes: tuple[str, ...]


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Store a manifest; training calls this with `hashes` of every row it used. Raises OSError."""
    data = asdict(manifest) | {"hashes": sorted(set(manifest.hashes))}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=0) + "\n", encoding="utf-8")


def manifests(folder: Path, setting: Callable[[str], Any]) -> list[Manifest]:
    """Return the manifests in the folder that apply; `setting` gives the value of a setting."""
    manifests = [Manifest(**json.loads(file.read_text())) for file in sorted(folder.glob("*.json"))]
    return [
        item
        for item in manifests
        if all(_is(setting(name), value) for name, value in item.settings.items())
    ]


def _is(value: Any, expected: Any) -> bool:
    return value in expected if isinstance(expected, list) else bool(value == expected)


def _hash(*parts: str) -> str:
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:LENGTH]
