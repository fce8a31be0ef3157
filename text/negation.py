"""Scoped negation: which tokens a "not" or "no" reaches, and which only look negated."""

from dataclasses import dataclass

from text.tokens import MARK, Tokens
from text.words import STOPWORDS, word_set

NEGATORS = word_set(
    "not no never none neither nor nobody nothing nowhere without cannot hardly scarcely barely "
    "isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't won't wouldn't can't "
    "couldn't shouldn't mustn't needn't false incorrect untrue wrong fails failed unable lacks "
    "lack refused denied denies"
)
# The word after the negator that takes its force away: "not only", "no later than", "no doubt".
_HARMLESS = {
    "not": word_set("only just merely simply until to least"),
    "no": word_set("later earlier fewer less more doubt sooner wonder matter"),
    "nothing": frozenset({"but"}),
    "cannot": frozenset({"but"}),
    "without": word_set("doubt question a fail"),
    "none": word_set("other but"),
}
_STOPS = word_set("but although though while whereas because except and or")
_REACH = 6


@dataclass(frozen=True, slots=True)
class Negation:
    """A negator at token `at` and the tokens [first, last) it reaches."""

    at: int
    first: int
    last: int


def negations(tokens: Tokens, first: int, last: int) -> list[Negation]:
    """The real negations among tokens [first, last), each with its scope."""
    if NEGATORS.isdisjoint(tokens.lower[first:last]):
        return []
    return [
        Negation(at, at + 1, _scope_end(tokens, at + 1, last))
        for at in range(first, last)
        if tokens.lower[at] in NEGATORS and not _harmless(tokens, at, last)
    ]


def negated_heads(tokens: Tokens, first: int, last: int) -> list[int]:
    """The first content token in the scope of each negator: what is said not to be."""
    heads = []
    for negation in negations(tokens, first, last):
        for at in range(negation.first, negation.last):
            if tokens.kinds[at] != MARK and tokens.lower[at] not in STOPWORDS:
                heads.append(at)
                break
    return heads


def _harmless(tokens: Tokens, at: int, last: int) -> bool:
    following = tokens.lower[at + 1] if at + 1 < last else ""
    word = tokens.lower[at]
    if word == "without" and following in ("a", "any"):
        return at + 2 < last and tokens.lower[at + 2] in ("doubt", "question")
    if following in _HARMLESS.get(word, ()):
        return True
    # "not ... until 2010" says that it did happen, in 2010.
    reach = tokens.lower[at + 1 : min(at + 1 + _REACH, last)]
    if word in ("not", "didn't", "wasn't", "weren't") and "until" in reach:
        return True
    return word in ("not", "never") and following in ("without", "unlike")


def _scope_end(tokens: Tokens, at: int, last: int) -> int:
    end = at
    limit = min(last, at + _REACH)
    while end < limit:
        word = tokens.lower[end]
        if word in _STOPS and end > at:
            break
        if tokens.kinds[end] == MARK and word[0] in ",.;:!?()[]—–" and word != "-":
            break
        end += 1
    return end
