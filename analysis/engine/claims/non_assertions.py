"""Detects what asserts nothing: greetings, offers, hedges about itself, lead-ins."""

from analysis.engine.claims import assertions
from lib.text.tokens import MARK, WORD, Tokens
from lib.text.words import STOPWORDS, word_set

_DECLINING = tuple(
    phrase + " "
    for phrase in (
        "as an ai", "as a language model", "as a large language model",
        "i'm sorry", "i am sorry", "sorry", "my apologies", "i apologize", "i apologise",
        "i cannot", "i can't", "i can not", "i don't know",
        "i do not know", "i don't have", "i do not have", "i'm not sure", "i am not sure",
        "i'm not certain", "i am not certain", "i'm unable", "i am unable", "i'm not able",
        "i am not able", "i could not find", "i couldn't find", "i did not find",
        "i didn't find", "unable to answer", "i have no",
        "please provide", "please specify", "please clarify", "could you please", "can you please",
    )
)  # fmt: skip
_OPENINGS = _DECLINING + tuple(
    phrase + " "
    for phrase in (
        "i hope", "hope this", "hope that", "let me know", "please let me", "feel free",
        "please feel free", "i am an ai", "i'm an ai", "i am a language", "i'm a language",
        "i'm just an ai", "i can help", "i can assist", "i'd be happy", "i would be happy",
        "i'm happy to", "i am happy to", "i'm glad", "i am glad",
        "i'd be glad", "i'd love to", "i'm here to", "i am here to", "i'll", "i will",
        "if you have any questions", "if you have any other", "if you have any further",
        "if you have any more", "if you have any concerns", "if you need any",
        "if you need anything", "if you need further", "if you need help",
        "if you need more help", "if you need more information",
        "if you'd like", "if you would like", "if you want me",
        "is there anything", "thank you", "thanks", "you're welcome", "you are welcome",
        "my pleasure", "nice to meet", "good morning", "good afternoon", "good evening",
        "how can i", "how may i", "happy to help", "glad to help", "hello", "hi", "hey",
        "greetings", "dear", "welcome", "great question", "good question", "please note that i",
        "have a great", "have a nice", "have a good",
        "take care", "best regards", "kind regards", "sincerely", "to answer your question",
    )
)  # fmt: skip
_LEAD_INS = tuple(
    phrase + " "
    for phrase in (
        "here is", "here are", "here's", "below is", "below are", "the following",
        "sure", "certainly", "of course", "absolutely", "these are", "in summary", "to summarize",
        "answer", "summary", "the answer", "short answer", "note", "please note", "result",
        "conclusion", "in short", "tl", "important",
    )
)  # fmt: skip
_ASIDES = ("contrary to popular belief , ",)
_ASIDES_LENGTH = 5
"""Openings that say nothing of the statement that follows, and their length in tokens."""
_INTERJECTIONS = word_set(
    "sure certainly absolutely definitely ok okay yes no yeah yep nope great thanks hello hi hey "
    "right exactly correct indeed well alright understood welcome sorry please bye goodbye hmm oh "
    "wow congratulations cheers done course"
)
_FILLERS = word_set("of very much so you there and all everyone for the thing")
_FIRST_WORDS = frozenset(phrase.split()[0] for phrase in _OPENINGS)
_ALONE = _INTERJECTIONS | _FILLERS
_QUESTION_MARKS = frozenset("?？؟⁇⁈⁉")
_EMPHASIS = ("**", "*", "__", "_")
_BREAKS = frozenset((",", ":", ";", "–", "—", "that", "where", "because", "since", "as", "while"))
_ABOUT_ITSELF = word_set("i we you it this that these if so and or feel please let answers helps")
_REACH = 6
_COURTEOUS = word_set(
    "hope hesitate worry worries glad happy thanks thank welcome pleasure luck appreciate "
    "appreciated question questions feel cheers apologies apologize apologise"
)
_COURTESIES = (
    _COURTEOUS
    | STOPWORDS
    | word_set(
        "great good excellent nice lovely wonderful fantastic interesting thoughtful important "
        "day evening weekend rest time useful helpful clear informative further anything something "
        "else ask asking contact touch free know let need needs additional help helps assist "
        "assistance support always just please very really best regards kind patience interest "
        "understanding today again soon problem problems reach clarify clarifies explains answers "
        "answered shout want like all ahead way"
    )
)
"""A sentence of these words alone, one of the first among them, is a courtesy."""
_TO_POINT = STOPWORDS | word_set("please want wish best recommend suggest advise kindly better")
_POINTING = word_set(
    "contact ask asking check see consult refer visit call reach speak try email write"
)


