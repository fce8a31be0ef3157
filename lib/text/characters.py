"""Characters that look like others, and characters that nobody sees.

Full-width and mathematical letters, enclosed digits, ligatures and composed units are read as the
plain ones; soft hyphens, zero-width characters and variation selectors are left out.

Numbers in other forms are written out plainly: 10 000, 10⁴, 2½, 14 (fourteen), PT15M.
"""

import math
import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from lib.text.decoded import Edit
from lib.text.units import SMALL, UNITS
from lib.text.words import MONTHS

SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
PLAIN_DIGITS = str.maketrans(SUPERSCRIPTS + "⁻−", "0123456789--")
_SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"
UNSEEN = (
    "\xad\u034f\u061c\u115f\u1160\u180b-\u180e\u200b\u200e\u200f\u202a-\u202c\u2060-\u2064"
    "\u2066-\u2069\u20e3\u3164\ufe00-\ufe0f\ufeff\uffa0\u0334-\u0338\U000e0000-\U000e007f\ud800-\udfff"
)
_ENCLOSED = "①-⑳⓪⓵-⓾❶-❿➀-➓"
_COMPATIBLE = "ℂℊ-ℓℕℙ-ℝℤℨKÅℬℭℯ-ℱℳℴ℃℉㎀-㏟ﬀ-ﬆ％＄．，０-９Ａ-Ｚａ-ｚ\U0001d400-\U0001d7ff"
_ANY = re.compile(rf"[{UNSEEN}{_SUBSCRIPTS}{_COMPATIBLE}]")
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
    for match in _CROSS.finditer(text):
        yield *match.span(match.lastgroup or 0), "False: " if match["before"] else " (false)"


def items(text: str) -> Iterator[Edit]:
    """Yield enclosed digits at the head of a line, which number an item, as "1."."""
    edits = [
        (max(match.start(1) + 1, match.end() - 2), match.end(), ".")
        for match in _KEYCAP_ITEM.finditer(text)
    ]
    for match in _ENCLOSED_ITEM.finditer(text):
        edits.append((*match.span(1), f"{_number(match[1])}."))
    yield from sorted(edits)


def plain(text: str) -> Iterator[Edit]:
    """Yield each character that looks like another as that other, each invisible one as nothing."""
    for match in _ANY.finditer(text):
        yield *match.span(), _plain(match[0])


def enclosed(text: str) -> Iterator[Edit]:
    """Yield digits in circles as digits."""
    for match in _ENCLOSED_RUN.finditer(text):
        yield *match.span(), _number(match[0])


def joined(text: str) -> Iterator[Edit]:
    """Yield joiners beside a Latin letter or a digit as nothing; other scripts need them."""
    for match in _JOINERS.finditer(text):
        yield *match.span(), ""


def composed(text: str) -> Iterator[Edit]:
    """Yield a letter with its accents as one character, and a digit without them."""
    for match in _MARKED.finditer(text):
        base = match[1]
        yield *match.span(), base if base.isdecimal() else unicodedata.normalize("NFC", match[0])


def of_one_script(text: str) -> Iterator[Edit]:
    """Yield a word of Latin letters and others that look like them in Latin letters alone."""
    for match in _TWO_SCRIPTS.finditer(text):
        word = match[0]
        plain_word = "".join(_LOOKALIKES.get(char, char) for char in word)
        if plain_word != word and any(char.isascii() for char in word):
            yield *match.span(), plain_word


def raised(text: str) -> Iterator[Edit]:
    """Yield raised digits that are no exponent as a number, or as nothing for a footnote's mark."""
    for match in _RAISED.finditer(text):
        start, end = match.span()
        before = text[start - 1] if start else "\n"
        if _is_base(text, start, match[0]):
            continue
        if before.isspace() or before in "([{“\"'":
            label = before == "\n" and end - start <= _OF_ITEM and text[end : end + 1] == " "
            is_label = label and text[end + 1 : end + 2].isupper()
            yield start, end, "" if is_label else match[0].translate(PLAIN_DIGITS)
        elif end - start <= _OF_ITEM:
            yield start, end, ""


