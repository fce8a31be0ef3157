"""Lines above a list or a section that are part of what its lines say.

"The museum does not sell:" says what is not sold only together with the items below it; below
"Myths" a sentence says the opposite of what it would say elsewhere.
"""

import re
from collections.abc import Iterator

from lib.text.blocks import Block, BlockKind, blocks
from lib.text.decoded import Edit
from lib.text.verbs import BASE, finite_form
from lib.text.words import word_set

_NEGATING = re.compile(
    r"\b(?:myths?|misconceptions?|mistakes?|errors|false|untrue|wrong|incorrect|fiction|lies|not|never"
    r"|no|none|without|exclu\w+|exceptions?|except|forget|disregard|ignore|cannot|neither)\b|n['’]t\b",
    re.IGNORECASE,
)
_MOST_LEAD_WORDS, _MOST_HEAD_WORDS = 20, 10
_MOST_ITEM_WORDS = 12
_POINTING = word_set("following these this those below here are is were was")
_MARKS = "*_#:： \t"
_MOST_CARRIED = 20_000
"""Characters that are inserted into one text."""


def lead_ins(text: str) -> Iterator[Edit]:
    """Yield the words to insert before items of lists and what stands below a negating heading."""
    if ":" not in text and "：" not in text and not _NEGATING.search(text):
        return
    head, lead, items, left = "", "", False, _MOST_CARRIED
    for block in blocks(text):
        words = text[block.start : block.end]
        if block.kind is BlockKind.HEADING or _is_title(words, block):
            name = words.strip(_MARKS)
            head = name if _negates(name, _MOST_HEAD_WORDS) else ""
            lead, items = name if words.rstrip("*_ ").endswith((":", "：")) else "", False
            continue
        is_item = block.kind is BlockKind.ITEM
        if words.rstrip("*_ ").endswith((":", "：")) and not is_item:
            lead, items = words.strip(_MARKS), False
            continue
        if items and not is_item:
            lead = ""
        carried = _carried(words, lead, head, is_item=is_item)
        if carried and left > len(carried):
            left -= len(carried)
            joint = " " if _goes_on(carried, words, is_item=is_item) else ": "
            yield block.start, block.start, f"{carried}{joint}"
        if not is_item:
            lead = ""
        items = is_item


def _carried(words: str, lead: str, head: str, *, is_item: bool) -> str:
    """Return the words above a block that its statement needs: a lead-in or a negation."""
    if lead and len(lead.split()) <= _MOST_LEAD_WORDS:
        fragment = is_item and len(words.split()) <= _MOST_ITEM_WORDS and ":" not in words
        if (fragment and not words.endswith((".", "!", "?"))) or _negates(lead, _MOST_HEAD_WORDS):
            return lead
    return head


def _goes_on(lead: str, words: str, *, is_item: bool) -> bool:
    """Return whether an item ends the sentence of its lead-in: "The kiosk sells no", "maps"."""
    before = lead.lower().split()
    verb = any(word in BASE or finite_form(word) for word in before[1:])
    return is_item and verb and words[:1].islower() and _POINTING.isdisjoint(before)


def _negates(words: str, most: int) -> bool:
    return len(words.split()) <= most and bool(_NEGATING.search(words))


def _is_title(words: str, block: Block) -> bool:
    bold = words.startswith(("**", "__")) and words.rstrip(":").endswith(("**", "__"))
    return bold and block.kind is BlockKind.PROSE and len(words.split()) <= _MOST_HEAD_WORDS
