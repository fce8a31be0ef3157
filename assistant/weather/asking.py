"""Whether a question asks about the weather. docs/weather.md lists the rules with examples."""

from assistant.weather import words
from assistant.weather.days import names_days
from text.tokens import Tokens

_HOW = ("how", "will", "is", "does", "did", "would")


def asks(tokens: Tokens) -> bool:
    """True where the answer needs the sky, not only what a document says of it.

    One of: the weather is named and no document is asked; a weather word stands beside a day or
    time; permission for outdoor work is asked for a day or time.
    """
    said = set(tokens.lower)
    timed = names_days(tokens)
    if said & words.SKY and timed:
        return True
    if said & words.OUTDOOR_WORK and said & words.PERMISSION and timed:
        return True
    return _direct(tokens, said) and not said & words.DOCUMENTS


def _direct(tokens: Tokens, said: set[str]) -> bool:
    """The weather itself is the question: named, or "Will it rain?", "How cold is it?"."""
    if said & words.NAMING or (said & words.DIRECT and "it" in said):
        return True
    opening = tokens.lower[0] if len(tokens) else ""
    return opening in _HOW and "it" in tokens.lower[:4] and bool(said & words.SKY)
