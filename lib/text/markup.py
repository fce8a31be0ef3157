"""Renders a text as its reader sees it: no markup or citation marks, plain characters.

HTML tags, Markdown links and emphasis, struck words and formulas are read here; numbers are written
out. Answers and sources are read alike, so that neither formatting nor an encoding makes a
statement differ from its source, and none hides what it says.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import unescape

from lib.text import characters, citations
from lib.text.blocks import HYPHENS, unwrapped
from lib.text.characters import SUPERSCRIPTS
from lib.text.decoded import Decoded, Edit, Span, blanked
from lib.text.words import word_set

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


def entities(text: str) -> Iterator[Edit]:
    """Yield the HTML entities with what they stand for: `&#50;&#48; feet` is "20 feet"."""
    if "&" not in text:
        return
    for match in _ENTITY.finditer(text):
        plain = unescape(match[0])
        if plain != match[0]:
            yield *match.span(), plain


def without_comments(text: str) -> str:
    """Return the text with its HTML comments blanked; every other character stays in its place."""
    return blanked(text, (comment.span() for comment in _COMMENT.finditer(text)))


_PAGE_HEAD = re.compile(
    r"(?<![^\n\f])[ \t]*+(?:[^\n|]{0,80}[ \t(–—-])?(?:page|p\.|seite) ?\d{1,4}"
    r"(?: ?(?:of|/|von) ?\d{1,4})?(?:[ \t)–—-][^\n|]{0,80})?[ \t]*(?=\n|\Z)",
    re.IGNORECASE,
)
_LEAST_PAGES = 2


def without_page_heads(text: str) -> str:
    """Return the text with the lines blanked that each page repeats, but for its number.

    A sentence that they cut in two is one again; every other character stays in its place.
    """
    matches = [(match, _DIGITS.sub("", match[0]).strip()) for match in _PAGE_HEAD.finditer(text)]
    heads = Counter(head for _, head in matches)
    parts, position = list[str](), 0
    for match, head in matches:
        if heads[head] < _LEAST_PAGES:
            continue
        start, end = max(match.start(), position), match.end()
        while start > position and text[start - 1].isspace():
            start -= 1
        while end < len(text) and text[end].isspace():
            end += 1
        goes_on = start > 0 and text[start - 1] not in ".!?:;" and text[end : end + 1].islower()
        parts += (text[position:start], (_ANY if goes_on else _INK).sub(" ", text[start:end]))
        position = end
    return "".join((*parts, text[position:]))


_INK, _ANY = re.compile(r"\S"), re.compile(r".", re.DOTALL)
_DIGITS = re.compile(r"\d+")
_CUT_WORD = re.compile(rf"(?<![^\W\d_])([^\W\d_]+)([{HYPHENS}])[ \t]*\r?\n[ \t>]*([^\W\d_]+)")
_COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*-?")
_SUSPENDING = word_set("and or to und oder et y")
"""Behind a hyphen the word is left open: "pre- and postnatal"."""


def cut_words(text: str) -> Iterator[Edit]:
    """Yield the edits that join a word cut at the end of a line; a compound keeps its hyphen.

    A compound stands with its hyphen elsewhere in the text, or its first part does as a word.
    """
    if not _CUT_WORD.search(text):
        return
    words = set(_COMPOUND.findall(text.lower()))
    for match in _CUT_WORD.finditer(text):
        first, second = match[1].lower(), match[3].lower()
        if second in _SUSPENDING:
            continue
        is_compound = f"{first}-{second}" in words or not match[3][0].islower()
        joined = not is_compound and (first + second in words or first not in words)
        yield match.start(2) if joined else match.end(2), match.start(3), ""


_PART = r"(?:metadata=\{[^{}]{0,2000}\}|(?:id|type)=(?:None|'[^'\n]{0,200}'))[,\s]{0,3}"
_DOCUMENT = re.compile(
    rf"\[?(?:\bDocument\()?(?:{_PART}){{0,3}}\bpage_content=(?:'((?:[^'\\]|\\.)*)'"
    rf"|\"((?:[^\"\\]|\\.)*)\")[,\s]{{0,3}}(?:{_PART}){{0,3}}\)?[,\]]?"
)
_PYTHON_ESCAPE = re.compile(r"\\([nrt'\"\\])")


def documents(text: str) -> Iterator[Edit]:
    """Yield the edits that leave of a LangChain document, as Python prints it, its text."""
    if "page_content=" not in text:
        return
    for match in _DOCUMENT.finditer(text):
        start, end = match.span(1 if match[1] is not None else 2)
        yield match.start(), start, "\n\n"
        for escape in _PYTHON_ESCAPE.finditer(text, start, end):
            yield *escape.span(), "\n" if escape[1] in "nr" else escape[1].replace("t", "\t")
        yield end, match.end(), "\n\n"


_MATHS = re.compile(r"(?<![\\$\w])(\$\$?)(?=[^\s$])([^$\n]{1,300}?)(?<=[^\s\\])\1(?![\d$])")
_CLOSING = re.compile(r"\$(?!\d)")
"""Signs of a formula that never precede a price."""
_DISPLAY = re.compile(r"\$\$([^$]{1,2000})\$\$")
_PROSE = re.compile(
    r"(?<![\\{A-Za-z])[A-Za-z]{2,} |^\d[\d.,]* ?(?:/|per|a|and|or|to|-|–)", re.IGNORECASE
)
_BRACKETED = re.compile(r"\\\((.{1,300}?)\\\)|\\\[(.{1,300}?)\\\]", re.DOTALL)
_LABEL = re.compile(r"\s*\d{1,3}(?:[,\s–-]+\d{1,3})*\s*")
_WRAPPER = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|tt|up)?|math(?:rm|bf|it|sf|tt|bb|cal)|operatorname|boxed|fbox|num|emph"
    r"|underline|unit|si|mbox|bm|boldsymbol|ensuremath|(?:sub)*section\*?|paragraph)[ ]?\{"
)
_QUANTITY = re.compile(
    r"\\(?:SI|qty)(?:\[[^\]\n]{0,80}\])?\{([^{}\n]{1,40})\}\{\\?([^{}\n]{0,40})\}"
)
_FRACTION = re.compile(r"\\[dt]?frac(?:\{([^{}\n]{1,20})\}\{([^{}\n]{1,20})\}|(\d)(\d))")
_SYMBOLS = {
    "times": "×", "cdot": "×", "approx": "≈", "sim": "~", "leq": "≤", "le": "≤", "geq": "≥",
    "ge": "≥", "pm": "±", "to": "→", "percent": "%", "euro": "€", "pounds": "£", "circ": "°",
    "degree": "°", "celsius": "°C", "quad": " ", "qquad": " ", "thinspace": " ", "left": "",
    "right": "", "lt": "<", "gt": ">", "ldots": "…", "dots": "…",
    "meter": "m", "metre": "m", "kilometer": "km", "second": "s", "hour": "h", "day": "days",
}  # fmt: skip
_SYMBOL = re.compile(rf"\\({'|'.join(sorted(_SYMBOLS, key=len, reverse=True))})(?![A-Za-z])")
_SPACE = re.compile(r"\\[,;:> ]|\\!|(?<=\d)~(?=[\\A-Za-z])")
_ESCAPED = re.compile(r"\\(?=[%$&#_{}\[\]])")
_COMMA = re.compile(r"(?<=\d)\{([.,])\}(?=\d)")
_RAISED = re.compile(r"\^\{?(\\circ|°)\}?|\^\{(-?\d{1,2})\}")
_LOWERED = re.compile(r"_\{?(\d{1,2})\}?")


def commands(text: str) -> Iterator[Edit]:
    """Yield the edits of commands that wrap a text, of spaces, symbols and escaped signs."""
    if "\\" not in text:
        return
    edits = list(_wrappers(text))
    for match in _QUANTITY.finditer(text):
        edits += [(match.start(), match.start(1), ""), (match.end(1), match.start(2), " ")]
        edits.append((match.end() - 1, match.end(), ""))
    for match in _FRACTION.finditer(text):
        over, under = match[1] or match[3], match[2] or match[4]
        whole = text[match.start() - 1 : match.start()].isdigit()
        edits.append((*match.span(), f"{' ' * whole}{over}/{under}"))
    edits += [(*match.span(), _SYMBOLS[match[1]]) for match in _SYMBOL.finditer(text)]
    edits += [(*match.span(), "" if match[0] == "\\!" else " ") for match in _SPACE.finditer(text)]
    edits += [(*match.span(), "") for match in _ESCAPED.finditer(text)]
    edits += [(*match.span(), match[1]) for match in _COMMA.finditer(text)]
    yield from apart(edits)


def formulas(text: str) -> Iterator[Edit]:
    """Yield the edits that remove the signs around a formula and the braces inside it."""
    edits = list[Edit]()
    for start, end, signs in _formulas(text):
        edits += [(start, start + signs, ""), (end - signs, end, "")]
        inside = start + signs, end - signs
        edits += [
            (*match.span(), "°" if match[1] else _superscripts(match[2]))
            for match in _RAISED.finditer(text, *inside)
        ]
        edits += [(*match.span(), match[1]) for match in _LOWERED.finditer(text, *inside)]
    yield from apart(edits)


def _formulas(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield start and end of each formula, and the length of the signs around it.

    "\\[1\\]" is no formula but a mark in brackets that Markdown needs escaped.
    """
    if text.count("$") > 1 and ("$$" in text or _CLOSING.search(text)):
        for match in _DISPLAY.finditer(text):
            yield *match.span(), 2
        for match in _MATHS.finditer(text):
            if len(match[1]) == 1 and not _PROSE.search(match[2]):
                yield *match.span(), 1
    if "\\" in text:
        for match in _BRACKETED.finditer(text):
            if not _LABEL.fullmatch(match[2] or "-"):
                yield *match.span(), 2


