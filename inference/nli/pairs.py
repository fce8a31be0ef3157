"""(window, claim) pairs to token ids, and back from tokens to the words of the claim."""

from collections.abc import Sequence
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
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_REMEDY = "Run `python -m inference.export --nli`, which repairs it."


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the claim: code points of the claim as given, tokens [first, last)."""

    start: int
    end: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """What the model reads of one pair, special tokens included."""

    ids: list[int]
    types: list[int]
    words: tuple[Word, ...]
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

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each whole text, without special tokens."""
        encode = self._tokenizer.encode
        return [len(encode(readable(text), add_special_tokens=False).ids) for text in texts]

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
            words=_words(encoding, positions, claim, claim_text),
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


def _words(encoding: Encoding, positions: list[int], claim: str, read: str) -> tuple[Word, ...]:
    """The words of the claim among the tokens that stay."""
    parts, numbers, offsets = encoding.sequence_ids, encoding.word_ids, encoding.offsets
    words: list[Word] = []
    last_number: int | None = None
    for place, at in enumerate(positions):
        if parts[at] != _CLAIM or numbers[at] is None:
            continue
        start, end = offsets[at]
        if numbers[at] == last_number:
            before = words.pop()
            words.append(Word(before.start, end, before.first, place + 1))
        else:
            words.append(Word(start, end, place, place + 1))
        last_number = numbers[at]
    return words_as_given(tuple(words), claim, read)


def words_as_given(words: tuple[Word, ...], claim: str, read: str) -> tuple[Word, ...]:
    """The words with offsets in `claim`, of which `read` is what `readable` made: it joins two
    halves of a character into one."""
    if len(claim) == len(read):
        return words
    places, at = [], 0
    for letter in read:
        places.append(at)
        at += 2 if claim[at] != letter and letter != _REPLACEMENT else 1
    places.append(len(claim))
    return tuple(Word(places[w.start], places[w.end], w.first, w.last) for w in words)
