"""Detects messages in languages other than English, which the readers cannot understand."""

from lib.text.tokens import WORD, tokenize
from lib.text.words import word_set

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


def is_german(message: str) -> bool:
    """Return whether a message of any length is German, by its function words."""
    tokens = tokenize(message)
    words = [word for word, kind in zip(tokens.lower, tokens.kinds, strict=True) if kind == WORD]
    count = sum(word in _GERMAN for word in words)
    return count >= min(_LEAST, len(words)) and 3 * count >= len(words) and count > 0


def reply_in(language: str) -> str:
    """Return the reply to a message in a language (its English name), or "" for English."""
    if not language:
        return ""
    return IN_GERMAN if language == GERMAN else IN_ENGLISH
