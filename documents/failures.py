"""Messages about documents that could not be indexed, translated for the reader.

The sentence is stored in English. Its template follows from the stored code; the values are parsed
from the sentence.
"""

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from documents.models import Document
from documents.parsing.types import SENTENCES
from lib.text.messages import Templates, fill

INTERNAL_ERROR = "internal_error"
GIVEN_UP = _("It could not be indexed in {attempts} attempts ({error}). Upload it again.")
_NESTED = frozenset(("what", "remedy"))


def failure_words(document: Document) -> str:
    """Return the stored sentence in the reader's language, or unchanged if it fits no template."""
    sentences = {reason.value: sentence for reason, sentence in SENTENCES.items()}
    template = (sentences | {INTERNAL_ERROR: GIVEN_UP}).get(document.error_code, "")
    message = Templates.of((template,), {}).read(document.error)
    if message is None:
        return document.error
    values = {name: gettext(v) if name in _NESTED else v for name, v in message.values.items()}
    return fill(gettext(template), values)
