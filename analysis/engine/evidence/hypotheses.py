"""The texts that a judge reads for an answer's claims: one sentence at a time.

A sentence is read once for all its claims; the marks on its words then assign doubts to claims. A
sentence too long for one reading is read claim by claim, "No." as the statement that it makes of
its question, and a mere name or figure behind its question. What a sentence says in one of its
parts is easily read over, so that short answers are also read in parts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.engine.claims import assertions, replies
from analysis.engine.claims.clauses import Range
from analysis.engine.claims.reading import Reading, SentenceRange, Statement
from analysis.engine.evidence.corpus import terms_in, terms_of
from lib.text.tokens import MARK, Tokens, tokenize
from lib.text.verbs import predicates
from lib.text.words import word_set

MAX_WORDS = 70
MOST_BARE = 6
"""Tokens of a statement that may be a mere name, figure or phrase."""
MAX_QUERY = 40
_LEAST_IN_PART = 4
"""Words of a part that is read alone; a shorter one belongs to the part before it."""
_JOINTS = word_set("and or but while whereas")
_PAIRS = {"between": "and", "whether": "or"}
"""Words that open a pair, with the conjunction within it, which divides nothing."""
_DIVIDING = frozenset(",;:()–—")
_STOPS = frozenset((".", "!", "?", "…"))


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A text to compare with the evidence: `text[lead:]` corresponds to `answer[start:end]`.

    For "Yes." or "No." the text is the statement made of the question, and `lead` is all of it; for
    a mere name or figure the lead is its question. It is read as it looks; `first` is its position
    in the decoded answer.

    `statements` are its claims (indices), `terms` its content words, `context` those of question
    and subject, which help to find passages.
    """

    text: str
    lead: int
    first: int
    start: int
    end: int
    statements: tuple[int, ...]
    terms: frozenset[str]
    context: frozenset[str]


def hypotheses(reading: Reading, query: str) -> tuple[Hypothesis, ...]:
    """Return a text for each sentence that makes a claim, in order."""
    ends, about = tokenize(query).ends, terms_in(query)
    question = query[: ends[MAX_QUERY - 1]] if len(ends) > MAX_QUERY else query.strip()
    groups: dict[tuple[int, int], list[int]] = {}
    for index, statement in enumerate(reading.statements):
        groups.setdefault(_span(reading, statement), []).append(index)
    return tuple(
        _hypothesis(reading, first, last, tuple(indexes), question, about)
        for (first, last), indexes in groups.items()
    )


def parts(reading: Reading, item: Hypothesis) -> tuple[Hypothesis, ...]:
    """Return the clauses and members of a sentence, divided at marks and conjunctions.

    () where it is one; replies and bare answers are too short to be divided.
    """
    tokens, ranges, within = reading.tokens, list[Range](), ""
    first, end = _span(reading, reading.statements[item.statements[0]])
    for at in range(first, end + 1):
        word = tokens.lower[at] if at < end else ""
        if at < end and (word == within or not _divides(tokens, at)):
            within = "" if word == within else _PAIRS.get(word, within)
            continue
        within = ""
        words = sum(kind != MARK for kind in tokens.kinds[first:at])
        if words >= _LEAST_IN_PART:
            ranges.append((first, at - (tokens.words[at - 1] in _DIVIDING)))
        elif words and ranges:
            ranges[-1] = ranges[-1][0], at
        if ranges:
            first = at + 1
    if len(ranges) < 2:
        return ()
    texts = (_hypothesis(reading, *each, item.statements, "", frozenset()) for each in ranges)
    return tuple(replace(each, text=f"{each.text[:1].upper()}{each.text[1:]}") for each in texts)


def _divides(tokens: Tokens, at: int) -> bool:
    """Return whether a token stands between parts: a conjunction, or a mark beside a space."""
    if tokens.words[at] not in _DIVIDING:
        return tokens.lower[at] in _JOINTS
    before, after = tokens.ends[at - 1 : at], tokens.starts[at + 1 : at + 2]
    return before != [tokens.starts[at]] or after != [tokens.ends[at]]


def is_bare(reading: Reading, statement: Statement) -> bool:
    """Return whether a statement is a mere name, figure or phrase: "Delhi", "40 km/h"."""
    tokens, first, last = reading.tokens, statement.first, statement.last
    is_short = last - first <= MOST_BARE
    return is_short and not (
        replies.is_reply(tokens, first, last) or predicates(tokens, first, last)
    )


def _span(reading: Reading, statement: Statement) -> tuple[int, int]:
    """Return the tokens that are read for a claim: its sentence, or the claim alone."""
    line = reading.lines[statement.sentence]
    is_long = line.last - line.first > MAX_WORDS
    if is_long or assertions.is_framed(reading.tokens, line.first, line.last):
        return statement.first, min(statement.last, statement.first + 2 * MAX_WORDS)
    return _without_wrapping(reading, reading.of_line(statement.sentence), line)


def _without_wrapping(
    reading: Reading, statements: Sequence[Statement], line: SentenceRange
) -> tuple[int, int]:
    """Return a sentence without what leads to its claims, and without quotes around it.

    Whatever leads a sentence makes judges believe it (docs/research/probability.md); "Yes," is
    part of what it says.
    """
    tokens, begin, end = reading.tokens, statements[0].first, statements[-1].last
    if tokens.lower[line.first] in ("yes", "no"):
        begin = line.first
    if any(kind != MARK for kind in tokens.kinds[end : line.last]):
        return begin, line.last
    return begin, end + (end < line.last and tokens.words[end] in _STOPS)


def _hypothesis(
    reading: Reading,
    first: int,
    last: int,
    indexes: tuple[int, ...],
    query: str,
    about: frozenset[str],
) -> Hypothesis:
    tokens, statements = reading.tokens, [reading.statements[index] for index in indexes]
    start, end = tokens.starts[first], tokens.ends[last - 1]
    terms = frozenset(terms_of(tokens, first, last))
    context = about.union(*(terms_of(tokens, *item.subject) for item in statements))
    place, stop = reading.decoded.part(start, end)
    text, lead = reading.decoded.text[place:stop], 0
    if replies.is_reply(tokens, first, last):
        statement = replies.statement_of(query, denied=replies.says_no(tokens, first, last))
        if statement:
            text = f"{statement[:1].upper()}{statement[1:]}."
            lead = len(text)
    elif query and all(is_bare(reading, each) for each in statements):
        lead = len(query) + 1
        text = f"{query} {text}"
    return Hypothesis(text, lead, place, start, end, indexes, terms, context - terms)
