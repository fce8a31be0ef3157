"""Answered without a source: greetings, thanks and the like, and what is not in English."""

import re

from lib.text.tokens import WORD, tokenize
from lib.text.words import word_set

GREETING = "Hello. Ask me about your documents, the weather or what you told me."
THANKS = "You're welcome."
GOODBYE = "Goodbye."
HELP = (
    "I answer from the uploaded documents, the weather service and what you told me, and name the "
    "source of each sentence. Ask for a limit, a permission, a place or a time, for example: "
    "“At what wind does the crane stop?” Tell me a fact about your site, and I remember it."
)
REPLIES = (GREETING, THANKS, GOODBYE, HELP)

_MARKS = {
    GREETING: word_set(
        "hi hello hey hiya hallo moin howdy greetings morning afternoon evening how"
    ),
    GOODBYE: word_set("bye goodbye ciao later night weekend tomorrow"),
    THANKS: word_set(
        "thanks thank thx ty cheers great perfect super nice cool fine ok okay got understood "
        "clear awesome brilliant wonderful good helps helped helpful right sure alright yes no yep "
        "nope noted"
    ),
}
"""A courtesy consists of one of these and fillers."""
_FILLERS = word_set(
    "a an the and so that this it is was to for you your me my i we all very much lot of now then "
    "again there team everybody everyone just well oh ah day have one good nice are doing job done "
    "help will do see evening"
)
_HELP = re.compile(
    r"^(?:help|help me|(?:and )?(?:what|who) (?:can|could|do|are) (?:you|i) ?"
    r"(?:do|ask|ask you|know|help with|help me with|doing)?(?: here)?|"
    r"how (?:do|does|can) (?:this|it|you|i use this|i use you) ?(?:work|help)?|"
    r"are you (?:an? )?(?:bot|robot|human|person|ai|machine|real))$",
    re.IGNORECASE,
)
GERMAN = "German"
IN_GERMAN = (
    "Ich verstehe leider nur Englisch: Fragen, Dokumente und die Prüfung der Antworten sind darauf "
    "eingestellt. Gesucht und gemerkt habe ich deshalb nichts. Bitte schreiben Sie auf Englisch, "
    "zum Beispiel: “At what wind does the crane stop?”"
)
IN_ENGLISH = (
    "I understand English only: questions, documents and the check of answers are made for it. So "
    "I have searched and remembered nothing. Please write in English, for example: “At what wind "
    "does the crane stop?”"
)
_LEAST = 2
_GERMAN = word_set(
    "der das den dem des ein eine einen einem einer und oder aber nicht kein keine ist sind wird "
    "werden darf dürfen muss müssen kann können soll sollen hat haben ich wir sie ihr euch uns mir "
    "mich unser unsere wer wen wem wie wo wann warum wieviel welche welcher welches welchem bei "
    "beim für auf aus mit ohne nach von vom zum zur im am über unter wenn dass ob auch noch heute "
    "morgen hallo guten tag danke bitte hoch viel viele gilt gibt"
)
"""Words of German that are none of English, nor names of things on a site."""


def reply_to(message: str) -> str:
    """Return the reply to a courtesy, or "" if the message wants something else too."""
    words = _words(message)
    if not words:
        return ""
    if _HELP.match(" ".join(words)):
        return HELP
    if "?" in message and len(words) > 1 and "how" not in words:
        return ""
    present = set(words)
    fitting = (
        reply for reply, marks in _MARKS.items() if present & marks and present <= marks | _FILLERS
    )
    return next(fitting, "")


def is_german(message: str) -> bool:
    """Return whether a message of any length is German, by its function words."""
    words = _words(message)
    count = sum(word in _GERMAN for word in words)
    return count >= min(_LEAST, len(words)) and 3 * count >= len(words) and count > 0


def reply_in(language: str) -> str:
    """Return the reply to a message in a language (its English name), or "" for English."""
    if not language:
        return ""
    return IN_GERMAN if language == GERMAN else IN_ENGLISH


def _words(message: str) -> list[str]:
    tokens = tokenize(message)
    return [word for word, kind in zip(tokens.lower, tokens.kinds, strict=True) if kind == WORD]
