"""Citation marks of every common style, with code-point offsets, and notes on where a thing stands.

`[1]`, `[2, 3]`, `[4-6]`, `[^1]`, `[#1]`, `[[1]]`, `[S1]`, `[doc 2]`, `[ID:0]`, `[1, p. 3]`,
`【4:0†a.pdf】`, `(1)`, `(Doc. 8)`, `{1}`, `{{ref:1}}`, `<1>`, `<sup>1</sup>`, `<source_id="1">`:
a mark names sources by their numbers. A note says where something stands, without a number that
could be looked up: `(p. 12)`, `[Source: a.pdf, p. 3]`, `(see section 2.1)`.

Neither is part of what is said, so readers of statements see a text without them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lib.text.blocks import code
from lib.text.characters import PLAIN_DIGITS, SUPERSCRIPTS
from lib.text.decoded import Edit, Span
from lib.text.thinking import inside, thinking
from lib.text.units import UNITS
from lib.text.words import AUXILIARIES, DETERMINERS, PREPOSITIONS, word_set

_MOST_IN_RANGE = 50
# At most three digits: `[2024]` is a year. The repetition is bounded, so nothing backtracks far.
_KIND = (
    r"sources?|documents?|docs?|passages?|refs?|references?|citations?|cites?|chunks?|contexts?"
    r"|ctx|snippets?|excerpts?|results?|search results?|evidence|notes?"
)
_NAME = rf"(?:{_KIND})\.?[:_ -]{{0,2}}#?"
_NUMBERS = rf"\d{{1,3}}(?:\s?(?:[-–—,;&]|and)\s?(?:{_NAME}|[#^])?\d{{1,3}}){{0,40}}"
_PLACE = (
    r"(?:,? (?:pp?\.|pages?|§|sec\.|section|chapter|ch\.|lines?|paras?\.|paragraph) ?[\d–-]{1,9})?"
)
_ADDRESS = r"\(\s?<?https?://[^\s()<>]{1,500}(?:\([^\s()<>]{0,100}\))?>?\s?\)"

_MARK = re.compile(
    rf"\\?\[\[?(?:{_NAME}|[#^]|[SD](?=\d))?(?P<square>{_NUMBERS}){_PLACE}\\?\]\]?(?:(?P<link>{_ADDRESS})\]?)?(?!\()"
    rf"|\^\[(?P<caret>{_NUMBERS})\]\^"
    rf"|\[{{1,2}}ID: ?(?P<zero>{_NUMBERS.replace(_NAME, 'ID: ?')})\]{{1,2}}"
    rf"|【(?P<lenticular>\d{{1,4}})(?::(?P<part>\d{{1,4}}))?(?:†[\w .:\-–/]{{0,80}})?】"
    rf"|\((?:{_NAME})(?P<named>{_NUMBERS}){_PLACE}\)"
    r"|(?<=[\w.!?…,;:)\"”*]) ?\((?P<round>\d{1,2}(?:, ?\d{1,2}){0,9})\)"
    rf"|\{{{{?(?:{_NAME})?(?P<brace>{_NUMBERS})\}}}}?"
    r"|<(?P<angle>\d{1,3})>"
    r"|<(?P<tag>sup|cite|ref|citation)\b[^<>]{0,60}>\s?"
    r"\[?(?P<tagged>\d{1,3}(?:[ ,]{1,2}\d{1,3}){0,9})\]?\s?"
    r"</(?P=tag)>"
    r"|<(?:source|doc|document|ref|cite|citation)(?:_id| id| ref| name)?\s?=\s?[\"']?"
    r"(?P<attribute>\d{1,3})[\"']?\s?/?>(?:\s?</\w{1,10}>)?"
    rf"|(?<![{SUPERSCRIPTS}])"
    rf"(?P<raised>[{SUPERSCRIPTS}]{{1,3}}(?:[,˒] ?[{SUPERSCRIPTS}]{{1,3}}){{0,9}})(?![\w/])",
    re.IGNORECASE,
)
_STATED = r"(?:pp?\.|pages?|section|sec\.|§|chapter|ch\.|clause|article|art\.|para\.|paragraph)"
_LOCATION = rf"(?:{_STATED} ?\d[\d.–-]{{0,12}}(?: ?\([a-z\d]{{1,3}}\))?)"
_FILE = r"[\w ./-]{1,80}\.(?:pdf|md|docx?|txt|html?|csv|xlsx?|json|pptx?)"
_TITLE = r"[^\W\d][^\d()\[\]<>{}\n.!?]{0,60}"
_NOTE = re.compile(
    rf"\((?:pp?\.|pages?) ?\d[\d–-]{{0,12}}\)"
    rf"|[(\[](?:see|cf\.) (?:also )?(?:{_TITLE}, )?{_LOCATION}[)\]]"
    rf"|[(\[](?:see |cf\. |from )?{_FILE}(?:,? {_LOCATION})?[)\]]"
    rf"|[(\[](?:sources?|ref\.?|reference|citation):? (?:{_FILE}|{_TITLE})(?:,? {_LOCATION})?[)\]]"
    r"|\((?:[^\W\d][\w'&.-]*,? ){0,5}(?:et al\.|guide|handbook|manual|leaflet|report|policy)"
    r",? (?:19|20)\d\d[a-z]?\)"
    r"|[(\[](?:sources?|ref\.?|reference|citation): [^()\[\]<>{}\n]{1,80}[)\]]"
    r"|(?<!\()\[(?:sources?|link|ref|reference)\]",
    re.IGNORECASE,
)
_HOST = r"[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}"
_LINK_TEXT = (
    rf"\[\(?(?:sources?|link|ref|reference|here|\d{{1,3}}|{_HOST}"
    r"|(?-i:[A-Z][\w'&-]{0,40}(?: (?:[A-Z][\w'&-]{0,40}|of|the|and|for|in|on|to)){0,8}))\)?\]"
)
_LINKED_NOTE = re.compile(
    rf"\(\s?{_LINK_TEXT}{_ADDRESS}\s?\)|\[\s?{_LINK_TEXT}{_ADDRESS}\s?\]"
    rf"|\[\(?(?:sources?|link|ref|reference|here|{_HOST})\)?\]{_ADDRESS}",
    re.IGNORECASE,
)
"""A title in brackets that leads to a source, or a link that says nothing but that it does."""
_SAID_BY = re.compile(
    r"\b(?:according to|as (?:stated|said|written|described|explained) (?:in|by)|based on|per) "
    r"(?:the )?(?:source|document|doc|passage) #?(\d{1,3})\b"
    r"|(?<![^\n.!?\s])(?:source|document|passage) #?(\d{1,3}) "
    r"(?:states|says|mentions|explains|notes|confirms|reports|shows|indicates|adds)\b",
    re.IGNORECASE,
)
"""A source named before the claim it is cited for."""
_NAMED = ("source", "doc", "passage")
_PART = re.compile(r"(\d+)(?:\s?[-–—]\s?(\d+))?")
_BULLET = re.compile(r"[ \t]*(?:[-*•+][ \t]+)?")
_NUMBERED = re.compile(r"[ \t]*(?:\d{1,3}[.)]|[¹²³⁰⁴-⁹]{1,3}|[-*•+])[ \t]+\S")
_DEFINITION = re.compile(r"[ \t]*\[\^\w{1,20}\]:")
_ENTRY = (
    rf"(?:{_FILE}|[^\s,;*_][^\s,;]{{0,59}}|[A-Z][\w'&-]* [\w'&-]+"
    r"|[A-Z][\w'&-]*(?: (?:[A-Z][\w'&-]*|of|the|and|for|in|on|to|\d{4})){1,8})"
)
_ENTRIES = re.compile(rf"[*_\s]*{_ENTRY}(?:[,;] {_ENTRY}){{0,9}}[*_.\s]*")
"""A line of a list of sources: files, ids and titles, no sentence."""
_LIST_TITLES = frozenset(
    (
        "source", "sources", "reference", "references", "citations", "bibliography",
        "works cited", "sources used",
    )
)  # fmt: skip
_IN_FORMULA = re.compile(r"(?:\\[a-zA-Z]{1,20}|[\^_}])$")
_NEXT_SENTENCE = re.compile(r"[ \t]+[\"“(*]{0,2}[A-ZÀ-ÖØ-Þ]")
_OPENERS = "[(【{<" + SUPERSCRIPTS
_ENDS = frozenset('.,;:!?…)]"”*_\n。、！？')
_BETWEEN = re.compile(r"(?:\s|[,;&]|and|\*{1,2}|_{1,2}){0,5}")
_COUNTED = PREPOSITIONS | DETERMINERS | AUXILIARIES | word_set(
    "one two three four five six seven eight nine ten eleven twelve twenty thirty "
    "section sections article articles paragraph paragraphs clause clauses option options step "
    "steps item items type class category phase grade form rule level part point no number stage "
    "question answer tier zone group room line table figure and or to is are was minus plus equals "
    "about only"
)  # fmt: skip
"""After such a word, "(3)" is part of the text and no citation."""
_NOUN_BEFORE = PREPOSITIONS | word_set("see cf and or both")


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation mark: code points [start, end), and the 1-based numbers it names, in order.

    If `leads`, it stands before what it is cited for: "According to source 2, …".
    """

    start: int
    end: int
    numbers: tuple[int, ...]
    leads: bool = False


