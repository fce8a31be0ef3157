"""Yes-or-no replies: "Is it closed in May?" "Yes." says that it is closed.

Such a reply's claim is in the question; here it is put into a statement's word order.
"""

import re
from functools import lru_cache

from lib.text.equivalents import ANTONYMS
from lib.text.sentences import sentences
from lib.text.stems import stem
from lib.text.tokens import MARK, Tokens, tokenize
from lib.text.verbs import BASE, finite_form, has_finite_verb, past_form
from lib.text.words import AUXILIARIES, DETERMINERS, PREPOSITIONS, SUBJECT_PRONOUNS, word_set

_YES = word_set(
    "yes y yeah yep yup aye ja si sí oui correct right exactly precisely absolutely definitely "
    "certainly surely sure affirmative indeed true agreed ok okay naturally obviously totally "
    "bingo mhm 是 对 是的 はい 👍 👌 ✅ ✔ ✔️ ✓ ☑ 💯 🟢 🆗"
)
_NO = word_set(
    "no n nope nah nay never non nein negative false untrue incorrect wrong 否 不 不是 "
    "いいえ 👎 ❌ ✗ ✘ 🔴 🚫"
)
_NEGATIVE = word_set("not cannot hardly")
_PERSONS = SUBJECT_PRONOUNS | word_set("i we there")
_SUPPORT = word_set("do does did")
_ASKING = frozenset("?？")
QUESTION_WORDS = word_set("what when where which who whom whose why how")
_FAVOURS = word_set("can could will would")
_ASSURED = word_set("sure certain serious positive kidding joking")
_CONDITIONS = word_set("if when while once unless")
_REFERRING = _PERSONS | word_set("that one so")
_FILLING = word_set(
    "of course all any by means way at a the it is was answer in quite very much most always only "
    "entirely completely unfortunately say i'd i would afraid think believe thing you case far "
    "from and that's it's"
)
"""Words that mean neither yes nor no, and do not change a yes or no beside them."""
_PHRASES = {
    "by all means": False, "of course": False, "you bet": False, "by no means": True,
    "uh huh": False, "mm hmm": False, "i'd say so": False, "i think so": False,
    "i believe so": False, "so it is": False, "far from it": True, "no way": True,
    "of course not": True,
}  # fmt: skip
"""Replies of ordinary words, and whether they deny."""
_OPENINGS = (_PERSONS | DETERMINERS) - {"i"}
_PAUSES, _LEAST_LEAD = (",", "–", "—", "-", ";"), 2
_JOINING = word_set("both either neither or and same each every all only also")
_MOST_WORDS = 6
_MOST_TOKENS = 16
_SHORTEST = 3
_LABELS = word_set("answer final short verdict result conclusion response")
_MOST_QUESTION = 40


