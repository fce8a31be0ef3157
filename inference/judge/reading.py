"""Turns texts into segments: evidence into windows, claims with their words, as in training."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Encoding, Tokenizer

from inference.errors import ModelError
from inference.judge import windows
from inference.judge.segments import CLAIM, CLAIM_TOKENS, QUESTION, QUESTION_TOKENS, Segment
from inference.judge.windows import Window
from inference.tokens import readable

# Characters a token: a text of this many per token nearly always fills the room.
_PREFIX_CHARS_PER_TOKEN = 32
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the claim: code points of the original claim, tokens [first, last)."""

    start: int
    end: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ClaimSegment:
    """A claim as a segment; `words` count its tokens without the initial special one."""

    segment: Segment
    words: tuple[Word, ...]
    truncated: bool


class Reader:
    """A tokenizer.json, without its padding and limit. Thread-safe."""

    def __init__(self, file: Path) -> None:
        try:
            self._tokenizer = Tokenizer.from_file(str(file))
        except Exception as error:  # tokenizers raises plain Exception
            raise ModelError(
                f"The tokenizer {file} cannot be read: {error}",
                "Run `python -m inference.export --judge`, which repairs it.",
            ) from error
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def windows(self, evidence: Sequence[str]) -> list[Window]:
        """Return all of the evidence in windows."""
        return windows.cut(evidence, lambda text: self._encode(text).ids)

    def question(self, text: str) -> Segment:
        return Segment(tuple(self._first(text, QUESTION_TOKENS).ids[:QUESTION_TOKENS]), QUESTION)

    def claim(self, text: str) -> ClaimSegment:
        """Return the claim, or its first 120 tokens."""
        encoding = self._first(text, CLAIM_TOKENS)
        return ClaimSegment(
            segment=Segment(tuple(encoding.ids[:CLAIM_TOKENS]), CLAIM),
            words=_as_given(_words(encoding), text, readable(text)),
            truncated=len(encoding.ids) > CLAIM_TOKENS,
        )

    def _first(self, text: str, tokens: int) -> Encoding:
        """Return at least the first `tokens` tokens and the next, if there are so many."""
        prefix = self._encode(text[: tokens * _PREFIX_CHARS_PER_TOKEN])
        return prefix if len(prefix.ids) > tokens else self._encode(text)

    def _encode(self, text: str) -> Encoding:
        return self._tokenizer.encode(readable(text), add_special_tokens=False)


def _words(encoding: Encoding) -> tuple[Word, ...]:
    """Return the words among the tokens that are read."""
    words: list[Word] = []
    last_number: int | None = None
    tokens = zip(encoding.offsets[:CLAIM_TOKENS], encoding.word_ids, strict=False)
    for at, ((start, end), number) in enumerate(tokens):
        if number == last_number and words:
            before = words.pop()
            start, first = before.start, before.first
        else:
            first = at
        words.append(Word(start, end, first, at + 1))
        last_number = number
    return tuple(words)


def _as_given(words: tuple[Word, ...], claim: str, read: str) -> tuple[Word, ...]:
    """Return the words with offsets in `claim`; `read` joined surrogate pairs into characters."""
    if len(claim) == len(read):
        return words
    places, at = [], 0
    for letter in read:
        places.append(at)
        at += 2 if claim[at] != letter and letter != _REPLACEMENT else 1
    places.append(len(claim))
    return tuple(Word(places[w.start], places[w.end], w.first, w.last) for w in words)
