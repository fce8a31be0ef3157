"""Detects texts in a language that the models were not trained for.

py3langid (LangID.py's model, Lui and Baldwin 2012) ranks the languages below. A text counts as
another language only if English is very unlikely and one other leads: of 5,467 English answers of
public sets one does, a name of three words.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lib.lazy import Lazy

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

ENGLISH = "en"
NAMES = {
    "en": "English", "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech",
    "da": "Danish", "de": "German", "el": "Greek", "es": "Spanish", "et": "Estonian",
    "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ja": "Japanese",
    "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "nl": "Dutch", "no": "Norwegian",
    "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak",
    "sl": "Slovenian", "sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian",
    "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
_ENGLISH_AT_MOST, _OTHER_AT_LEAST = 0.03, 0.5
_LEAST_WORDS, _LEAST_UNSPACED = 4, 8
"""Of fewer words, or letters of a script without spaces, nothing is said: a name is no language."""
_MOST_CHARACTERS = 2000
_MOST_TEXTS = 16
_WORD = re.compile(r"[^\W\d_]{2,}")
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def _load() -> "LanguageIdentifier":
    from py3langid import langid  # noqa: PLC0415 - a second, for those who need it

    identifier = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(NAMES))
    return identifier


_identifier = Lazy(_load)


def other_language(text: str) -> str:
    """Return the English name of a text's language if certain; "" for English or if unsure.

    Reads the first 2,000 characters (1 ms).
    """
    text = text[:_MOST_CHARACTERS]
    if len(_WORD.findall(text)) < _LEAST_WORDS and len(_UNSPACED.findall(text)) < _LEAST_UNSPACED:
        return ""
    shares = dict(_identifier().rank(text))
    code = max(shares, key=lambda each: float(shares[each]))
    sure = shares[ENGLISH] <= _ENGLISH_AT_MOST and shares[code] >= _OTHER_AT_LEAST
    return NAMES[code] if sure and code != ENGLISH else ""


def other_languages(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the languages other than English of the first 16 texts, each once, in order."""
    names = (other_language(text) for text in texts[:_MOST_TEXTS])
    return tuple(dict.fromkeys(name for name in names if name))
