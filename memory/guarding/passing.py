"""Detects facts of the moment: a single reading, or a completed task."""

from lib.text.words import word_set
from memory.guarding.types import Refusal
from memory.reading.meaning import is_now, is_standing
from memory.reading.sentence import OF_WEATHER, READINGS, RECURRING, WEATHER, ParsedSentence, read

_READING = Refusal("single_reading", "A single reading is not a lasting fact.")
_DONE = Refusal("one_off", "Something done once is not a lasting fact.")
_SUBJECTS = word_set("i we they he she you i've we've they've he's she's it it's")
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


def refusal(text: str) -> Refusal | None:
    """Return the refusal of a reading or a completed task, or None for a lasting fact."""
    sentence = read(text)
    if is_reading(sentence):
        return _READING
    return _DONE if is_completion(sentence) else None


def is_reading(sentence: ParsedSentence) -> bool:
    """Return whether it is the wind, temperature, rain or noise of one moment."""
    if is_standing(sentence):
        return False
    weather, now = sentence.has(WEATHER), is_now(sentence)
    if any(measure.unit in OF_WEATHER for measure in sentence.measures):
        return True
    is_measured = bool(sentence.measures) and (weather or now) and sentence.has(READINGS)
    fell = bool(sentence.measures) and sentence.has(("rained", "fell", "snowed"))
    return is_measured or fell or (weather and now)


def is_completion(sentence: ParsedSentence) -> bool:
    """Return whether it reports a finished task: "we finished the pour", "slab poured today"."""
    words = sentence.words
    endings = [at for at, word in enumerate(words) if word in _ENDED or word in _PAST]
    if not endings or sentence.has(RECURRING):
        return False
    return any(_over(sentence, at) for at in endings)


def _over(sentence: ParsedSentence, at: int) -> bool:
    words = sentence.words
    before = at - 1
    while before > 0 and words[before] in _BETWEEN:
        before -= 1
    helper = words[before] if before >= 0 else ""
    past = words[at] in _PAST and helper in _SUBJECTS
    perfect = helper in _HAVE or helper in _WAS
    if past or (perfect and not _is_denied(words, before)):
        return not sentence.has(("must", "required", "requires"))
    if helper in _IS:
        return not is_standing(sentence) and not sentence.has(_NOT)
    is_named_task = helper not in _NOT and words[at] in _PAST and at > 0
    return is_named_task and (is_now(sentence) or _headline(words, at))


def _headline(words: tuple[str, ...], at: int) -> bool:
    """Return whether the verb ends the sentence ("The crane passed.") or "and" joins it to one."""
    rest = [word for word in words[at + 1 :] if word.isalnum()]
    return not rest


def _is_denied(words: tuple[str, ...], at: int) -> bool:
    return at + 1 < len(words) and words[at + 1] in ("not", "never", "to")