def marks(text: str) -> tuple[Mark, ...]:
    """Return the citation marks of a text in order, without those in code and links."""
    return tuple(mark for mark, is_link in _marks(text) if not is_link)


def without_citations(text: str) -> Iterator[Edit]:
    """Yield the edits that remove the marks from a text.

    Where a mark is a word of its sentence ("as [2] says"), "the source" replaces it.
    """
    return _edits(text, [mark for mark, _ in _marks(text)])


def without_notes(text: str) -> Iterator[Edit]:
    """Yield the edits that remove notes on a place at the end of a clause."""
    return _without(_NOTE, text) if "(" in text or "[" in text else iter(())


def without_linked_notes(text: str) -> Iterator[Edit]:
    """Yield the edits that remove links to a source at the end of a clause."""
    return _without(_LINKED_NOTE, text) if "](" in text else iter(())


def _without(pattern: re.Pattern[str], text: str) -> Iterator[Edit]:
    barred = _barred(text)
    notes = [
        Mark(*match.span(), ())
        for match in pattern.finditer(text)
        if _closes_clause(text, match) and not inside(match.start(), barred)
    ]
    return _edits(text, notes)


def leading_marks(text: str) -> tuple[Mark, ...]:
    """Return the sources that a text names before what it cites them for, as marks that lead."""
    folded = text.casefold()
    if not any(word in folded for word in _NAMED):
        return ()
    return tuple(
        Mark(*match.span(), (int(match[1] or match[2]),), leads=True)
        for match in _SAID_BY.finditer(text)
    )


