"""Characters that look like others, and characters that nobody sees.

Full-width and mathematical letters, enclosed digits, ligatures and composed units are read as the
plain ones; soft hyphens, zero-width characters and variation selectors are left out.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from lib.text.decoded import Edit
from lib.text.units import UNITS

SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"
_UNSEEN = (
    "\xad\u034f\u061c\u115f\u1160\u180b-\u180e\u200b\u200e\u200f\u202a-\u202c\u2060-\u2064"
    "\u2066-\u2069\u20e3\u3164\ufe00-\ufe0f\ufeff\uffa0\u0334-\u0338\U000e0000-\U000e007f\ud800-\udfff"
)
_ENCLOSED = "①-⑳⓪⓵-⓾❶-❿➀-➓"
_COMPATIBLE = "ℂℊ-ℓℕℙ-ℝℤℨKÅℬℭℯ-ℱℳℴ℃℉㎀-㏟ﬀ-ﬆ％＄．，０-９Ａ-Ｚａ-ｚ\U0001d400-\U0001d7ff"
_ANY = re.compile(rf"[{_UNSEEN}{_SUBSCRIPTS}{_COMPATIBLE}]")
_KEYCAP_ITEM = re.compile("^([ \t]*\\d)\ufe0f?\u20e3(?=[ \t])", re.MULTILINE)
_ENCLOSED_ITEM = re.compile(rf"^[ \t]*([{_ENCLOSED}])(?=[ \t])", re.MULTILINE)
_ENCLOSED_RUN = re.compile(rf"[{_ENCLOSED}]")
_RAISED = re.compile(rf"[{SUPERSCRIPTS}]+")
_JOINERS = re.compile("(?<=[\\x00-\\xff])[\u200c\u200d]|[\u200c\u200d](?=[\\x00-\\xff])")
_MARKED = re.compile("(.)([\u0300-\u0333\u0339-\u036f]+)")
_TWO_SCRIPTS = re.compile(r"[A-Za-z\u0370-\u03ff\u0400-\u052f]{2,}")
_LOOKALIKES = dict(
    zip(
        "аеорсухіјѕһԁԛԝАВЕКМНОРСТУХІЈЅοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
        "aeopcyxijshdqwABEKMHOPCTYXIJSoABEZHIKMNOPTYX",
        strict=True,
    )
)
"""Letters of Cyrillic and Greek that are drawn like Latin ones."""
_CROSSES = "❌🚫✗✘☒👎⛔"
_CROSS = re.compile(
    rf"^[ \t]*(?:[-*•][ \t]+)?(?P<before>[{_CROSSES}]\ufe0f?[ \t]+)(?=\S)"
    rf"|(?<=[\w.!)])(?P<behind>[ \t]+[{_CROSSES}]\ufe0f?)[.!]?[ \t]*$",
    re.MULTILINE,
)
_OF_ITEM = 2
"""A raised number of at most so many digits at the head of a line is the label of a footnote."""


def crosses(text: str) -> Iterator[Edit]:
    """Yield crosses before or behind the words of a line as "False:" and "(false)"."""
    if text.isascii():
        return
    for match in _CROSS.finditer(text):
        yield *match.span(match.lastgroup or 0), "False: " if match["before"] else " (false)"


def items(text: str) -> Iterator[Edit]:
    """Yield enclosed digits at the head of a line, which number an item, as "1."."""
    if text.isascii():
        return
    edits = [(match.start(1) + 1, match.end(), ".") for match in _KEYCAP_ITEM.finditer(text)]
    edits = [(max(start, end - 2), end, plain) for start, end, plain in edits]
    for match in _ENCLOSED_ITEM.finditer(text):
        edits.append((*match.span(1), f"{_number(match[1])}."))
    yield from sorted(edits)


def plain(text: str) -> Iterator[Edit]:
    """Yield each character that looks like another as that other, each invisible one as nothing."""
    if text.isascii():
        return
    for match in _ANY.finditer(text):
        yield *match.span(), _plain(match[0])


def enclosed(text: str) -> Iterator[Edit]:
    """Yield digits in circles as digits."""
    if not text.isascii():
        for match in _ENCLOSED_RUN.finditer(text):
            yield *match.span(), _number(match[0])


def joined(text: str) -> Iterator[Edit]:
    """Yield joiners beside a Latin letter or a digit as nothing; other scripts need them."""
    if "\u200c" in text or "\u200d" in text:
        for match in _JOINERS.finditer(text):
            yield *match.span(), ""


def composed(text: str) -> Iterator[Edit]:
    """Yield a letter with its accents as one character, and a digit without them."""
    if text.isascii():
        return
    for match in _MARKED.finditer(text):
        yield *match.span(), _composed(match[1], match[2])


def of_one_script(text: str) -> Iterator[Edit]:
    """Yield a word of Latin letters and others that look like them in Latin letters alone."""
    if text.isascii():
        return
    for match in _TWO_SCRIPTS.finditer(text):
        word = match[0]
        plain_word = "".join(_LOOKALIKES.get(char, char) for char in word)
        if plain_word != word and any(char.isascii() for char in word):
            yield *match.span(), plain_word


def raised(text: str) -> Iterator[Edit]:
    """Yield raised digits that are no exponent as a number, or as nothing for a footnote's mark."""
    if text.isascii():
        return
    for match in _RAISED.finditer(text):
        start, end = match.span()
        before = text[start - 1] if start else "\n"
        if _is_base(text, start, match[0]):
            continue
        if before.isspace() or before in "([{“\"'":
            label = before == "\n" and end - start <= _OF_ITEM and text[end : end + 1] == " "
            is_label = label and text[end + 1 : end + 2].isupper()
            yield start, end, "" if is_label else _digits(match[0])
        elif end - start <= _OF_ITEM:
            yield start, end, ""


def _is_base(text: str, end: int, exponent: str) -> bool:
    """Return whether the text before `end` can have an exponent: digit, unit, symbol, bracket."""
    if exponent == "¹":
        return False
    start = end
    while start and text[start - 1].isalpha():
        start -= 1
    word = text[start:end].lower()
    return text[end - 1 : end] in (")", "]", "⁻") or (
        text[end - 1 : end].isdecimal()
        if not word
        else (word in UNITS and exponent in "²³") or len(word) == 1
    )


def _digits(raised_digits: str) -> str:
    return "".join(str(SUPERSCRIPTS.index(char)) for char in raised_digits)


def _number(char: str) -> str:
    return str(int(unicodedata.numeric(char)))


@lru_cache(maxsize=1 << 12)
def _plain(char: str) -> str:
    if "\ud800" <= char <= "\udfff":
        return "\ufffd"
    if char in _SUBSCRIPTS:
        return str(_SUBSCRIPTS.index(char))
    compatible = unicodedata.normalize("NFKC", char)
    unseen = unicodedata.category(char) in ("Cf", "Mn", "Me") or not compatible.strip()
    if unseen or char in "\u115f\u1160\u3164\uffa0":
        return ""
    return compatible.replace("2", "²").replace("3", "³") if "㎀" <= char <= "㏟" else compatible


def _composed(base: str, marks: str) -> str:
    if base.isdecimal():
        return base
    return unicodedata.normalize("NFC", base + marks)
