"""Decides which text other than plain sentences makes a statement: headings, cells, questions.

A heading such as "Refund policy" announces, "Refunds take 14 days" states. The difference is a
verb, or a figure with its unit.
"""

from analysis.engine.claims.replies import QUESTION_WORDS
from lib.text.figures import figures
from lib.text.quantity import LABEL, ORDINAL
from lib.text.tokens import MARK, NUMBER, WORD, Tokens
from lib.text.verbs import finite, predicates
from lib.text.words import AUXILIARIES, PREPOSITIONS, SUBJECT_PRONOUNS, word_set

Range = tuple[int, int]
_LEAST_PROSE_WORDS = 3
_LEAST_CELL_WORDS = 3
_LEAST_TAGGED = 3
_CODE_SIGNS = frozenset("={}<>;$\\@()[]|+") | {"==", "=>", "->", "::", "()", "&&", "||", "+=", "*="}
_COMMENT_SIGNS = frozenset("#/*-%;\"'`>") | {"//", "##", "###", "--", "**", '"""', "'''"}
_ANNOUNCING = word_set(
    "following follow follows below here here's these this steps step ways reasons include "
    "includes including such list lists options tips points factors examples example summary "
    "breakdown overview details"
)
_TAGS = frozenset(
    (
        "right", "correct", "no", "yes", "okay", "ok", "true", "eh", "huh", "agreed", "or what",
        "or not", "don't you think", "don't you agree", "wouldn't you say", "wouldn't you agree",
        "you know", "or am i wrong", "am i right",
    )
)  # fmt: skip
_TAG_SUBJECTS = SUBJECT_PRONOUNS | {"there", "we", "you", "i"}
_AFFIRMATIONS = word_set(
    "yes yeah yep correct right exactly absolutely indeed definitely certainly true sure "
    "affirmative"
)
_EXPLETIVES = AUXILIARIES | {"it", "that"}
_REACH = 8
_OPENINGS = word_set("but and so well now or then yes no")
_RHETORICAL = word_set(
    "know knew doubt deny agree realise realize aware heard dispute remember notice believe "
    "surprise surprised told guess guessed"
)
_CAUSES = word_set("why because")
"""What follows them is taken for granted, whatever the question asks."""
_TALKING = word_set(
    "i i'd i'm i'll me my we us you your sorry thanks thank happy glad feel enjoy welcome hope let"
)
_NOT_STATING = word_set("you your i we my our any anything more another else")


