"""Dependence of a sentence on those before it: "It costs four pounds" says nothing by itself.

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
_CONNECTIVES = (
    "additionally|also|and|as a result|besides|but|by contrast|consequently|conversely|for example"
    "|for instance|further|furthermore|hence|however|in addition|in contrast|likewise|moreover"
    "|nevertheless|nonetheless|on the other hand|similarly|so|therefore|thus"
)
_DOCUMENTS = (
    "act|agreement|appendix|article|chapter|charter|clause|code|contract|document|directive|form"
    "|guide|guideline|handbook|lease|letter|licence|license|manual|notice|paragraph|part|plan"
    "|policy|procedure|regulation|rule|section|standard|statement|subpart|table"
)
_IMPERSONAL = (
    "advisable|allowed|best|dangerous|essential|forbidden|good practice|illegal|important"
    "|mandatory|necessary|not allowed|not necessary|not permitted|not required|permitted|possible"
    "|prohibited|recommended|required|safe|strictly forbidden|strictly prohibited|unlawful|unsafe"
)
_REFERENCE = re.compile(
    rf"\W*(?i:(?:(?:{_CONNECTIVES}),?\s+)?)"
    rf"(?:(?i:it(?!\s+(?:is|was|shall be|will be)\s+(?:{_IMPERSONAL})\s+(?:to|that)\b))"
    r"|(?i:its|he|his|him|she|her|they|their|them|such|that|those(?!\s+(?:who|whose|which|that)\b))"
    rf"|(?i:this|these)(?!\s+(?:[A-Z]|(?i:{_DOCUMENTS})s?\b))"
    r"|(?i:otherwise|instead|then|thereafter|if (?:so|not)|in (?:that|this|such) (?:case|event))"
    r")\b"
)
_FRAGMENT_WORDS = 5
_MOST_CHARS = 400


def leans(sentence: str) -> bool:
    """Return whether the sentence needs what was said before it."""
    return len(sentence.split()) <= _FRAGMENT_WORDS or bool(_POINTING.search(sentence))


def refers_back(sentence: str) -> bool:
    """Return whether the sentence opens with a word for something said before it.

    "However, it costs 4 pounds" and "Otherwise the fee is due" do, "This policy ends on 1 May"
    and "It is forbidden to smoke" do not.
    """
    return bool(_REFERENCE.match(sentence))


def antecedent(sentences: Sequence[str], at: int) -> str:
    """Return the sentences that sentence `at` depends on, back to one that stands by itself.

    At most 400 characters, the nearest; "" where the sentence stands by itself or is the first.
    """
    first = at
    while first > 0 and leans(sentences[first]):
        first -= 1
    return " ".join(each.strip() for each in sentences[first:at])[-_MOST_CHARS:]
