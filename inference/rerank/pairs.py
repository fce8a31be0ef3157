"""Turns (query, passage) pairs into token ids."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from inference.errors import ModelError
from inference.tokens import readable

# Characters a token: a text of this many per token nearly always fills the model's window.
_PREFIX_CHARS_PER_TOKEN = 32
_QUERY, _PASSAGE = 0, 1
# Of the room for a pair, the least that stays for the query where the passage is very long.
_LEAST_QUERY_SHARE = 4
_REMEDY = "Run `python -m inference.export --reranker --force`, which repairs it."
IDS, MASK, TYPES = "input_ids", "attention_mask", "token_type_ids"

Matrix = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """The token ids of one pair, special tokens included."""

    ids: list[int]
    types: list[int]
    truncated: bool


class PairTokenizer:
    """A tokenizer.json for pairs of at most `max_tokens`. Safe to share between threads."""

    def __init__(self, file: Path, max_tokens: int) -> None:
        try:
            self._tokenizer = Tokenizer.from_file(str(file))
        except Exception as error:  # tokenizers raises plain Exception
            raise ModelError(f"The tokenizer {file} cannot be read: {error}", _REMEDY) from error
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self.max_tokens = max_tokens

    def encode(self, query: str, passage: str) -> EncodedPair:
        """Return one pair; if it is too long, without the query's end, and marked so."""
        passage_text, query_text = readable(passage), readable(query)
        limit = self.max_tokens * _PREFIX_CHARS_PER_TOKEN
        cut = len(query_text) > limit or len(passage_text) > limit
        encoding = self._tokenizer.encode(query_text[:limit], passage_text[:limit])
        if cut and len(encoding.ids) <= self.max_tokens:
            encoding = self._tokenizer.encode(query_text, passage_text)
            cut = False
        positions = _positions(encoding, self.max_tokens)
        return EncodedPair(
            ids=[encoding.ids[at] for at in positions],
            types=[encoding.type_ids[at] for at in positions],
            truncated=cut or len(positions) < len(encoding.ids),
        )


def _positions(encoding: Encoding, max_tokens: int) -> list[int]:
    """Return the remaining tokens: all, or all but the query's last ones (then the passage's)."""
    count = len(encoding.ids)
    if count <= max_tokens:
        return list(range(count))
    parts = encoding.sequence_ids
    query = [at for at in range(count) if parts[at] == _QUERY]
    passage = [at for at in range(count) if parts[at] == _PASSAGE]
    room = max_tokens - (count - len(query) - len(passage))
    of_query = max(room - len(passage), min(len(query), room // _LEAST_QUERY_SHARE))
    dropped = {*query[of_query:], *passage[room - of_query :]}
    return [at for at in range(count) if at not in dropped]


def padded(rows: Sequence[EncodedPair], pad_id: int) -> tuple[Matrix, Matrix, Matrix]:
    """Return ids, attention mask and token types, each int64 (rows, longest row)."""
    longest = max(len(row.ids) for row in rows)
    ids = np.full((len(rows), longest), pad_id, np.int64)
    mask, types = np.zeros_like(ids), np.zeros_like(ids)
    for at, row in enumerate(rows):
        ids[at, : len(row.ids)] = row.ids
        mask[at, : len(row.ids)] = 1
        types[at, : len(row.types)] = row.types
    return ids, mask, types