def apart(edits: list[Edit]) -> Iterator[Edit]:
    """Yield the edits in order; of two that overlap only the longer one, or else the first."""
    done = 0
    for edit in sorted(edits, key=lambda edit: (edit[0], -edit[1])):
        if edit[0] >= done and edit[1] > edit[0]:
            yield edit
            done = edit[1]


def _wrappers(text: str) -> Iterator[Edit]:
    closing = dict[int, int]()
    open_braces = list[int]()
    for match in re.finditer(r"[{}]", text):
        if match[0] == "{":
            open_braces.append(match.start())
        elif open_braces:
            closing[open_braces.pop()] = match.start()
    for match in _WRAPPER.finditer(text):
        end = closing.get(match.end() - 1)
        if end is not None:
            yield *match.span(), ""
            yield end, end + 1, ""


_INLINE = word_set(
    "a abbr b bdi big cite code em font i ins kbd label mark nobr pre q s samp small span strong "
    "sub sup tt u var wbr"
)
_BLOCK = word_set(
    "article aside blockquote body br center dd details div dl dt figcaption figure footer h1 h2 "
    "h3 h4 h5 h6 head header hr html li main nav ol p section summary ul"
)
_TAG = re.compile(r"</?([a-zA-Z][\w:.-]{0,30})((?:\s[^<>]{0,400})?)/?>")
_HTML = _INLINE | _BLOCK
_FIELD = re.compile(r"<([a-zA-Z][\w:.-]{0,30})(\s[^<>]{0,400})?>[^<>]{0,60}(?<![.!?])(</\1\s*>)")
_NUMBERING = re.compile(
    r"(?:\s+(?:xml(?:ns)?(?::\w+)?|id|index|n|no|number|lang|class|type|version)"
    r"\s*=\s*(?:\"[^\"]*\"|'[^']*'|\w+))*\s*"
)
_CLOSING_TAG = re.compile(r"</([a-zA-Z][\w:.-]{0,30})\s*>")
_DECLARATION = re.compile(r"<(?:\?xml|!doctype)\b[^<>]{0,400}>|<!\[CDATA\[|\]\]>", re.IGNORECASE)
_TEXT_ATTRIBUTE = re.compile(
    r"\b(?:alt|title|placeholder|label|value|content|summary|aria-\w+|data-[\w-]+)\s*=",
    re.IGNORECASE,
)
_RAISED_TAG = re.compile(r"<sup\b[^<>]{0,80}>\s*([\d,\s]{1,9})\s*</sup>", re.IGNORECASE)
_LINK = re.compile(
    r"\[(?P<text>[^\[\]\n]{1,300})\]\(\s?<?[^\s()<>\"]{0,500}(?:\([^\s()<>\"]{0,100}\))?>?\s?\)"
)
_ADDRESS = re.compile(r"\s?\(?(?:https?://|www\.)[^\s<>()\[\]\"']{1,500}(?<![.,;:!?])\)?")
_ADDRESS_WORD = re.compile(r"[^\W\d_]{2,}")
_MOST_ADDRESS_WORDS = 6
_EMPHASIS = re.compile(
    r"(?<![\w*`])(\*{1,3}|`|_{1,2})([$€£~≈<>≤≥+-]?\d[\d.,:/\u202f\xa0]*%?)\1(?![*`_\d])"
)
_STRUCK = re.compile(
    r"~~(?!\s)[^~\n]{1,300}?(?<!\s)~~|<(del|s|strike)\b[^<>]{0,200}>.{0,300}?</\1\s*>",
    re.IGNORECASE | re.DOTALL,
)
_ANY_TAG = re.compile(r"<([a-zA-Z][a-zA-Z0-9]{0,15})\b([^<>]{0,800})>")
_HIDING = re.compile(
    r"\shidden(?=[\s=/]|$)|\saria-hidden\s*=\s*[\"']?true|display\s*:\s*none"
    r"|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])",
    re.IGNORECASE,
)
_NEVER_SHOWN = word_set("script style template noscript title")
_NO_TEXT = word_set("meta input img link base")
_FARTHEST_END = 4_000
"""Characters within which a hidden element has to end."""


