"""Negations with their scope: the tokens that a "not" or "no" reaches."""

from msgspec import Struct

from lib.text.tokens import MARK, Tokens
from lib.text.words import CONJUNCTIONS, PREPOSITIONS, STOPWORDS, word_set

NEGATORS = word_set(
    "not no never none neither nor nobody nothing nowhere without cannot hardly scarcely barely "
    "isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't won't wouldn't can't "
    "couldn't shouldn't mustn't needn't n't false incorrect untrue wrong"
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
# "without X" and "nor X" leave the predicate standing; "false" denies a that-clause only.
_LOOSE = word_set("without nor neither")
_FALSE = word_set("false incorrect untrue wrong")
_PASSED_OVER = word_set("longer yet even ever anymore enough")
_IMPLICIT = word_set(
    "avoid avoids avoided avoiding refuse refuses refused deny denies denied denying fail fails "
    "failed unable lack lacks lacked prevent prevents prevented stop stopped prohibit prohibits "
    "prohibited forbid forbids forbidden unlikely rarely seldom few little instead rather unless "
    "inability impossible absence"
)
NEGATIVE = NEGATORS | _IMPLICIT
_COULD = word_set("couldn't can't cannot")
_PROOF = word_set("evidence proof indication sign truth reason")
_BREAKS = (PREPOSITIONS | CONJUNCTIONS) - word_set("about yet")


class Negation(Struct, frozen=True, gc=False):
    """A negator at token `at` and the tokens [first, last) it reaches."""

    at: int
    first: int
    last: int


def negations(tokens: Tokens, first: int, last: int) -> list[Negation]:
    """Return the real negations among tokens [first, last), each with its scope."""
    if NEGATORS.isdisjoint(tokens.lower[first:last]):
        return []
    return [
        Negation(at, at + 1, _scope_end(tokens, at + 1, last))
        for at in range(first, last)
        if tokens.lower[at] in NEGATORS and not _harmless(tokens, at, last)
    ]


def denied(tokens: Tokens, negation: Negation, first: int = 0) -> int | None:
    """Return the token that a negator denies: "is not yet open" denies "open".

    None where nothing near is denied, as in "did not do enough to secure his release".
    """
    if tokens.lower[negation.at] in _LOOSE:
        return None
    clause = _that_clause(tokens, negation, first)
    if clause is not None:
        return clause
    if tokens.lower[negation.at] in _FALSE:
        return None
    # "none of the members" denies of the members what follows.
    of = negation.first if tokens.lower[negation.at] == "none" else -1
    for at in range(negation.first, negation.last):
        word = tokens.lower[at]
        if tokens.kinds[at] == MARK or (word in _BREAKS and not (word == "of" and at == of)):
            return None
        if word not in STOPWORDS and word not in _PASSED_OVER:
            return at
    return None


def _that_clause(tokens: Tokens, negation: Negation, first: int) -> int | None:
    """Return the head of a clause denied as a whole ("no evidence that X"), or None."""
    words = tokens.lower
    following = words[negation.first : negation.first + 2]
    if words[negation.at] in _FALSE and following[:1] == ["that"]:
        start = negation.first + 1
    elif words[negation.at] == "no" and following[1:] == ["that"] and following[0] in _PROOF:
        start = negation.first + 2
    elif words[negation.at] in _FALSE and "that" in words[first : negation.at]:
        start = words.index("that", first) + 1
    else:
        return None
    content = (at for at in range(start, len(words)) if words[at] not in STOPWORDS)
    return next(content, None)


def sounds_negative(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether there is any negator, or a word that denies without one, as "avoid" does."""
    return not NEGATIVE.isdisjoint(tokens.lower[first:last])


def _harmless(tokens: Tokens, at: int, last: int) -> bool:
    following = tokens.lower[at + 1] if at + 1 < last else ""
    word = tokens.lower[at]
    if word == "without" and following in ("a", "any"):
        return at + 2 < last and tokens.lower[at + 2] in ("doubt", "question")
    if following in _HARMLESS.get(word, ()):
        return True
    # "couldn't be more excited" says that one is, very much.
    if word in _COULD and "more" in tokens.lower[at + 1 : min(at + 3, last)]:
        return True
    # "not ... until 2010" says that it did happen, in 2010.
    if word in ("not", "didn't", "wasn't", "weren't"):
        reach = tokens.lower[at + 1 : _scope_end(tokens, at + 1, last)]
        if "until" in reach:
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