def _is_base(text: str, end: int, exponent: str) -> bool:
    """Return whether the text before `end` can have an exponent: digit, unit, symbol, bracket."""
    if exponent == "¹":
        return False
    start = end
    while start and text[start - 1].isalpha():
        start -= 1
    word, before = text[start:end].lower(), text[end - 1 : end]
    if not word:
        return before in (")", "]", "⁻") or before.isdecimal()
    return len(word) == 1 or (word in UNITS and exponent in "²³")


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


_FRACTION_SIGN = re.compile(r"(?:(?<![\d.,])(\d{1,6})[ \xa0\u202f\u2009]?)?([¼½¾⅐-⅞])")
_MIXED = re.compile(r"(?<![\d/.,])(\d{1,6}) ([1-9])[/⁄]([2-9]|1[0-6])(?= ?-?[A-Za-z])")
_PART = re.compile(r"\d [1-9][/⁄]")
"""A faster test for texts that may contain mixed numbers."""
_GROUPED = re.compile(
    r"(?<![\d.,'’])\d{1,3}(?:(?:[\xa0\u2009\u202f]\d{3})+|(?:['’]\d{3})+)(?![\d.,]?\d)"
    r"|(?<!\d )(?<!\d[.,] )(?<![\d.,'’])\b\d{1,3}(?: \d{3})+(?= ?[A-Za-z%€£$°])"
)
_GROUP = re.compile(r"\d[ \xa0\u2009\u202f'’]\d{3}")
"""A faster test for texts that may contain grouped numbers."""
_POWER = re.compile(
    rf"(?<![\w.,^])(?:(\d{{1,6}}(?:\.\d{{1,9}})?)[ \xa0\u2009]?[×x·*⋅][ \xa0\u2009]?)?"
    rf"10(?:\^\{{?([-−⁻]?\d{{1,2}})\}}?|(⁻?[{SUPERSCRIPTS}]{{1,2}}))(?![\w^])"
)
_CARET = re.compile(r"(?<=[^\W\d_])\^\{?([1-9])\}?(?!\w)")
_SAID_TWICE = re.compile(
    r"\b(\d{1,3}) \(([a-z]+(?:-[a-z]+)?)\)|\b([a-z]+(?:-[a-z]+)?) \((\d{1,3})\)", re.IGNORECASE
)
_MOST_POWER = 15
_DURATION = re.compile(
    r"(?<![\w-])P(?=\d|T\d)(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?"
    r"(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?(?![\w-])"
)
_PARTS = ("years", "months", "weeks", "days", "hours", "minutes", "seconds")
_MOMENT = re.compile(r"(?<=\d{4}-\d\d-\d\d)T(?=\d\d:\d\d)")
_AFTER_MOMENT = re.compile(r"(?<=\d{4}-\d\d-\d\dT\d\d:\d\d):\d\d(?:\.\d+)?(Z\b)?")
_CJK_DATE = re.compile(
    r"(?:(?<!\d)(\d{4})[年년] ?)?(?<!\d)(\d{1,2})[月월](?: ?(\d{1,2})[日일号號]|(?! ?\d))"
)
_MONTH_NAMES = {number: name.capitalize() for name, number in reversed(MONTHS.items())}
"""The long one of each."""
ROMAN_YEAR = re.compile(
    r"\b(?=M[MDCLXVI]{3})M{1,2}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})\b"
)
"""Of four letters and more: "MD", "MIX" and "MMC" are seldom years."""
CAPITALS = re.compile(rf"{ROMAN_YEAR.pattern}|\bPT?\d|\dT\d\d:")
"""A faster test for texts that may contain Roman numerals, or dates and times of ISO 8601."""
_ROMAN = {"M": 1000, "D": 500, "C": 100, "L": 50, "X": 10, "V": 5, "I": 1}