def without_hidden(text: str) -> str:
    """Return a text of HTML with the parts blanked that a browser does not show.

    These are scripts, hidden elements, and elements whose only text is in attributes.
    """
    return blanked(text, _hidden(text)) if "<" in text and ">" in text else text


def _hidden(text: str) -> Iterator[Span]:
    position = 0
    for tag in _ANY_TAG.finditer(text):
        end = _end_of_hidden(text, tag) if tag.start() >= position else 0
        if end:
            yield tag.start(), end
            position = end


def _end_of_hidden(text: str, tag: re.Match[str]) -> int:
    """Return where what a tag hides ends; 0 where it hides nothing."""
    name = tag[1].lower()
    if name in _NO_TEXT:
        return tag.end()
    if name not in _NEVER_SHOWN and not _HIDING.search(tag[2]):
        return 0
    closing = text.find(f"</{tag[1]}", tag.end(), tag.end() + _FARTHEST_END)
    return closing + len(tag[1]) + len("</>") if closing >= 0 else 0


def struck(text: str) -> Iterator[Edit]:
    """Yield the edits that remove words struck through: "~~50~~ 62 m" says 62 m."""
    if "~~" in text or "</" in text:
        yield from ((*match.span(), "") for match in _STRUCK.finditer(text))


def tags(text: str) -> Iterator[Edit]:
    """Yield each tag as nothing or as the end of a line; one whose attribute is shown stays.

    A tag is one of HTML or has its closing tag in the text, as "<your-department>" has not, and
    holds more than the value of a field.
    """
    if "<" not in text or ">" not in text:
        return
    edits = [(*match.span(), "") for match in _DECLARATION.finditer(text)]
    for match in _RAISED_TAG.finditer(text):
        edits.append((*match.span(), _superscripts(match[1])))
    closed = frozenset(name.lower() for name in _CLOSING_TAG.findall(text)) - _HTML
    fields = {at for match in _FIELD.finditer(text) for at in (match.start(), match.start(3))}
    for match in _TAG.finditer(text):
        name = match[1].lower()
        if name in closed:
            is_tag = match.start() not in fields and bool(_NUMBERING.fullmatch(match[2]))
        else:
            is_tag = name in _HTML and not _TEXT_ATTRIBUTE.search(match[2])
        if is_tag:
            edits.append((*match.span(), "" if name in _INLINE else "\n"))
    yield from apart(edits)