def is_labelled(text: str, number: int) -> bool:
    """Return whether a text holds a passage of that number: "[3] …", "Passage 3: …"."""
    return bool(re.search(rf"\[{number}\]|\b{_NAME}{number}\b", text, re.IGNORECASE))


def reference_entries(text: str) -> tuple[Span, ...]:
    """Return the lines `[1] handbook.pdf, chunk 3` below a line "Sources:", without line ends.

    They list what is cited and claim nothing. `[^1]: handbook.pdf` and `Source: handbook.pdf` are
    entries anywhere.
    """
    entries, listing, at = list[Span](), False, 0
    for line in text.splitlines(keepends=True):
        body = line.rstrip()
        title, _, rest = body.partition(":")
        titled = is_list_title(title)
        is_listed = listing and (_opens_with_mark(body) or _NUMBERED.match(body))
        names_some = titled and (_opens_with_mark(rest.lstrip("*_")) or _ENTRIES.fullmatch(rest))
        if is_listed or names_some or _DEFINITION.match(body):
            entries.append((at, at + len(body)))
        elif body:
            listing = titled and not rest.strip("*_ \t")
        at += len(line)
    return tuple(entries)


def is_list_title(line: str) -> bool:
    """Return whether a line is the title of a list of references: "Sources", "Works cited"."""
    return line.strip("#*_: \t").lower() in _LIST_TITLES


def _opens_with_mark(line: str) -> bool:
    bullet = _BULLET.match(line)
    return bool(_MARK.match(line, bullet.end() if bullet else 0))


def _marks(text: str) -> list[tuple[Mark, bool]]:
    """Return all marks with numbers, and whether each is a link."""
    if not any(opener in text for opener in _OPENERS):
        return []
    matches = [match for match in _MARK.finditer(text) if _is_citation(text, match)]
    barred = _barred(text) if matches else []
    numbered = [
        (match, numbers)
        for match in matches
        if not inside(match.start(), barred) and (numbers := _numbers(match))
    ]
    # An answer that writes [0] counts its sources from 0.
    from_zero = {match.lastgroup for match, numbers in numbered if numbers == (0,)}
    marks = list[tuple[Mark, bool]]()
    for match, numbers in numbered:
        shift = match.lastgroup in from_zero and match.lastgroup != "zero"
        start = match.start() + match[0].startswith(" ")
        mark = Mark(start, match.end(), tuple(number + shift for number in numbers))
        marks.append((mark, bool(match["link"])))
    return marks


def _numbers(match: re.Match[str]) -> tuple[int, ...]:
    """Return the numbers that a mark names, 1-based also where its style counts from 0."""
    if match["lenticular"]:
        # The assistants of OpenAI write 【message:source†name】 and count both from 0.
        return (int(match["part"]) + 1,) if match["part"] else (int(match["lenticular"]),)
    kinds = (
        "square", "caret", "zero", "named", "round", "brace", "angle", "tagged", "attribute",
        "raised",
    )  # fmt: skip
    numerals = next(match[kind] for kind in kinds if match[kind])
    shift = int(bool(match["zero"]))
    numbers: dict[int, None] = {}
    for first, last in _PART.findall(numerals.translate(PLAIN_DIGITS)):
        low, high = int(first), int(last or first)
        if low == 0 and not shift and numerals.strip() != "0":  # An index or an interval.
            return ()
        if low <= high < low + _MOST_IN_RANGE:
            numbers |= dict.fromkeys(range(low + shift, high + 1 + shift))
    return tuple(numbers)


