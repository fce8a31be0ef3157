"""(window, claim) pairs to token ids."""

from dataclasses import dataclass
from pathlib import Path

from tokenizers import Encoding, Tokenizer

from inference.errors import ModelError
from inference.tokens import readable

# Characters a token: a text of this many per token nearly always fills the model's window.
_PREFIX_CHARS_PER_TOKEN = 32
_WINDOW, _CLAIM = 0, 1
# Of the room for a pair, the least that stays for the window where the claim is very long.
_LEAST_WINDOW_SHARE = 4
_REMEDY = "Run `python -m inference.export --nli`, which repairs it."


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """What the model reads of one pair, special tokens included."""

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

    def encode(self, window: str, claim: str) -> EncodedPair:
        """One pair. Where it is too long, the end of the window is left out, and marked so."""
        claim_text, window_text = readable(claim), readable(window)
        limit = self.max_tokens * _PREFIX_CHARS_PER_TOKEN
        cut = len(window_text) > limit or len(claim_text) > limit
        encoding = self._tokenizer.encode(window_text[:limit], claim_text[:limit])
        if cut and len(encoding.ids) <= self.max_tokens:
            encoding = self._tokenizer.encode(window_text, claim_text)
            cut = False
        positions = _positions(encoding, self.max_tokens)
        return EncodedPair(
            ids=[encoding.ids[at] for at in positions],
            types=[encoding.type_ids[at] for at in positions],
            truncated=cut or len(positions) < len(encoding.ids),
        )


def _positions(encoding: Encoding, max_tokens: int) -> list[int]:
    """The tokens that stay: all, or all but the last ones of the window (then of the claim)."""
    count = len(encoding.ids)
    if count <= max_tokens:
        return list(range(count))
    parts = encoding.sequence_ids
    window = [at for at in range(count) if parts[at] == _WINDOW]
    claim = [at for at in range(count) if parts[at] == _CLAIM]
    room = max_tokens - (count - len(window) - len(claim))
    of_window = max(room - len(claim), min(len(window), room // _LEAST_WINDOW_SHARE))
    dropped = {*window[of_window:], *claim[room - of_window :]}
    return [at for at in range(count) if at not in dropped]