def links(text: str) -> Iterator[Edit]:
    """Yield links as their text and addresses as nothing."""
    edits = list[Edit]()
    if "](" in text:
        for match in _LINK.finditer(text):
            edits += [(match.start(), match.start(1), ""), (match.end(1), match.end(), "")]
    if "://" in text or "www." in text:
        edits += [
            (*match.span(), "") for match in _ADDRESS.finditer(text) if _is_plain(text, match)
        ]
    yield from apart(edits)


def emphasis(text: str) -> Iterator[Edit]:
    """Yield the edits that remove the marks around a lone figure: "**300** m" is "300 m"."""
    if "*" not in text and "`" not in text and "_" not in text:
        return
    yield from _unmarked(_EMPHASIS, text)


def _unmarked(pattern: re.Pattern[str], text: str) -> Iterator[Edit]:
    """Yield the edits that leave of each match, a sign on both sides, only what is between."""
    for match in pattern.finditer(text):
        yield match.start(), match.start(2), ""
        yield match.end(2), match.end(), ""


_CODE = re.compile(r"(?<![\\`])(`{1,2})(?=[^`])([^`\n]*)\1(?!`)")
_STARRED = re.compile(r"(?<![\w*\\])(\*{1,3})(?=[^\s*])([^*\n]*)(?<=\S)\1(?![\w*])")
_UNDERLINED = re.compile(r"(?<![\w\\])(_{1,3})(?=[^\s_])([^_\n]*)(?<=\S)\1(?!\w)")
_MARKED = (_CODE, _STARRED, _STARRED, _UNDERLINED)
"""Text between marks of emphasis; twice where some stands within some."""


