"""Reasons why a document could not be indexed: stored in English, shown in any language."""

import ast
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.utils import translation

from documents import failures
from documents.failures import GIVEN_UP, INTERNAL_ERROR, failure_words
from documents.models import Document
from documents.parsing import sniffing
from documents.parsing.types import SENTENCES, UnreadableReason, refusal
from lib.text.messages import names_in
from tests.unit.watchdog_site.catalogues import compiled

PARSING = settings.BASE_DIR / "documents" / "parsing"
TABLES = (sniffing._SIGNATURES, sniffing._OTHERS, sniffing._MIMETYPES)


def values() -> Iterator[str]:
    """Yield every kind of file and every remedy that a sentence is filled with."""
    for table in TABLES:
        for row in table:
            yield from (row[1], row[2])
    for path in PARSING.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            is_value = isinstance(node, ast.keyword) and node.arg in failures._NESTED
            if is_value and isinstance(node.value, ast.Constant):
                yield node.value.value
    yield sniffing._RECORD


@pytest.mark.parametrize("english", [*SENTENCES.values(), GIVEN_UP])
def test_every_sentence_has_a_german_one_with_the_same_values(english) -> None:
    assert names_in(compiled("de")[english]) == names_in(english)


def test_every_value_has_a_german_one() -> None:
    found = set(values())
    assert len(found) > 30
    assert sorted(found - compiled("de").keys()) == []


@pytest.mark.parametrize(
    ("reason", "facts", "german"),
    [
        (UnreadableReason.TOO_MANY_PAGES, {"pages": "4,000", "limit": "3,000"},
         "Dieses PDF hat 4,000 Seiten; die Grenze liegt bei 3,000. Teilen Sie es auf und laden Sie "
         "die Teile hoch."),
        (UnreadableReason.UNSUPPORTED, {"what": "a tar archive", "remedy": sniffing._UNPACK},
         "Dateien dieser Art können nicht gelesen werden: tar-Archiv. Entpacken Sie sie und laden "
         "Sie die Dokumente darin hoch."),
    ],
)  # fmt: skip
def test_a_failure_is_said_in_the_language_of_the_reader(reason, facts, german) -> None:
    sentence = refusal(reason, **facts).sentence
    document = Document(error_code=reason.value, error=sentence)
    with translation.override("de"):
        assert failure_words(document) == german
    with translation.override("en"):
        assert failure_words(document) == sentence


def test_what_fits_no_template_stays_as_it_is() -> None:
    with translation.override("de"):
        assert failure_words(Document(error_code="empty", error="An older text.")) == (
            "An older text."
        )
        assert failure_words(Document(error_code=INTERNAL_ERROR, error="Lost.")) == "Lost."