def is_reply(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether tokens [first, last) only say yes or no: "Yes.", "No, it isn't."."""
    if last - first > _MOST_TOKENS:
        return False
    words = _words(tokens, first, last)
    if not words or len(words) > _MOST_WORDS:
        return False
    if " ".join(words) in _PHRASES:
        return True
    polar = [word for word in words if word in _YES | _NO or is_negative(word)]
    if words[0] == "not" and not _NO.isdisjoint(words[1:2]):
        return False
    answers = words[0] in _PERSONS and any(word in AUXILIARIES for word in words[1:])
    if not polar and not (answers and len(words) <= _SHORTEST):
        return False
    return all(word in AUXILIARIES | _REFERRING | _FILLING or word in polar for word in words)


def says_no(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a reply negates the question."""
    words = _words(tokens, first, last)
    denied = _PHRASES.get(" ".join(words))
    return any(word in _NO or is_negative(word) for word in words) if denied is None else denied


def asks(question: str) -> bool:
    """Return whether a question asks for a fact: it has a content word and is no favour."""
    tokens = tokenize(question)
    if not any(tokens.terms):
        return False
    favour = tokens.lower[0] in _FAVOURS and tokens.lower[1:2] == ["you"]
    opens = tokens.lower[0] in AUXILIARIES | QUESTION_WORDS
    return not favour and (opens or not _ASKING.isdisjoint(tokens.words))


def asks_yes_or_no(question: str) -> bool:
    """Return whether a question can be answered by yes or no."""
    return asks(question) and QUESTION_WORDS.isdisjoint(tokenize(question).lower)


def joins(question: str) -> bool:
    """Return whether a question asks about several things: "Are Juniper and Indigofera both …?"

    A source with all of its words may say it of only one of them.
    """
    return not _JOINING.isdisjoint(tokenize(question).lower)


_ASKED_OUTRIGHT = re.compile(
    r"(?:(?:so|and|but),? )?(?:"
    r"(?:is|was|isn't|would) (?:it|this) (?:be )?(?:really |actually )?"
    r"(?:true|correct|right|accurate|the case|a fact)(?: to say)?,? that\b"
    r"|(?:can|could) you (?:please )?(?:confirm|verify) (?:that|whether|if)\b"
    r"|(?:true|correct|right|yes) or (?:false|incorrect|wrong|not|no)\s*[:?,-])",
    re.IGNORECASE,
)
"""Openings of a question that asks for confirmation of a statement."""
_TAG = re.compile(r",? (?:is that )?(?:right|correct|true|true or false|yes or no)$", re.IGNORECASE)


@lru_cache(maxsize=256)
def statement_of(question: str, *, denied: bool) -> str:
    """Return the question as a statement, or its denial; "" for another kind of question.

    "Could you …?" asks for a favour. Of several sentences the last one asks, and those before it
    that ask nothing are its condition.
    """
    opening = _ASKED_OUTRIGHT.match(question.strip())
    if opening or _TAG.search(question.strip(" ?？.!")):
        statement = question.strip()[opening.end() if opening else 0 :].strip(" ?？.!")
        statement = _TAG.sub("", statement)
        return _denied(statement) if denied else statement
    parts = [question[each.start : each.end] for each in sentences(question)] or [question]
    statement = _turned(parts[-1], denied=denied)
    conditions = [
        _condition(each)
        for each in parts[:-1]
        # "Hello there!" and a further question state nothing.
        if _ASKING.isdisjoint(each) and len(each.split()) >= _SHORTEST
    ]
    return f"{statement}, if {' and '.join(conditions)}" if statement and conditions else statement


def _condition(sentence: str) -> str:
    """Return the words behind an "if": a small first letter, unless it may be a name."""
    first, _, rest = sentence.strip(" .!").partition(" ")
    is_name = first[:1].isupper() and first.lower() not in _OPENINGS
    return f"{first if is_name else first.lower()} {rest}"


def _turned(question: str, *, denied: bool) -> str:
    """Return one sentence that asks as a statement, or its denial; "" if it asks otherwise."""
    tokens = tokenize(question)
    end = before_end_marks(tokens, 0, len(tokens))
    first = _behind_lead(tokens, end) if end > _LEAST_LEAD else 0
    lead = " ".join(tokens.words[: first - 1]) if first else ""
    if lead and tokens.lower[0] not in PREPOSITIONS | _CONDITIONS:
        lead = f"if {_condition(lead)}"
    if not 3 <= end - first <= _MOST_QUESTION:
        return ""
    if tokens.lower[first] not in AUXILIARIES:
        return _supposed(tokens, end, denied=denied)
    asks_favour = tokens.lower[first] in _FAVOURS and tokens.lower[first + 1] == "you"
    asks_again = tokens.lower[first + 1] == "you" and tokens.lower[end - 1] in _ASSURED
    if asks_favour or asks_again or tokens.words[-1] not in _ASKING:
        return ""
    at, auxiliary = _predicate(tokens, first, end), tokens.lower[first]
    middle = [] if auxiliary in _SUPPORT and not denied else [auxiliary]
    middle += ["not"] if denied else []
    return " ".join([*tokens.words[first + 1 : at], *middle, *tokens.words[at:end]]) + (
        f", {lead}" if lead else ""
    )


def _behind_lead(tokens: Tokens, end: int) -> int:
    """Return where a question asks: behind "After probation," or "We are six –"."""
    is_lead = tokens.lower[0] in _CONDITIONS and tokens.lower[1] not in AUXILIARIES
    if not is_lead and tokens.lower[0] in AUXILIARIES | QUESTION_WORDS:
        return 0
    for at in range(1, end - 1):
        if tokens.lower[at] in QUESTION_WORDS - _CONDITIONS:
            return 0
        if (
            tokens.words[at] in _PAUSES
            and tokens.lower[at + 1] in AUXILIARIES
            and at >= _LEAST_LEAD
        ):
            return at + 1
    return 0


def _supposed(tokens: Tokens, end: int, *, denied: bool) -> str:
    """Return a question in a statement's word order as a statement: "So the shop is open?"."""
    first = int(tokens.lower[0] in ("so", "and", "but", "then"))
    first += tokens.lower[first] == ","
    if tokens.words[-1] not in _ASKING or not QUESTION_WORDS.isdisjoint(tokens.lower):
        return ""
    if not has_finite_verb(tokens, first + 1, end):
        return ""
    statement = " ".join(tokens.words[first:end])
    return _denied(statement) if denied else statement


def _denied(statement: str) -> str:
    """Return the statement with "not" after its first auxiliary, or "It is not true that …"."""
    words = statement.split()
    at = next((at for at, word in enumerate(words) if word.lower() in AUXILIARIES), None)
    if at is None:
        return f"it is not true that {statement}"
    return " ".join([*words[: at + 1], "not", *words[at + 1 :]])


def _predicate(tokens: Tokens, first: int, end: int) -> int:
    """Return where a question's predicate begins, after its subject."""
    if tokens.lower[first + 1] in _PERSONS | {"you"}:
        return first + 2
    at = first + 1
    while at < end - 1 and not tokens.terms[at]:
        at += 1
    verbs = (place for place in range(at + 1, end) if tokens.lower[place] in BASE)
    if tokens.lower[first] in _SUPPORT and (verb := next(verbs, 0)):
        return verb
    for place in range(at + 1, end):
        word = tokens.lower[place]
        if word in PREPOSITIONS | DETERMINERS or past_form(word) or word.endswith("ing"):
            return place
        if stem(word) in ANTONYMS or finite_form(f"{word}s") or finite_form(f"{word}es"):
            return place
    return end - 1


def _words(tokens: Tokens, first: int, last: int) -> list[str]:
    """Return the words in lower case and yes/no signs, without a label ("Answer: yes")."""
    words = [
        word
        for word, kind in zip(tokens.lower[first:last], tokens.kinds[first:last], strict=True)
        if kind != MARK or word in _YES | _NO
    ]
    while len(words) > 1 and words[0] in _LABELS:
        words = words[1:]
    return words[2:] if words[:2] in (["y", "n"], ["yes", "no"]) and words[2:] else words


def is_negative(word: str) -> bool:
    """Return whether a word denies: "not", "hardly", "isn't"."""
    return word in _NEGATIVE or word.endswith("n't")


def before_end_marks(tokens: Tokens, first: int, last: int) -> int:
    """Return where tokens [first, last) end without the marks behind their last word."""
    while last > first and tokens.kinds[last - 1] == MARK:
        last -= 1
    return last
