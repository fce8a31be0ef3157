"""Splits sentences into clauses: "closed in 2026 and merged with SNU" is two."""

from lib.text.tokens import MARK, WORD, Tokens
from lib.text.verbs import finite, finite_verbs, opens_predicate, past_form, skip_adverbs
from lib.text.words import AUXILIARIES, DETERMINERS, STOPWORDS, SUBJECT_PRONOUNS, word_set

Range = tuple[int, int]
_JOINTS = word_set("and but while whereas ; yet")
_PLURAL_VERBS = word_set("are were have do aren't weren't haven't don't")
_SUBJECT_REACH = 7
_SHORT = 3
"""A word in -s with no more letters is no verb."""
_LEADS = frozenset({",", ":"})
"""Tokens that may stand between a lead-in and the subject."""
_OPENING, _CLOSING = "([{“«", ")]}”»"
_COORDINATORS = word_set("between both")
_RELATIVES = word_set("who which whose whom")
_SUBJECTS = SUBJECT_PRONOUNS | word_set("i we you there")


def clauses(tokens: Tokens, first: int, last: int) -> list[Range]:
    """Return the token ranges of the clauses in [first, last), without the joining words."""
    if _JOINTS.isdisjoint(tokens.lower[first:last]):
        return [(first, last)]
    ranges: list[Range] = []
    start, depth, in_quotes = first, 0, False
    verb = coordinated = -1
    for at in range(first, last):
        word = tokens.lower[at]
        if tokens.kinds[at] == MARK and word != ";":
            in_quotes ^= word == '"'
            depth = max(0, depth + _nesting(word))
        elif word in _JOINTS:
            inside = depth or in_quotes or coordinated > verb or verb < start
            if not inside and _splits(tokens, start, at, last):
                ranges.append((start, at))
                start = at + 1
            coordinated = -1
        elif word in _COORDINATORS:
            coordinated = at
        elif finite(tokens, at):
            verb = at
    ranges.append((start, last))
    return ranges


def subject(tokens: Tokens, first: int, last: int) -> Range:
    """Return the tokens of the clause's subject, empty if it begins with its verb.

    The subject of "In 2010, the old college definitely closed" is "the old college".
    """
    verb = next(finite_verbs(tokens, first, last), None)
    if verb is None:
        verb = _guessed_verb(tokens, first, last)
    start, end = first, verb
    if not _LEADS.isdisjoint(tokens.lower[first:verb]):
        start = 1 + max(at for at in range(first, verb) if tokens.lower[at] in _LEADS)
    while end > start and skip_adverbs(tokens, end - 1, end) == end:
        end -= 1
    return skip_adverbs(tokens, start, end), end


def _guessed_verb(tokens: Tokens, first: int, last: int) -> int:
    """Return a word in -s after a noun as the verb, or the first: "The drug cures cancer"."""
    for at, word in enumerate(tokens.lower[first + 1 : last - 1], first + 1):
        if word[-1] != "s" or word[-2:] in ("ss", "us", "'s") or len(word) <= _SHORT:
            continue
        before = tokens.lower[at - 1]
        if tokens.kinds[at - 1] == WORD and before not in STOPWORDS and before[-1] != "s":
            return at
    return first


def _nesting(mark: str) -> int:
    if mark[0] in _OPENING:
        return len(mark)
    return -len(mark) if mark[0] in _CLOSING else 0


def _splits(tokens: Tokens, start: int, joint: int, last: int) -> bool:
    """Return whether a clause or verb phrase of its own follows the joint."""
    comma = joint - 1 > start and tokens.lower[joint - 1] == ","
    before = joint - 1 - comma
    if _in_relative(tokens, start, joint, last):
        return False
    at = skip_adverbs(tokens, joint + 1, last)
    if at >= last:
        return False
    if opens_predicate(tokens, at, last):
        return not _bare_verb(tokens, start, before)
    if tokens.lower[at] in _SUBJECTS:
        following = skip_adverbs(tokens, at + 1, last)
        return following < last and finite(tokens, following)
    return _own_subject(tokens, at, last, comma=comma or tokens.lower[joint] != "and")


def _in_relative(tokens: Tokens, start: int, joint: int, last: int) -> bool:
    """Return whether a joint is inside a relative clause: "The CEO, who joined … and left …"."""
    if "," not in tokens.lower[joint:last] or _RELATIVES.isdisjoint(tokens.lower[start:joint]):
        return False
    return any(
        tokens.lower[at] in _RELATIVES and tokens.lower[at - 1] == ","
        for at in range(start + 1, joint)
    )


def _bare_verb(tokens: Tokens, start: int, start_of_verb: int) -> bool:
    """Return whether verbs in a row share one object: "designs, manufactures and sells"."""
    word = tokens.lower[start_of_verb]
    return start_of_verb > start and word not in AUXILIARIES and finite(tokens, start_of_verb)


def _own_subject(tokens: Tokens, at: int, last: int, *, comma: bool) -> bool:
    starts_noun = tokens.words[at][0].isupper() or tokens.lower[at] in DETERMINERS
    for verb in range(at + 1, min(at + _SUBJECT_REACH, last)):
        word = tokens.lower[verb]
        if tokens.kinds[verb] == MARK and word not in ("-", "'", "."):
            return False
        if finite(tokens, verb):
            # "A and B were" is one subject; "colleagues based in" has no verb at all.
            return comma or (word not in _PLURAL_VERBS and (starts_noun or not past_form(word)))
    return False
