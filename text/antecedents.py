"""What a sentence takes from those before it: "It costs four pounds" says nothing by itself.

A sentence leans on those before it where it has a pronoun or a demonstrative, or is a fragment of
a few words, as a point of a list.
"""

import re
from collections.abc import Sequence

_POINTING = re.compile(
    r"\b(?:it|its|itself|they|them|their|theirs|themselves|he|him|his|himself|she|her|hers|herself"
    r"|this|these|those|there|then|both|neither|either|former|latter|same|such|ones?|others?"
    r"|otherwise|instead|too|also|again|afterwards|thereafter)\b"
    r"|^\W*that\b|\b(?:of|for|in|to|at|by|after|before|than|do|does|did) that\b",
    re.IGNORECASE,
)
_FRAGMENT_WORDS = 5
_MOST_CHARS = 400


def leans(sentence: str) -> bool:
    """Whether the sentence needs what was said before it."""
    return len(sentence.split()) <= _FRAGMENT_WORDS or bool(_POINTING.search(sentence))


def antecedent(sentences: Sequence[str], at: int) -> str:
    """What sentence `at` leans on: those before it, back to one that stands by itself.

    At most 400 characters, the nearest; "" where the sentence stands by itself or is the first.
    """
    first = at
    while first > 0 and leans(sentences[first]):
        first -= 1
    return " ".join(each.strip() for each in sentences[first:at])[-_MOST_CHARS:]