def without_emphasis(decoded: Decoded) -> Decoded:
    """Return the text without Markdown's marks of emphasis and code, for a model to read."""
    for pattern in _MARKED:
        decoded = decoded.edited(_unmarked(pattern, decoded.text))
    return decoded


def _is_plain(text: str, match: re.Match[str]) -> bool:
    """Return whether an address stands behind other words and is not itself a sentence."""
    line = text.rfind("\n", 0, match.start()) + 1
    words = _ADDRESS_WORD.findall(match[0].partition("://")[2])
    return (
        bool(_ADDRESS_WORD.search(text, line, match.start())) and len(words) <= _MOST_ADDRESS_WORDS
    )


def _superscripts(digits: str) -> str:
    return "".join(
        "⁻" if char == "-" else SUPERSCRIPTS[int(char)]
        for char in digits
        if char == "-" or (char.isdecimal() and char.isascii())
    )


QUOTES = {'"': '"', "“": "”", "«": "»", "„": "“"}


def wrapping_quotes(text: str) -> Iterator[Edit]:
    """Yield the edits that remove a pair of quotation marks around the whole text."""
    inner = text.strip()
    closing = QUOTES.get(inner[:1])
    if closing and len(inner) > 1 and inner.find(closing, 1) == len(inner) - 1:
        start = text.index(inner[0])
        yield start, start + 1, ""
        yield start + len(inner) - 1, start + len(inner), ""


_STEPS: tuple[Callable[[str], Iterator[Edit]], ...] = (
    cut_words,
    documents,
    citations.without_citations,
    wrapping_quotes,
    entities,
    characters.items,
    characters.crosses,
    characters.plain,
    characters.enclosed,
    characters.joined,
    characters.composed,
    characters.of_one_script,
    struck,
    tags,
    citations.without_linked_notes,
    links,
    formulas,
    commands,
    emphasis,
    characters.raised,
    characters.vulgar,
    characters.mixed,
    characters.grouped,
    characters.powers,
    characters.roman,
    characters.iso,
    characters.cjk_dates,
    characters.drop_repeated_numbers,
)
_OF_OTHER_CHARACTERS = {
    characters.items, characters.crosses, characters.plain, characters.enclosed, characters.joined,
    characters.composed, characters.of_one_script, characters.raised, characters.vulgar,
    characters.cjk_dates,
}  # fmt: skip
"""Steps that leave ASCII text as it is."""
_PLAIN = re.compile(r"[\w\s.,;:!?\"'%/#-]*", re.ASCII)
_DIGIT_GROUP = re.compile(r"\d[ '/]\d")


def decode(text: str) -> Decoded:
    """Return the text as it is read; every character keeps the offset that it was written at."""
    text = unwrapped(text)
    plain = "://" not in text and text[:1] != '"' and _PLAIN.fullmatch(text)
    if plain and not (
        _DIGIT_GROUP.search(text) or characters.CAPITALS.search(text) or _CUT_WORD.search(text)
    ):
        return Decoded(text)
    return rendered(Decoded(text))


def rendered(decoded: Decoded) -> Decoded:
    """Return a text as it is read whose offsets are already those of another."""
    decoded = replace(decoded, text=unwrapped(decoded.text))
    for step in _STEPS:
        if not (step in _OF_OTHER_CHARACTERS and decoded.text.isascii()):
            decoded = decoded.edited(step(decoded.text))
    return decoded