def states_something(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether tokens [first, last) have a verb, or a figure with its unit."""
    asking = first < last and tokens.lower[first] in QUESTION_WORDS
    if not asking and predicates(tokens, first, last):
        return True
    return has_measured_figure(tokens, first, last)


def has_measured_figure(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a figure has a unit, or follows a colon, and a word is beside it."""
    quantities = figures(tokens, first, last).quantities
    units = [
        quantity
        for quantity in quantities
        if quantity.unit and quantity.unit not in (LABEL, ORDINAL)
    ]
    after_colon = any(
        tokens.kinds[at] == NUMBER and tokens.words[at - 1].endswith(":")
        for at in range(first + 2, last)
    )
    words = sum(tokens.kinds[at] == WORD for at in range(first, last))
    figured = sum(quantity.last - quantity.first for quantity in units)
    return bool(units or after_colon) and words > min(figured, 1)


def takes_for_granted(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a courtesy or an offer contains a figure: "Shall I book the 40 seats?"."""
    return not _TALKING.isdisjoint(tokens.lower[first:last]) and has_measured_figure(
        tokens, first, last
    )


def is_prose(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a line in a code fence is a sentence, ignoring its comment signs."""
    first, last = without_comment_signs(tokens, first, last)
    words = sum(tokens.kinds[at] == WORD for at in range(first, last))
    if words < _LEAST_PROSE_WORDS or not _CODE_SIGNS.isdisjoint(tokens.words[first:last]):
        return False
    return states_something(tokens, first, last) or tokens.words[last - 1] in (".", "!", "?")


def without_comment_signs(tokens: Tokens, first: int, last: int) -> Range:
    """Return tokens [first, last) without the signs of a comment or a string around them."""
    while first < last and tokens.words[first] in _COMMENT_SIGNS:
        first += 1
    while last > first and tokens.words[last - 1] in _COMMENT_SIGNS:
        last -= 1
    return first, last


def is_lead_in(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a line that ends with a colon only announces what follows."""
    while last > first and tokens.kinds[last - 1] == MARK:
        last -= 1
    words = tokens.lower[first:last]
    if not words or not _ANNOUNCING.isdisjoint(words):
        return True
    clock = tokens.kinds[last - 2] == NUMBER if len(words) > 1 else False
    ends_open = words[-1] in AUXILIARIES | PREPOSITIONS or finite(tokens, last - 1)
    return (ends_open and not clock) or not states_something(tokens, first, last)


def in_brackets(tokens: Tokens, first: int, last: int) -> Range | None:
    """Return the brackets at the end of a sentence if they contain a sentence of their own."""
    while last > first and tokens.words[last - 1] in (".", "!", ";"):
        last -= 1
    if last == first or tokens.words[last - 1] != ")" or "(" not in tokens.words[first:last]:
        return None
    start = last - 1 - tokens.words[first:last][::-1].index("(")
    words = sum(tokens.kinds[at] == WORD for at in range(start, last))
    own = words > _LEAST_PROSE_WORDS and predicates(tokens, start + 2, last - 1)
    return (start + 1, last - 1) if own and start > first else None


def stating_cells(tokens: Tokens, first: int, last: int) -> list[Range]:
    """Return the cells of a table row that are statements by themselves."""
    cells, start = list[Range](), first
    for at in range(first, last + 1):
        if at == last or tokens.words[at].startswith("|"):
            words = sum(tokens.kinds[index] == WORD for index in range(start, at))
            if words >= _LEAST_CELL_WORDS and states_something(tokens, start, at):
                cells.append((start, at))
            start = at + 1
    return cells


def stated_by_question(tokens: Tokens, first: int, last: int) -> Range | None:
    """Return what a question states: W in "W, right?" and "Did you know that W?".

    None for a question that asks.
    """
    end = last
    while end > first and tokens.kinds[end - 1] == MARK:
        end -= 1
    first = _without_opening(tokens, first, end)
    if first == end:
        return None
    granted = _granted(tokens, first, end)
    if granted is not None:
        return granted
    tagged = _before_tag(tokens, first, end)
    if tagged is not None:
        return (first, tagged) if tagged - first >= _LEAST_TAGGED else None
    if tokens.lower[first] in AUXILIARIES | QUESTION_WORDS:
        return _behind_that(tokens, first, end) or _negated(tokens, first, end)
    own = tokens.lower[first] not in _NOT_STATING or has_measured_figure(tokens, first, end)
    return (first, end) if own and states_something(tokens, first, end) else None


def affirmed(tokens: Tokens, first: int, end: int) -> Range | None:
    """Return what a question states if "Yes." follows: W in "Is it true that W?", or its figure."""
    first = _without_opening(tokens, first, end)
    while end > first and tokens.kinds[end - 1] == MARK:
        end -= 1
    if first == end or tokens.lower[first] not in AUXILIARIES:
        return None
    if "that" in tokens.lower[first:end]:
        at = tokens.lower.index("that", first, end)
        return (at + 1, end) if states_something(tokens, at + 1, end) else None
    read = figures(tokens, first, end)
    return (first + 1, end) if read.quantities or read.dates else None


def affirms(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a sentence begins with "Yes", "Correct" or another affirmation."""
    return first < last and tokens.lower[first] in _AFFIRMATIONS


def _without_opening(tokens: Tokens, first: int, end: int) -> int:
    """Return the position after "But", "And so" and the label of "Q: …"."""
    while first < end and (tokens.lower[first] in _OPENINGS or tokens.kinds[first] == MARK):
        first += 1
    labelled = first + 1 < end and tokens.words[first + 1] == ":" and tokens.kinds[first] == WORD
    return first + 2 if labelled else first


def _granted(tokens: Tokens, first: int, end: int) -> Range | None:
    """Return W in "Why is it that W?" or "How come W?", if it has a figure."""
    for at in range(first, min(end, first + _REACH)):
        come = tokens.lower[at] == "come" and tokens.lower[at - 1 : at] == ["how"]
        if tokens.lower[at] in _CAUSES or come:
            start = at + 1
            while start < end and tokens.lower[start] in _EXPLETIVES:
                start += 1
            read = figures(tokens, start, end)
            return (start, end) if read.quantities or read.dates else None
    return None


def _before_tag(tokens: Tokens, first: int, end: int) -> int | None:
    """Return where the tag of a tag question begins, or None."""
    for at in range(end - 1, max(first, end - 7), -1):
        if tokens.words[at] in (",", "–", "—", "-", "…", "..."):
            tag = tokens.lower[at + 1 : end]
            inverted = len(tag) <= 3 and tag[0] in AUXILIARIES and tag[-1] in _TAG_SUBJECTS
            return at if inverted or " ".join(tag) in _TAGS else None
    return None


def _behind_that(tokens: Tokens, first: int, end: int) -> Range | None:
    """Return W in "Who would deny that W?"; "Is it true that W?" asks."""
    if "that" not in tokens.lower[first:end]:
        return None
    at = tokens.lower.index("that", first, end)
    head = tokens.lower[first:at]
    rhetorical = not _RHETORICAL.isdisjoint(head) or _is_negative(head)
    return (at + 1, end) if rhetorical and states_something(tokens, at + 1, end) else None


def _negated(tokens: Tokens, first: int, end: int) -> Range | None:
    """Return what follows "not": "Is it not 20 feet at which …?" expects a yes."""
    for at in range(first, min(first + 3, end - 1)):
        if _is_negative(tokens.lower[at : at + 1]):
            return at + 1, end
    return None


def _is_negative(words: list[str]) -> bool:
    return any(word == "not" or word.endswith("n't") for word in words)
