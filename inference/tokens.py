"""Turns text into token ids, and reports truncation."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer

from inference.errors import ModelError

# Characters a token: a prefix of this many per token nearly always fills the model's window.
_PREFIX_CHARS_PER_TOKEN = 32
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Tokens:
    """The token ids of one text, special tokens included."""

    ids: list[int]
    truncated: bool


def readable(text: str) -> str:
    """Return the text without surrogates, which tokenizers refuse: joined pairs, or U+FFFD."""
    return _SURROGATES.sub(_join_match, text)


def _join_match(match: re.Match[str]) -> str:
    return match.group().encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")[:1]


class TextTokenizer:
    """A tokenizer.json with a window of `max_tokens`. Safe to share between threads."""

    def __init__(self, file: Path, max_tokens: int) -> None:
        try:
            self._whole = Tokenizer.from_file(str(file))
            self._cut = Tokenizer.from_file(str(file))
        except Exception as error:  # tokenizers raises plain Exception
            raise ModelError(
                f"The tokenizer {file} cannot be read: {error}", "Run `python -m inference.export`."
            ) from error
        for tokenizer in (self._whole, self._cut):
            tokenizer.no_padding()
        self._whole.no_truncation()
        self._cut.enable_truncation(max_tokens)
        self.max_tokens = max_tokens

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each whole text, special ones included. Time grows with the text."""
        return [len(self._whole.encode(readable(text)).ids) for text in texts]

    def encode(self, texts: Sequence[str]) -> Iterator[Tokens]:
        """Yield the first `max_tokens` tokens of each text, one text at a time (no thread pool)."""
        return (self._encode(readable(text)) for text in texts)

    def _encode(self, text: str) -> Tokens:
        """Encode a text; a long one by a prefix, if that exceeds the window."""
        prefix = text[: self.max_tokens * _PREFIX_CHARS_PER_TOKEN]
        encoding = self._cut.encode(prefix)
        if len(prefix) < len(text) and len(encoding.overflowing) < 2:
            encoding = self._cut.encode(text)
        return Tokens(ids=encoding.ids, truncated=bool(encoding.overflowing))
