"""Splits rows into two halves by source: one to tune on, one to report."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Literal

Half = Literal["tune", "report"]
_SALT = b"watchdog split 2:"
"""Public sets were themselves drawn by bare hashes of their ids: all 40 sources of
ragtruth_records.dev begin below 128, and an unsalted split left it no half to report on."""


def source_key(row: Mapping[str, Any]) -> str:
    """Return what identifies a row's source: `meta.source_id`, else the text of its context.

    `row` is one object of the data's schema; `meta` and `context` may be absent. Rows about the
    same source have the same key, whatever their file, question, answer or label.
    """
    meta = row.get("meta")
    source_id = meta.get("source_id") if isinstance(meta, Mapping) else None
    if source_id is not None and source_id != "":
        return str(source_id)
    context = row.get("context") or ()
    parts = [context] if isinstance(context, (str, Mapping)) else context
    return "\n".join(
        part if isinstance(part, str) else json.dumps(part, ensure_ascii=False, sort_keys=True)
        for part in parts
    )


def source_digest(row: Mapping[str, Any], salt: bytes = b"") -> bytes:
    """Return the salted SHA-256 of a row's source."""
    return hashlib.sha256(salt + source_key(row).encode("utf-8", "surrogatepass")).digest()


def split_of(row: Mapping[str, Any]) -> Half:
    """Return the half of the row by a salted SHA-256 of its source, which is never split.

    The same row is in the same half on every machine and in every version.
    """
    return "tune" if source_digest(row, _SALT)[0] < 128 else "report"