def is_social(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether it is a greeting, an offer, an apology or about the answer itself."""
    word = tokens.lower[first] if first < last else ""
    if word in _FIRST_WORDS:
        head = " ".join(tokens.lower[first : min(first + _REACH, last)]) + " "
        if head.startswith(_OPENINGS):
            return _continuation(tokens, first, last) is None
    if (word in _ALONE or not word.isalpha()) and is_interjection(tokens, first, last):
        return True
    return _is_courtesy(tokens, first, last)


def declines(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a sentence gives no answer: "I couldn't find that.", "Please specify …"."""
    head = " ".join(tokens.lower[first : min(first + _REACH, last)]) + " "
    return head.startswith(_DECLINING) and is_social(tokens, first, last)


def _is_courtesy(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether it is a courtesy: "Hope that's useful!", "That is a great question."."""
    if _COURTEOUS.isdisjoint(tokens.lower[first:last]):
        return False
    return all(
        word in _COURTESIES or kind == MARK or word.partition("'")[0] in _COURTESIES
        for word, kind in zip(tokens.lower[first:last], tokens.kinds[first:last], strict=True)
    )


def refers(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a sentence only says whom to ask: "Please contact the office."."""
    words = [
        word
        for word, kind in zip(tokens.lower[first:last], tokens.kinds[first:last], strict=True)
        if kind == WORD
    ]
    at = next((at for at, word in enumerate(words[:_REACH]) if word in _POINTING), None)
    if at is None or assertions.has_measured_figure(tokens, first, last):
        return False
    return set(words[:at]) <= _TO_POINT


def _continuation(tokens: Tokens, first: int, last: int) -> int | None:
    """Return where small talk continues as a statement: "I'm sorry, refunds take 30 days"."""
    for at in range(first + 1, last - 1):
        if tokens.lower[at] not in _BREAKS:
            continue
        start = at + 1 + (tokens.lower[at + 1] == "but")
        about_itself = start < last and tokens.lower[start] in _ABOUT_ITSELF
        if is_social(tokens, start, last):
            continue
        if assertions.has_measured_figure(tokens, start, last) or (
            not about_itself and assertions.states_something(tokens, start, last)
        ):
            return start
    return None


def is_framed(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a statement is in a question or after small talk, which is no part of it."""
    if is_question(tokens, first, last):
        return True
    head = " ".join(tokens.lower[first : min(first + _REACH, last)]) + " "
    return head.startswith(_OPENINGS) and _continuation(tokens, first, last) is not None


def is_interjection(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether there is nothing but "Sure!", "Yes, of course." and the like."""
    has_interjection = False
    for at in range(first, last):
        word = tokens.lower[at]
        if word in _INTERJECTIONS:
            has_interjection = True
        elif tokens.kinds[at] != MARK and word not in _FILLERS:
            return False
    return has_interjection


def is_question(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether the sentence ends with a question mark, ignoring closing quotes."""
    for at in range(last - 1, max(first, last - 4) - 1, -1):
        if tokens.kinds[at] != MARK:
            return False
        if not _QUESTION_MARKS.isdisjoint(tokens.words[at]):
            return True
    return False


def after_opening(tokens: Tokens, first: int, last: int) -> int:
    """Return where the statement begins after "Yes," or "Here is the answer:"."""
    start = first
    while start < last and tokens.words[start] in _EMPHASIS:
        start += 1
    head = " ".join(tokens.lower[start : min(start + _REACH, last)]) + " "
    if head.startswith(_LEAD_INS):
        first = _after_colon(tokens, first, last)
    elif head.startswith(_OPENINGS):
        first = _continuation(tokens, start, last) or first
    elif head.startswith(_ASIDES):
        first = start + _ASIDES_LENGTH
    while first + 1 < last and tokens.lower[first] in _INTERJECTIONS:
        if tokens.lower[first + 1] not in (",", "!", ".", ":", "—", "–"):
            break
        first += 2
    return first


def announces(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether it only announces what follows: "Here are some facts"."""
    head = " ".join(tokens.lower[first : min(first + 2, last)])
    return head in ("here is", "here are", "here's the", "below is", "below are")


def _after_colon(tokens: Tokens, first: int, last: int) -> int:
    for at in range(first, last - 1):
        if tokens.lower[at] in (":", ":**"):
            at += 1
            while at < last and tokens.words[at] in _EMPHASIS:
                at += 1
            return at
    return first


def has_word(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether there is a word, number or ideograph."""
    return any(tokens.kinds[at] != MARK for at in range(first, last))
