"""Detects questions about the weather; docs/concepts/weather.md lists the rules."""

from assistant.weather import words
from assistant.weather.days import names_days
from lib.text.tokens import Tokens

_HOW = ("how", "will", "is", "does", "did", "would")


def asks_for_weather(tokens: Tokens) -> bool:
    """Return whether the answer needs the weather, not only what a document says about it.

    One of: the weather is named and no document is asked; a weather word stands with a day or time;
    permission for outdoor work is asked for a day or time.
    """
    lower_words = set(tokens.lower)
    timed = names_days(tokens)
    if lower_words & words.SKY and timed:
        return True
    if lower_words & words.OUTDOOR_WORK and lower_words & words.PERMISSION and timed:
        return True
    return _direct(tokens, lower_words) and not lower_words & words.DOCUMENTS


def _direct(tokens: Tokens, lower_words: set[str]) -> bool:
    """Return whether the weather itself is asked about: named, or "Will it rain?"."""
    if lower_words & words.NAMING or (lower_words & words.DIRECT and "it" in lower_words):
        return True
    opening = tokens.lower[0] if len(tokens) else ""
    return opening in _HOW and "it" in tokens.lower[:4] and bool(lower_words & words.SKY)
