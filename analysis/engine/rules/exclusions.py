"""What a passage takes out: "Not covered: theft", "tyres are not accepted", "except gondolas"."""

import re
from collections.abc import Iterator, Sequence

from text.stems import stem
from text.words import PREPOSITIONS, STOPWORDS, word_set

Terms = frozenset[str]
Exclusion = tuple[str, Terms, bool]
"""What is taken out, its stems, and whether a word such as "covered" says so."""
_KEY = (
    r"(?:cover(?:ed)?|includ(?:ed|e)|accept(?:ed)?|permitted|allowed|available|insured|eligible"
    r"|refundable|returnable|deductible|valid|free of charge|free)"
)
_LIST = re.compile(
    rf"^(?:the following (?:\w+ )?(?:is|are) )?(?:not {_KEY}|excluded|exempt|exclusions)"
    rf"(?: from \w+| by \w+)?(?: (?:is|are)| :) (.+)$"
)
_TAIL = re.compile(
    rf"^(.+?) (?:is|are|was|were) (?:not {_KEY}|excluded|exempt)\b|^(.+?) (?:isn't|aren't) {_KEY}\b"
)
_SAVE = re.compile(
    r"\b(?:except(?: for| from| on)?|apart from|other than|excluding|with the exception of"
    r"|excludes?|not including)\b(.+)$"
)
_NOT_FOR = re.compile(
    r"\b(?:is|are) not (?:available|valid|intended|suitable|open|accessible) (?:for|to|on) (.+)$"
)
_SIGNS = ("not ", "n't ", "exclu", "exempt", "except", "apart from", "other than")
"""One of these stands in every passage that takes something out."""
_BROKEN = re.compile(r" (?:[;.:(]|unless|if|which|that|when|where|and (?:is|are)|but|while)(?: |$)")
_TOLD_OF = re.compile(r" (?:which|who|whom|whose|where) ")
"""Behind such a word an exception goes on with what holds of it."""
_PARTS = re.compile(r" (?:,|and|or|nor) |,")
_NEGATIVE = word_set(
    "not no never n't isn't aren't excluded exclude excludes excluding except exempt without only "
    "unless if apart exception other neither nor cannot can't don't doesn't won't though although "
    "but"
)
_POSITIVE = re.compile(rf"\b(?:{_KEY}|covers|includes|accepts|takes|pays|part of|extends)\b")
_FEW = 4
_SHARE = 0.75
"""Share of a claim's other words that a passage with an exception must have."""
_NEGATIVE_RULE = word_set(
    "not no none never nobody nothing forbidden prohibited banned closed abstained refused n't "
    "cannot isn't aren't don't doesn't"
)
_LIMITED = word_set("unless except save until before after if when without beyond over above")
"""Behind these words what is taken out is so in part only."""
_VAGUE = word_set("first last second two three four five one otherwise following case cases")


def denies(claim: Sequence[str]) -> bool:
    """Whether a claim, words in lower case, may itself say what is taken out."""
    return not _NEGATIVE.isdisjoint(claim) or _is_free_of(claim)


def _is_free_of(claim: Sequence[str]) -> bool:
    """Whether it says that something is free of something else than a charge."""
    pairs = zip(claim, claim[1:], claim[2:], strict=False)
    return "free" in claim and any(
        word == "free" and joint in ("of", "from") and what != "charge"
        for word, joint, what in pairs
    )


def excluded(
    claim: str, claim_terms: Terms, items: Sequence[Exclusion], passage_terms: Terms
) -> str:
    """Which item of a passage the claim (words in lower case) grants; "" for none."""
    for item, terms, by_key in items:
        if not terms <= claim_terms:
            continue
        if by_key and _POSITIVE.search(claim):
            return item
        others = claim_terms - terms
        if not by_key and len(others) > 1 and len(others & passage_terms) >= _SHARE * len(others):
            return item
    return ""


def exclusions(words: Sequence[str]) -> tuple[Exclusion, ...]:
    """What a passage, words in lower case, takes out."""
    phrase = " ".join(words)
    return tuple(_read(phrase)) if any(map(phrase.__contains__, _SIGNS)) else ()


def _read(passage: str) -> Iterator[Exclusion]:
    list_match, tail, save = _LIST.search(passage), _TAIL.search(passage), _SAVE.search(passage)
    if tail and not _LIMITED.isdisjoint(passage[tail.end() :].split()):
        tail = None
    texts = [(list_match[1], True)] if list_match else []
    if tail and not list_match:
        texts.append((tail[1] or tail[2], True))
    if save and _TOLD_OF.search(save[1]):
        save = None
    if save and _NEGATIVE_RULE.isdisjoint(passage[: save.start()].split()):
        texts.append((save[1], False))
    if not_for := _NOT_FOR.search(passage):
        texts.append((not_for[1], False))
    for text, by_key in texts:
        text = text if by_key and tail and not list_match else _BROKEN.split(f"{text} ")[0]
        for part in _PARTS.split(f" {text.strip()} "):
            opens = part.split()[:1]
            words = [word for word in part.split() if word[0].isalpha() and word not in STOPWORDS]
            if (
                _VAGUE.isdisjoint(words)
                and PREPOSITIONS.isdisjoint(opens)
                and 0 < len(words) <= _FEW
            ):
                yield part.strip(), frozenset(map(stem, words)), by_key