def _is_citation(text: str, match: re.Match[str]) -> bool:
    """Return whether a mark of that form cites here, rather than being part of the text."""
    at, style = match.start(), match.lastgroup
    before = text[max(0, at - 40) : at]
    if match["raised"] or (match["tag"] or "").lower() == "sup":
        return _is_raised_citation(text, at, match.end())
    if style in ("square", "link"):
        return not _is_index(text, at) and not before.rstrip().endswith(('":', "=", "["))
    if match["round"] or match["brace"] or match["angle"]:
        word = re.search(r"([\w'’-]+)[^\w]{0,3}$", before)
        is_said = word and (word[1].lower() in _COUNTED or word[1][-1].isdigit())
        behind_stop = before.rstrip()[-1:] in ".!?" and not (match["round"] and match[0][0] == " ")
        # \frac{1}{2}, x^{2}
        joined = match["brace"] is not None and _IN_FORMULA.search(before) is not None
        return (
            bool(word)
            and not is_said
            and not joined
            and (behind_stop or _ends_clause(text, match.end()))
        )
    return True


def _is_raised_citation(text: str, start: int, end: int) -> bool:
    """Return whether a raised number cites: "the goods¹", "the fee ³.", not "10¹²" and "m²"."""
    before = text[max(0, start - 40) : start]
    if before[-1:] == " ":
        word = re.search(r"(\w+) $", before)
        is_said = word and (_has_powers(word[1]) or word[1][-1].isdigit())
        behind_stop = before.rstrip()[-1:] in tuple(".!?") and _NEXT_SENTENCE.match(text, end)
        return not is_said and bool(before.strip()) and bool(behind_stop or _ends_clause(text, end))
    word = re.search(r"([^\W\d_]{3,})$", before)
    attached = before[-1:] in tuple('.!?…,;:)]"”’*')
    return attached or (word is not None and not _has_powers(word[1]))


def _has_powers(word: str) -> bool:
    return UNITS.get(word.lower(), ("", 0.0))[0] == "m"


def _closes_clause(text: str, note: re.Match[str]) -> bool:
    """Return whether a note stands at the end of a clause or behind its sentence's full stop."""
    before = text[max(0, note.start() - 3) : note.start()].rstrip()
    return bool(before) and (before[-1] in ".!?" or _ends_clause(text, note.end()))


def _ends_clause(text: str, at: int) -> bool:
    """Return whether a clause ends at that place; other marks do not count."""
    while at < len(text) and text[at] in " \t*_":
        at += 1
    return at == len(text) or text[at] in _ENDS or bool(_MARK.match(text, at))


def _edits(text: str, marks: list[Mark]) -> Iterator[Edit]:
    """Yield the edits for each run of marks, with the space before it or, in a new line, after."""
    for group in _runs(text, marks):
        start, end = group[0].start, group[-1].end
        head = start
        while head and text[head - 1] in " \t\u00a0":
            head -= 1
        opens_line = head == 0 or text[head - 1] in "\r\n"
        begins = opens_line or text[head - 1] in ".!?"
        is_subject = begins and re.match(r"[ \t]+[a-z]", text[end : end + 3])
        # The sentence needs the mark as a word: "[2] says that", "as shown in [3]".
        if is_subject or needs_noun(text, head):
            yield start, end, "the source"
        elif opens_line or text[head - 1] in "([":
            while end < len(text) and text[end] in " \t":
                end += 1
            yield start, end, ""
        else:
            yield head, end, ""


def _runs(text: str, marks: list[Mark]) -> Iterator[list[Mark]]:
    """Yield the groups of marks that follow one another: "[1], [2] and [4]"."""
    run = list[Mark]()
    for item in marks:
        if run and not _BETWEEN.fullmatch(text, run[-1].end, item.start):
            yield run
            run = []
        run.append(item)
    if run:
        yield run


def needs_noun(text: str, head: int) -> bool:
    """Return whether the word that ends there needs one behind it: "as shown in", "see"."""
    word = re.search(r"([^\W\d_]+)$", text[max(0, head - 20) : head])
    return word is not None and word[1].lower() in _NOUN_BEFORE


def _is_index(text: str, at: int) -> bool:
    """Return whether brackets are an index in code: `x[3]`, `row_2[1]`, not "in 2018[1]"."""
    head = at
    while head and (text[head - 1].isalnum() or text[head - 1] == "_"):
        head -= 1
    word = text[head:at]
    return "_" in word or (len(word) == 1 and word.isalpha())


def _barred(text: str) -> list[Span]:
    """Return the spans in which nothing cites: code, and what a model wrote for itself."""
    return sorted([*code(text), *thinking(text)])