def vulgar(text: str) -> Iterator[Edit]:
    """Yield 2½ as 2.5 and ½ as 0.5; a share ("½ of") as 1/2."""
    for match in _FRACTION_SIGN.finditer(text):
        is_share = not match[1] and text.startswith(" of", match.end())
        fraction = unicodedata.normalize("NFKC", match[2]).replace("⁄", "/")
        value = int(match[1] or 0) + unicodedata.numeric(match[2])
        yield *match.span(), fraction if is_share else _decimal(value)


def mixed(text: str) -> Iterator[Edit]:
    """Yield "2 1/2 hours" as "2.5 hours"."""
    if not _PART.search(text):
        return
    for match in _MIXED.finditer(text):
        whole, over, under = (int(part) for part in match.groups())
        if over < under:
            yield *match.span(), _decimal(whole + over / under)


def grouped(text: str) -> Iterator[Edit]:
    """Yield 10 000 and 10'000 as 10000.

    Between plain spaces only where a word or a unit follows.
    """
    for match in _GROUPED.finditer(text) if _GROUP.search(text) else ():
        yield *match.span(), re.sub(r"\D", "", match[0])


def powers(text: str) -> Iterator[Edit]:
    """Yield 1.5 × 10⁴ and 1.5*10^4 as 15000, "km^2" as "km²"."""
    if text.isascii() and "^" not in text:
        return
    edits = [(*match.span(), SUPERSCRIPTS[int(match[1])]) for match in _CARET.finditer(text)]
    for match in _POWER.finditer(text):
        power = int((match[2] or match[3]).translate(PLAIN_DIGITS))
        if abs(power) <= _MOST_POWER:
            edits.append((*match.span(), f"{Decimal(match[1] or '1').scaleb(power):f}"))
    yield from sorted(edits)


def roman(text: str) -> Iterator[Edit]:
    """Yield the year MCMXC as 1990."""
    for match in ROMAN_YEAR.finditer(text) if "M" in text else ():
        values = [_ROMAN[letter] for letter in match[0]]
        later = [*values[1:], 0]
        year = sum(-a if a < b else a for a, b in zip(values, later, strict=True))
        yield *match.span(), str(year)


def iso(text: str) -> Iterator[Edit]:
    """Yield PT15M as "15 minutes", 2025-03-04T22:00:00Z as "2025-03-04 22:00 UTC"."""
    for match in _DURATION.finditer(text) if "P" in text else ():
        parts = [(count, part) for count, part in zip(match.groups(), _PARTS, strict=True) if count]
        if len(parts) == 1:
            yield *match.span(), " ".join(parts[0])
    for match in _MOMENT.finditer(text) if "T" in text else ():
        yield *match.span(), " "
        seconds = _AFTER_MOMENT.match(text, match.end() + 5)
        if seconds:
            yield *seconds.span(), " UTC" if seconds[1] else ""


def cjk_dates(text: str) -> Iterator[Edit]:
    """Yield 2023年4月12日 as "12 April 2023"."""
    for match in _CJK_DATE.finditer(text):
        year, month, day = match.groups()
        if (year or day) and int(month) in _MONTH_NAMES:
            words = (str(int(day)) if day else "", _MONTH_NAMES[int(month)], year or "")
            yield *match.span(), f" {' '.join(filter(None, words))} "


def drop_repeated_numbers(text: str) -> Iterator[Edit]:
    """Yield "14 (fourteen) days" and "fourteen (14) days" as "14 days"."""
    if "(" not in text:
        return
    for match in _SAID_TWICE.finditer(text):
        figure, word = match[1] or match[4], (match[2] or match[3]).lower()
        # A word that is no number has no value, and equals no figure.
        if sum(SMALL.get(part, math.nan) for part in word.split("-")) == int(figure):
            yield (match.end(1), match.end(), "") if match[1] else (*match.span(), figure)


def _decimal(value: float) -> str:
    return f"{value:.4f}".rstrip("0")
