"""All guards: what is never stored, whatever a judge says. The most private comes first."""

import re

from lib.text.words import word_set
from memory.guarding import personal, secret
from memory.outcomes import Refusal
from memory.reading.meaning import is_now, is_standing
from memory.reading.sentence import (
    LIMIT_WORDS,
    OF_WEATHER,
    READINGS,
    RECURRING,
    WEATHER,
    ParsedSentence,
    read,
)


def refusal(sentence: str) -> Refusal | None:
    """Return why this sentence must never be stored, or None."""
    reading = read(sentence)
    return private(sentence) or next((why for holds, why in _GUARDS if holds(reading)), None)


def private(text: str) -> Refusal | None:
    """Return the refusal of personal data and secrets in a text of any length, or None."""
    return next((reason for guard in _PRIVATE if (reason := guard(text))), None)


# A pasted conversation, which is refused as a whole.

MOST_CHARACTERS = 2_000
_TURN = re.compile(
    r"^\s*(?:\[?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?\]?\s*)?[\w .'’-]{1,30}(?:\s?\(\w+\))?:\s+\S", re.M
)
_STAMPED = re.compile(r"^\s*[\[(]?\d{1,2}:\d{2}(?::\d{2})?[\])]?\s", re.M)
_MOST_NUMBERS = 12
_TRANSCRIPT = Refusal("transcript", "A transcript is not kept; state the fact in a sentence.")
_LONG = Refusal(
    "transcript", f"More than {MOST_CHARACTERS} characters are no statement but a text."
)
_LIST = Refusal("transcript", "A list of long numbers is no statement.", hidden=True)


def statement_refusal(statement: str) -> Refusal | None:
    """Return the refusal of several turns or a long text, or None for a statement."""
    if len(statement) > MOST_CHARACTERS:
        return _LONG
    if len(personal.LONG_NUMBER.findall(statement)) > _MOST_NUMBERS:
        return _LIST
    turns = max(len(_TURN.findall(statement)), len(_STAMPED.findall(statement)))
    return _TRANSCRIPT if turns >= 2 else None


# What the manager did not state: questions, and quoted documents, forecasts, answers.

_QUESTION = Refusal("question", "A question is not a statement.")
_REPORTED = Refusal("reported", "Only what the manager states is kept, not what a source says.")
_AUXILIARIES = word_set(
    "is are was were do does did can could may might should shall would will have has am must"
)
_SUBJECTS = word_set("i we you he she it they the there our my your this that these those any")
_ASKS = word_set("what how which who whose why")
_SOURCES = word_set(
    "handbook manual document documents report guideline guidelines standard standards datasheet "
    "forecast forecasts website app assistant bot chatbot answer answers email letter pdf page "
    "paragraph section chapter clause article appendix sheet text passage source sources leaflet "
    "brochure regulation regulations code osha hse meteo service radar memo table annex wikipedia "
    "internet google chatgpt system specification spec drawing drawings newspaper"
)
_SAYS = word_set(
    "says say said states stated claims claimed gives gave mentions mentioned recommends "
    "recommended reads predicts predicted tells told writes wrote shows showed expects calls "
    "indicates indicated suggests suggested promises announces reports reported lists specifies "
    "specified advises advised warns warned quotes prescribes"
)
_REACH = 5


def _is_question(sentence: ParsedSentence) -> bool:
    """Return whether it is a question, by its mark or a verb before its subject."""
    if "?" in sentence.text:
        return True
    words = [word for word in sentence.words if word[0].isalnum()]
    if len(words) < 2:
        return False
    inverted = words[0] in _AUXILIARIES and words[1] in _SUBJECTS
    return inverted or (words[0] in _ASKS and words[1] in _AUXILIARIES | {"many", "much", "about"})


def _is_reported(sentence: ParsedSentence) -> bool:
    """Return whether it quotes: "The handbook says …", "according to …", "you said …"."""
    words = sentence.words
    if sentence.phrase(("according", "to"), ("as", "per"), ("based", "on")):
        return True
    if sentence.phrase(*(("you", verb) for verb in ("said", "told", "wrote", "claimed", "say"))):
        return True
    sources = [at for at, word in enumerate(words) if word in _SOURCES]
    sets_limit = any(not LIMIT_WORDS.isdisjoint(words[at + 1 : at + 2]) for at in sources)
    return sets_limit or any(_speaks(words, at) for at in sources)  # "the handbook limit is …"


def _speaks(words: tuple[str, ...], at: int) -> bool:
    """Return whether a verb of saying follows the source before the next clause."""
    for word in words[at + 1 : at + 1 + _REACH]:
        if word in _SAYS:
            return True
        if word in (",", ";", "and", "but"):
            return False
    return False


# Orders that weaken the checks: memory must never make an answer look safer.

