"""Makes questions that a passage answers from its headings and sentences, by small rules."""

import re
from collections.abc import Callable, Iterator, Sequence

from lib.text.blocks import BlockKind
from lib.text.sentences import sentences
from lib.text.tokens import tokenize
from lib.text.verbs import has_finite_verb
from lib.text.words import DETERMINERS, SUBJECT_PRONOUNS

_MOST_WORDS = 8
_HEADING_WORDS, _TITLE_WORDS = 6, 4
"""The most words of a marked heading, and of a line that only stands alone."""
_NOUNS = r"(?P<nouns>[^,;:()\[\]]+?)"
_BASE = {
    "needs": "need", "requires": "require", "contains": "contain", "includes": "include",
    "provides": "provide", "causes": "cause", "produces": "produce", "uses": "use", "has": "have",
}  # fmt: skip
_BEGINS = {
    "stops": "stop", "starts": "start", "begins": "begin", "ends": "end", "opens": "open",
    "closes": "close", "applies": "apply",
}  # fmt: skip
_IS = re.compile(rf"{_NOUNS} (?P<verb>is|are|was|were) (?:an?|the|any|one|called|defined|known)\b")
_NAMED = re.compile(r".+? (?:is|are) (?:called|known as) (?P<nouns>[^,;:()\[\].]+)")
_MEANS = re.compile(rf"{_NOUNS} (?:means|refers to)\b")
_WHEN_BUILT = re.compile(
    rf"{_NOUNS} (?P<verb>was|were) (?P<done>\w+ed|built|begun|written|made) in \d{{4}}\b"
)
_WHEN = re.compile(rf"{_NOUNS} (?P<verb>{'|'.join(_BEGINS)}) (?:when|if|once|after|on|in|at)\b")
_NEEDS = re.compile(rf"{_NOUNS} (?P<verb>{'|'.join(_BASE)})\b")
_WORD = re.compile(r"[^\W_]+")
_VERBLIKE = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|will|would|can|could|may|must|should|shall|that|"
    r"which|who|when|if|because|there|not|you|we|i)\b"
)

Rule = tuple[re.Pattern[str], Callable[[re.Match[str], str], str]]
RULES: Sequence[Rule] = (
    (_NAMED, lambda _, nouns: f"What is {nouns}?"),
    (_IS, lambda match, nouns: f"What {match['verb']} {nouns}?"),
    (_MEANS, lambda _, nouns: f"What does {nouns} mean?"),
    (_WHEN_BUILT, lambda match, nouns: f"When {match['verb']} {nouns} {match['done']}?"),
    (_WHEN, lambda match, nouns: f"When does {nouns} {_BEGINS[match['verb']]}?"),
    (_NEEDS, lambda match, nouns: f"What does {nouns} {_BASE[match['verb']]}?"),
)
"""Read from above: the first that fits a sentence makes its question."""


def questions_of(passage: str) -> list[str]:
    """Return the questions that a passage answers, each once: from sentences, then headings."""
    candidates = [*_of_sentences(passage), *_of_headings(passage)]
    return list(dict.fromkeys(candidates))


def _of_sentences(passage: str) -> Iterator[str]:
    for sentence in sentences(passage):
        text = " ".join(passage[sentence.start : sentence.end].split())
        # A passage may begin and end in the middle of a sentence.
        if (
            sentence.kind in (BlockKind.PROSE, BlockKind.ITEM)
            and text[:1].isupper()
            and text.rstrip("\"'”’»)").endswith((".", "!", ";"))
        ):
            question = _question(text)
            if question:
                yield question


def _question(sentence: str) -> str:
    for pattern, make in RULES:
        match = pattern.match(sentence)
        nouns = match["nouns"].strip() if match else ""
        if match and _is_a_thing(nouns):
            return make(match, _inside(nouns))
    return ""


def _of_headings(passage: str) -> Iterator[str]:
    for sentence in sentences(passage):
        text = " ".join(passage[sentence.start : sentence.end].split())
        bare = text.rstrip(".:")
        is_heading = sentence.kind is BlockKind.HEADING
        is_title = is_heading or _stands_alone(passage, sentence.start, sentence.end)
        is_name = _is_a_thing(bare, _HEADING_WORDS if is_heading else _TITLE_WORDS)
        if is_title and bare[:1].isupper() and is_name and not _says_something(bare):
            yield f"What is said about {_inside(bare)}?"


def _stands_alone(passage: str, start: int, end: int) -> bool:
    """Return whether a span opens a paragraph, on its own line or as in "Wind. The crane stops"."""
    before, after = passage[:start].rstrip(" "), passage[end:].lstrip(" ")
    runs_in = passage[start:end].rstrip().endswith(".") and after[:1].isupper()
    return (not before or before.endswith("\n\n")) and (runs_in or after.startswith("\n"))


def _says_something(text: str) -> bool:
    """Return whether a text has a verb: "Nobody lifts loads" is no title."""
    tokens = tokenize(text)
    return has_finite_verb(tokens, 1, len(tokens))


def _is_a_thing(nouns: str, most: int = _MOST_WORDS) -> bool:
    """Return whether a text is a self-contained noun phrase: short, no clause, no pronoun."""
    words = [word.lower() for word in _WORD.findall(nouns)]
    points = bool(words) and words[0] in (SUBJECT_PRONOUNS | {"such", "its", "their", "his", "her"})
    clause = _VERBLIKE.search(nouns.lower()) is not None
    return 0 < len(words) <= most and not points and not clause


def _inside(nouns: str) -> str:
    """Return nouns for mid-sentence: "A crane" becomes "a crane", a name keeps its capital."""
    first, *rest = nouns.split(" ")
    is_name = bool(rest) and rest[0][:1].isupper()
    lower = first.lower() in DETERMINERS or not (is_name or first[1:] != first[1:].lower())
    return " ".join([first.lower() if lower else first, *rest])
