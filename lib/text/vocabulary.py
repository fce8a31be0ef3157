"""The words of people, tools and an application, and the names that none of them wrote.

An order number, address, path or function in an answer or a tool call that nobody wrote was made up
by the model.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import Any

from lib.text.characters import UNSEEN
from lib.text.citations import without_notes
from lib.text.decoded import Decoded
from lib.text.reader.values import load_json
from lib.text.units import CURRENCIES

MOST_NAMES, MOST_LOOKED_UP = 20, 100
"""So many unknown names of a call are listed, and so many are looked up; others are unknown."""
_TOKEN = re.compile(r"[^\s\"'`<>,;|\[\]{}]+")
_WORD = re.compile(r"\w+(?:[-.:/]\w+)*(?:\(\))?")
_PATH = re.compile(r"(?:~|\.{1,2}|[A-Za-z]:)?[/\\][^/\\]+[/\\][^/\\]")
_FILE = re.compile(r"[\w-][\w.-]*(?:[/\\][\w.-]+)+\.[A-Za-z]\w{0,4}")
_HOST = re.compile(
    r"(?:www\.[\w.-]+|[\w.-]+\.(?:com|org|net|info|biz|io|dev|app|gov|edu|eu|de|uk|example))"
    r"(?::\d+)?(?:/.*)?",
    re.IGNORECASE,
)
_MAIL = re.compile(r"[^@]+@[^@]+\.[^@]+")
_FUNCTION = re.compile(r"[\w.]+\(\)|[^\W\d_]\w*_\w+")
_GROUPS = re.compile(r"\b(?:[A-Za-z]{2})?\d{2,4}(?: \d{2,4}){3,}\b")
_TIME = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[-./:]\d{1,2}(?:[-./:]\d{1,4})?$")
_LONG_NUMBER = re.compile(r"\d{5,}")
_INVISIBLE = re.compile(f"[{UNSEEN}\u200c\u200d]")
_SEPARATORS = re.compile(r"[\W_]+")
_BORDERS = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_SHORTEST_SQUEEZED = 10
"""Shorter names are found only between separators: 12 is no part of 4123."""
_IN_PROSE = re.compile(
    r"(?:https?://|www\.).+|[^@]+@[^@]+\.[^@]+|[A-Za-z]:\\.+|(?:~|\.{1,2})?/.+|[\w.]{3,}\(\)"
    r"|(?=.*\d{3})(?!.*(?:19|20)\d\d$)[A-Z][A-Z0-9]*(?:[-/][A-Z0-9]+)*"
)
"""Names that are nothing else in prose and data, which also have keys ("refund_days"), sizes
("5.3-inch"), years ("FY2024") and common words with a figure ("COVID-19"): a code is in capitals,
with three digits in a row."""
_LINK = re.compile(r"\(\s?<?https?://[^\s()]{0,500}>?\s?\)|\bhref=\S{0,500}", re.IGNORECASE)
_AMOUNT = re.compile(r"([A-Z]{3})\d+")


@dataclass(frozen=True)
class Vocabulary:
    """The words of documents: messages, sources, definitions of tools.

    The names of members count, and nothing that an assistant wrote. `functions` are those that a
    model may call, none if that is not known. `ignored` stretches of the texts do not count: what
    reads like an order to a model makes no name known.
    """

    documents: Sequence[Any]
    functions: Collection[str] = ()
    ignored: Sequence[str] = ()

    def unknown_names(self, function: str, values: Sequence[str]) -> tuple[str, ...]:
        """Return the names of a call of this function with these values that nobody wrote."""
        names = list(dict.fromkeys(name for value in values for name in _names(value)))
        not_found = (name for name in names[:MOST_LOOKED_UP] if not self._is_known(name))
        not_offered = [function] if self.functions and function not in self.functions else []
        unknown = islice(chain(not_offered, not_found, names[MOST_LOOKED_UP:]), MOST_NAMES)
        return tuple(name[:200] for name in unknown)

    def unknown_in_prose(self, text: str) -> tuple[str, ...]:
        """Return the addresses, paths, functions and codes in a text that nobody wrote.

        An address in brackets or behind a link is a citation, and no part of what is stated; nor
        is a note on a place ("(Source: KB-12)").
        """
        text = _LINK.sub(" ", Decoded(text).edited(without_notes(text)).text)
        names = islice((name for name in _names(text) if _is_name_in_prose(name)), MOST_LOOKED_UP)
        unknown = (name[:200] for name in dict.fromkeys(names) if not self._is_known(name))
        return tuple(islice(unknown, MOST_NAMES))

    @cached_property
    def _words(self) -> str:
        text = " | ".join(_texts(self.documents, of_conversation=True))
        for stretch in self.ignored:
            text = text.replace(stretch, " | ")
        return f" {_SEPARATORS.sub(' ', _plain(text).casefold())} "

    @cached_property
    def _squeezed(self) -> str:
        return self._words.replace(" ", "")

    def _is_known(self, name: str) -> bool:
        words = _SEPARATORS.sub(" ", name.casefold()).strip()
        joined = words.replace(" ", "")
        if any(f" {form} " in self._words for form in (words, joined, _BORDERS.sub(" ", words))):
            return True
        return len(joined) >= _SHORTEST_SQUEEZED and joined in self._squeezed


def offered_functions(tools: Any) -> frozenset[str]:
    """Return the names of the functions in a request's list of tools, of whatever protocol."""
    members = [
        tool.get(kind, tool) for tool in (tools if isinstance(tools, list) else ())
        if isinstance(tool, dict) for kind in ("function", "custom")
    ]  # fmt: skip
    return frozenset(str(one.get("name")) for one in members if isinstance(one, dict))