_ORDER = Refusal(
    "instruction", "Memory stores facts; it accepts no instructions on how answers are judged."
)
_LEADS_IN = word_set(
    "remember note please always never from now on just only : , - and that you must should will "
    "shall have to ok okay so do don't not also simply"
)
_LIFTS = word_set("ignore forget disregard bypass override overrule overlook suppress disable")
_PASSES = word_set("approve allow accept pass clear permit")
_HOLDS = word_set("block warn flag refuse reject question doubt check mark hide suspect")
_ANSWERS = word_set("say answer reply respond tell confirm assume act pretend treat consider rate")
_SAFE = word_set(
    "yes no allow safe ok okay fine low supported approved verified allowed correct true "
    "that permitted green may can"
)
_CHECKED = word_set(
    "rule rules limit limits handbook manual check checks warning warnings safety policy risk "
    "answer answers instructions everything anything threshold thresholds me sources document "
    "documents memory injection verdict verdicts"
)


def _is_order(sentence: ParsedSentence) -> bool:
    """Return whether it is an order to the assistant or the checks."""
    words = sentence.words
    start = next((at for at, word in enumerate(words) if word not in _LEADS_IN), len(words))
    head, lead_in = (words[start] if start < len(words) else ""), words[:start]
    rest = frozenset(words[start + 1 :])
    if head in _ANSWERS:
        return bool(rest & _SAFE) and (head != "tell" or "me" not in rest or "that" in rest)
    lifts = head in _LIFTS | _PASSES
    stops = head in _HOLDS and bool({"never", "not", "don't"} & set(lead_in))
    return (lifts or stops) and bool(rest & _CHECKED)


# Facts of the moment: a single reading, or a completed task.

_READING = Refusal("single_reading", "A single reading is not a lasting fact.")
_DONE = Refusal("one_off", "Something done once is not a lasting fact.")
_DOERS = word_set("i we they he she you i've we've they've he's she's it it's")
_ENDED = word_set(
    "finished completed done poured delivered installed passed struck inspected erected "
    "dismantled arrived repaired fixed tested submitted signed taken cleared removed placed cast "
    "ordered sent checked stripped demolished cleaned refuelled excavated glazed welded painted "
    "closed collected received lifted concreted handed complete ready over wrapped cured backfilled"
)
_PAST = word_set(
    "finished completed poured delivered installed passed struck inspected erected dismantled "
    "arrived repaired fixed tested submitted signed took cleared removed placed cast ordered sent "
    "checked stripped demolished cleaned received lifted closed collected did wrapped handed"
)
_HAVE = word_set("have has had 've 's we've i've they've he's she's been got")
_WAS = word_set("was were been got")
_IS = word_set("is are it's that's")
_BETWEEN = word_set("just already now all finally also both been since almost nearly")
_NOT = word_set("not never no only isn't aren't")


def _is_reading(sentence: ParsedSentence) -> bool:
    """Return whether it is the wind, temperature, rain or noise of one moment."""
    if is_standing(sentence):
        return False
    weather, now = sentence.has(WEATHER), is_now(sentence)
    if any(measure.unit in OF_WEATHER for measure in sentence.measures):
        return True
    is_measured = (weather or now) and sentence.has(READINGS)
    fell = sentence.has(("rained", "fell", "snowed"))
    return (bool(sentence.measures) and (is_measured or fell)) or (weather and now)


def _is_completion(sentence: ParsedSentence) -> bool:
    """Return whether it reports a finished task: "we finished the pour", "slab poured today"."""
    endings = [at for at, word in enumerate(sentence.words) if word in _ENDED | _PAST]
    return not sentence.has(RECURRING) and any(_over(sentence, at) for at in endings)


def _over(sentence: ParsedSentence, at: int) -> bool:
    words = sentence.words
    before = at - 1
    while before > 0 and words[before] in _BETWEEN:
        before -= 1
    helper = words[before] if before >= 0 else ""
    past = words[at] in _PAST and helper in _DOERS
    is_denied = words[before + 1 : before + 2] in (("not",), ("never",), ("to",))
    if past or (helper in _HAVE | _WAS and not is_denied):
        return not sentence.has(("must", "required", "requires"))
    if helper in _IS:
        return not is_standing(sentence) and not sentence.has(_NOT)
    is_named_task = helper not in _NOT and words[at] in _PAST and at > 0
    is_last = not any(word.isalnum() for word in words[at + 1 :])  # "The crane passed."
    return is_named_task and (is_now(sentence) or is_last)


_PRIVATE = (secret.refusal, personal.refusal)
_GUARDS = (
    (_is_question, _QUESTION),
    (_is_reported, _REPORTED),
    (_is_order, _ORDER),
    (_is_reading, _READING),
    (_is_completion, _DONE),
)
