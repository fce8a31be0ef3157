"""Reads who people are: the manager's own name and role, and other role holders."""

from dataclasses import dataclass

from lib.text.stems import stem
from lib.text.words import STOPWORDS, word_set
from memory.reading.sentence import ParsedSentence
from memory.reading.vocabulary import LEADS, ROLE_NOUNS

_I_AM = (("i'm",), ("i", "am"), ("this", "is"))
_NAMED = (("my", "name", "is"), ("my", "name's"), ("call", "me"), ("name", "is"))
_MADE = (
    ("promoted", "to"), ("appointed",), ("made",), ("my", "role", "is"), ("my", "position", "is"),
    ("i", "work", "as"), ("i", "started", "as"), ("i", "act", "as"), ("my", "job", "is"),
    ("i'm", "now"), ("i", "am", "now"),
)  # fmt: skip
_IN_CHARGE = (
    ("responsible", "for"), ("in", "charge", "of"), ("look", "after"), ("accountable", "for"),
    ("i", "report", "to"), ("reports", "to", "me"), ("report", "to", "me"),
)  # fmt: skip
_I_DO = word_set("run lead manage head supervise oversee coordinate direct")
_ENDS = word_set("on for at in with of here now since from , . ; ! and who which")
_ARTICLES = word_set("the a an your our one of new now still also")
_HOLDERS = word_set("the our my")
_NOT_PEOPLE = word_set("i it this that there he she they we you monday tuesday")
_LONGEST_NAME = 4


@dataclass(frozen=True, slots=True)
class RoleHolder:
    """A role and its holder. `single`: there is only one ("the lift supervisor")."""

    role: tuple[str, ...]
    name: str
    single: bool


def own_name(sentence: ParsedSentence) -> str:
    """Return the manager's own name as written, or ""."""
    for phrase in (*_NAMED, *_I_AM):
        at = sentence.at(phrase)
        if at is not None and at <= 1:
            name = _name_at(sentence, at + len(phrase))
            if name:
                return name
    return ""


def own_role(sentence: ParsedSentence) -> str:
    """Return the manager's role or responsibility, as stems, or ""."""
    words = sentence.words
    for phrase in (*_MADE, *_I_AM):
        at = sentence.at(phrase)
        if at is not None:
            role = _phrase_at(sentence, at + len(phrase))
            if ROLE_NOUNS & set(role):
                return _stems(role)
    if sentence.phrase(*_IN_CHARGE) and sentence.has(("i", "i'm", "me")):
        return "responsible"
    does = words[:1] == ("i",) and len(words) > 1 and words[1] in _I_DO
    return "responsible" if does else ""


def titled_role(sentence: ParsedSentence) -> str:
    """Return the manager's title ("site safeti manag"), or ""."""
    role = own_role(sentence)
    return "" if role == "responsible" else role


def role_holder_in(sentence: ParsedSentence) -> RoleHolder | None:
    """Return the role holder in "Maria is the lift supervisor" or "our crane operator is …"."""
    words = sentence.words
    for at, word in enumerate(words):
        if word in ("is", "are") and at:
            holder = _name_first(sentence, at) or _role_first(sentence, at)
            if holder:
                return holder
        if word in LEADS and at and _name_before(sentence, at):
            return RoleHolder((), _name_before(sentence, at), single=False)
    return None


def _name_first(sentence: ParsedSentence, at: int) -> RoleHolder | None:
    name, after = _name_before(sentence, at), at + 1
    if not name:
        return None
    after += sentence.words[after : after + 1] == ("now",)
    article = sentence.words[after : after + 1]
    role = _phrase_at(sentence, after)
    if not ROLE_NOUNS & set(role):
        return None
    return RoleHolder(_role_stems(role), name, single=bool(article) and article[0] in _HOLDERS)


def _role_first(sentence: ParsedSentence, at: int) -> RoleHolder | None:
    before = sentence.words[:at]
    holder = next((n for n in range(at - 1, -1, -1) if before[n] in _HOLDERS), None)
    role = before[holder + 1 : at] if holder is not None else before
    if not ROLE_NOUNS & set(role) or len(role) > _LONGEST_NAME:
        return None
    after = at + 1
    while sentence.words[after : after + 1] and sentence.words[after] in ("called", "now", "named"):
        after += 1
    name = _name_at(sentence, after)
    return RoleHolder(_role_stems(role), name, single=holder is not None) if name else None


def _name_at(sentence: ParsedSentence, at: int) -> str:
    """Return the capitalised words from here on; "" for none, and for a role in capitals."""
    words, name = sentence.tokens.words, list[str]()
    for n in range(at, min(at + _LONGEST_NAME, len(words))):
        if not words[n][0].isupper() or sentence.words[n] in ROLE_NOUNS | _NOT_PEOPLE:
            break
        name.append(words[n])
    return " ".join(name)


def _name_before(sentence: ParsedSentence, at: int) -> str:
    """Return the capitalised words that end here, if they begin the sentence or follow a mark."""
    words, name = sentence.tokens.words, list[str]()
    while at and words[at - 1][0].isupper() and sentence.words[at - 1] not in STOPWORDS:
        at -= 1
        name.insert(0, words[at])
    lower = {word.lower() for word in name}
    return "" if at or lower & (ROLE_NOUNS | _NOT_PEOPLE) else " ".join(name)


def _phrase_at(sentence: ParsedSentence, at: int) -> list[str]:
    """Return the noun phrase from here on, up to a preposition or mark."""
    phrase = list[str]()
    for word in sentence.words[at:]:
        if word in _ENDS and not (word in ("of", "now") and not phrase):
            break
        phrase.append(word)
    return phrase


def _role_stems(role: "list[str] | tuple[str, ...]") -> tuple[str, ...]:
    return tuple(sorted({stem(word) for word in role if word not in STOPWORDS}))


def _stems(role: list[str]) -> str:
    return " ".join(stem(word) for word in role if word not in _ARTICLES and word[0].isalnum())