def values_of(arguments: str) -> list[str]:
    """Return the texts and numbers in JSON arguments, or a text as it is."""
    try:
        document = load_json(arguments)
    except (ValueError, RecursionError):
        document = arguments
    return [text for text in _texts(document) if text.strip()]


def _texts(document: Any, *, of_conversation: bool = False) -> Iterator[str]:
    """Yield the texts and numbers in a document.

    Of a conversation also the names of members, and nothing that its assistant wrote.
    """
    stack = [document]
    while stack:
        match stack.pop():
            case {"role": "assistant"} | {"type": "function_call" | "custom_tool_call"} if (
                of_conversation
            ):
                pass
            case dict() as members:
                stack += reversed(members.values())
                if of_conversation:
                    yield from members
            case list() | tuple() as items:
                stack += reversed(items)
            case bool() | None:
                pass
            case value:
                yield str(value)


def _names(value: str) -> Iterator[str]:
    """Yield the addresses, paths, functions and identifiers in a text, without dates.

    Of numbers in groups, such as an IBAN's, all groups are one.
    """
    value = _plain(value).replace("\\/", "/")
    yield from _GROUPS.findall(value)
    for token in _TOKEN.findall(value):
        bare = (token := token.rstrip(".:!?")).strip("()")
        has_slash, has_at = "/" in bare or "\\" in bare, "@" in bare
        if "://" in bare or ("." in bare and _HOST.fullmatch(bare)):
            address, *query = re.split(r"[?#]", bare, maxsplit=1)
            yield address
            yield from (word for part in query for word in filter(_is_name, _WORD.findall(part)))
        elif (has_slash and (_PATH.match(bare) or _FILE.fullmatch(bare))) or (
            has_at and _MAIL.fullmatch(bare)
        ):
            yield bare
        else:
            yield from filter(_is_name, _WORD.findall(token))


def _plain(text: str) -> str:
    """Return the text in characters of usual width, without those that nobody sees."""
    return text if text.isascii() else _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))


def _is_name_in_prose(name: str) -> bool:
    amount = _AMOUNT.match(name)
    is_amount = amount is not None and amount[1].casefold() in CURRENCIES
    return not is_amount and _IN_PROSE.fullmatch(name[:500]) is not None


def _is_name(word: str) -> bool:
    if word.isalpha():
        return False
    if _FUNCTION.fullmatch(word[:200]):
        return True
    if _TIME.match(word):
        return False
    digits = sum(character.isdigit() for character in word)
    has_letters = any(character.isalpha() for character in word)
    if has_letters:
        return (digits > 1 and len(word) > 4) or (digits > 2 and word[0].isalpha())
    return any(not run.endswith("000") for run in _LONG_NUMBER.findall(word))
