"""The evidence bundle: everything that an answer may rest on, gathered before writing.

Usable items are numbered from 1, documents first, then the weather; then comes what the manager
said earlier, and last what reads like an instruction to an assistant: it stays in the bundle for
inspection and is shown neither to a synthesiser nor to a verifier (docs/decisions/0800).
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from analysis.engine.codec import decode, encode


class EvidenceKind(StrEnum):
    """The kinds of evidence, in the order of a bundle."""

    DOCUMENT = "document"
    WEATHER = "weather"
    MEMORY = "memory"


class SourceStatus(StrEnum):
    """The outcome of gathering from one source. Only OK brought items."""

    OK = "ok"
    NOTHING = "nothing"
    NOT_ASKED = "not_asked"
    UNAVAILABLE = "unavailable"
    TIMED_OUT = "timed_out"


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of evidence. `title` is what a list of sources shows; `place` leads back to it.

    `place` of a document: document_id, file, collection, page, last_page, chunk (from 1), of,
    start, end (code points of the text in the document), heading (all that it spans), section (the
    one that it begins under), table (the heads of the table that it begins in), score, dated (the
    first date of the document, or ""). Of the weather: url, retrieved_at. Of a memory: entry_id,
    target, stated_at, origin. `injection` is the scan of the text, None where it found nothing.
    """

    number: int
    kind: EvidenceKind
    text: str
    title: str
    uri: str = ""
    place: dict[str, Any] = field(default_factory=dict)
    injection: dict[str, Any] | None = None

    @property
    def flagged(self) -> bool:
        """True if the text reads like an instruction to an assistant."""
        return bool(self.injection and self.injection["flagged"])


@dataclass(frozen=True, slots=True)
class SourceResult:
    """A source's result before its items are numbered."""

    items: tuple[Item, ...]
    status: SourceStatus
    reason: str = ""
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SourceReport:
    """The outcome of one source; `reason` says why it brought nothing.

    `milliseconds` count from the question.
    """

    kind: EvidenceKind
    status: SourceStatus
    reason: str
    milliseconds: float
    items: int
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ResolvedQuestion:
    """One question of a message, worded so that it can be understood alone.

    `changed`: it is not in the manager's own words.
    """

    text: str
    changed: bool = False


@dataclass(frozen=True, slots=True)
class EvidenceBundle:
    """All items by number, and a report for each source. `ms` is the time until the last one.

    `questions`: those it was gathered for, each understandable alone.
    """

    items: tuple[Item, ...]
    sources: tuple[SourceReport, ...]
    ms: float
    questions: tuple[ResolvedQuestion, ...] = ()

    @property
    def usable(self) -> tuple[Item, ...]:
        """The items that answers are written from and checked against, numbered 1 to n."""
        return tuple(item for item in self._unflagged if item.kind is not EvidenceKind.MEMORY)

    @property
    def remembered(self) -> tuple[Item, ...]:
        return tuple(item for item in self._unflagged if item.kind is EvidenceKind.MEMORY)

    @property
    def flagged(self) -> tuple[Item, ...]:
        """The items left out because they read like instructions."""
        return tuple(item for item in self.items if item.flagged)

    @property
    def _unflagged(self) -> Iterator[Item]:
        return (item for item in self.items if not item.flagged)

    def sha256(self) -> str:
        """Return the digest of the whole bundle in canonical JSON."""
        text = json.dumps(encode(self), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def numbered(items: Iterable[Item]) -> tuple[Item, ...]:
    """Return the items sorted for a bundle and numbered from 1; each source keeps its order."""
    ordered = sorted(items, key=_position)
    return tuple(replace(item, number=at) for at, item in enumerate(ordered, start=1))


def _position(item: Item) -> int:
    return len(EvidenceKind) if item.flagged else list(EvidenceKind).index(item.kind)


def bundle_of(data: dict[str, Any]) -> EvidenceBundle:
    return decode(EvidenceBundle, data)
