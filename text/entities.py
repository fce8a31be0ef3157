"""HTML entities and comments in plain text, with the offsets of the text as it was written."""

import re
from dataclasses import dataclass, replace
from html import unescape

from text.sentences import Sentence, sentences
from text.tokens import Tokens, tokenize

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text as its reader sees it; `offsets[i]` is where character i stood as written.

    `offsets` has one entry more than the text, for its end; it is empty where nothing changed.
    """

    text: str
    offsets: tuple[int, ...] = ()

    def tokens(self) -> Tokens:
        """The tokens of the text; their offsets are those of the text as written."""
        found = tokenize(self.text)
        if not self.offsets:
            return found
        starts = [self.offsets[at] for at in found.starts]
        return replace(found, starts=starts, ends=[self.offsets[at] for at in found.ends])

    def sentences(self) -> list[Sentence]:
        """The sentences of the text; their offsets are those of the text as written."""
        found = sentences(self.text)
        if not self.offsets:
            return found
        at = self.offsets
        return [replace(one, start=at[one.start], end=at[one.end]) for one in found]


def decode(text: str) -> Decoded:
    """The text with its HTML entities decoded: `&#50;&#48; feet` is "20 feet"."""
    if "&" not in text:
        return Decoded(text)
    parts, offsets, done = list[str](), list[int](), 0
    for match in _ENTITY.finditer(text):
        plain = unescape(match[0])
        if plain == match[0]:
            continue
        parts += (text[done : match.start()], plain)
        offsets += [*range(done, match.start()), *[match.start()] * len(plain)]
        done = match.end()
    if not parts:
        return Decoded(text)
    offsets += range(done, len(text) + 1)
    return Decoded("".join((*parts, text[done:])), tuple(offsets))


def without_comments(text: str) -> str:
    """The text with its HTML comments blanked out; every other character stays in its place."""
    if "<!--" not in text:
        return text
    return _COMMENT.sub(lambda match: re.sub(r"\S", " ", match[0]), text)
