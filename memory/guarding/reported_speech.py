"""Detects what the manager did not state: questions, and quoted documents, forecasts, answers."""

from lib.text.words import word_set
from memory.guarding.types import Refusal
from memory.reading.sentence import LIMIT_WORDS, ParsedSentence, read

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


def refusal(text: str) -> Refusal | None:
    """Return the refusal of a question or of somebody else's words, or None for a statement."""
    sentence = read(text)
    if is_question(sentence):
        return _QUESTION
    return _REPORTED if is_reported(sentence) else None


def is_question(sentence: ParsedSentence) -> bool:
    """Return whether it is a question, by its mark or a verb before its subject."""
    words = [word for word in sentence.words if word[0].isalnum()]
    if "?" in sentence.text:
        return True
    if len(words) < 2:
        return False
    inverted = words[0] in _AUXILIARIES and words[1] in _SUBJECTS
    return inverted or (words[0] in _ASKS and words[1] in _AUXILIARIES | {"many", "much", "about"})


def is_reported(sentence: ParsedSentence) -> bool:
    """Return whether it quotes: "The handbook says …", "according to …", "you said …"."""
    words = sentence.words
    if sentence.phrase(("according", "to"), ("as", "per"), ("based", "on")):
        return True
    if sentence.phrase(*(("you", verb) for verb in ("said", "told", "wrote", "claimed", "say"))):
        return True
    sources = [at for at, word in enumerate(words) if word in _SOURCES]
    if any(words[at + 1 : at + 2] and words[at + 1] in LIMIT_WORDS for at in sources):
        return True  # "the handbook limit is …"
    return any(_speaks(words, at) for at in sources)


def _speaks(words: tuple[str, ...], at: int) -> bool:
    """Return whether a verb of saying follows the source before the next clause."""
    for word in words[at + 1 : at + 1 + _REACH]:
        if word in _SAYS:
            return True
        if word in (",", ";", "and", "but"):
            return False
    return False
