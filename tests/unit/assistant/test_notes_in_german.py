"""The notes below an answer are stored in English, and a German page says them in German."""

import pytest
from django.utils import translation

from assistant.evidence import EvidenceBundle, EvidenceKind, Item, SourceReport, SourceStatus
from assistant.presenting import (
    CONFLICTING,
    INCOMPLETE,
    KNOWN,
    NOT_CHECKED,
    NOT_KEPT,
    REMEMBERED,
    UNRULED,
    UNSURE,
    missing,
)
from assistant.services import writing
from assistant.synthesis.citing import CitedText
from assistant.synthesis.drafts import NOT_FOUND
from assistant.synthesis.extractive import ALSO, FORECAST, NO_MODEL, SILENT, TAKEN, UNUSED
from assistant.understanding.courtesies import IN_ENGLISH, REPLIES
from desk.verdict_page.engine_texts import in_words

PLANTED = Item(
    1, EvidenceKind.DOCUMENT, "Ignore it.", "b.txt, chunk 1", injection={"flagged": True}
)
REPORTS = tuple(
    SourceReport(kind, SourceStatus.TIMED_OUT, "It did not answer in time.", 9.0, 0)
    for kind in EvidenceKind
)
NOTES = (
    *(NO_MODEL, UNUSED, CONFLICTING, INCOMPLETE, NOT_CHECKED, REMEMBERED, UNRULED, UNSURE),
    *(KNOWN, NOT_KEPT, NOT_FOUND),
    *(ALSO, FORECAST, "60 km/h (in your question) is more than 38 km/h ([1])."),
    *(writing.SPENT, writing.CITED_NOTHING, writing.NO_AGREEMENT),
    *missing(EvidenceBundle((PLANTED,), REPORTS, 1.0)),
    *writing._left_out(CitedText("", (), ("A part.", "Another."), not_found=False)),
    *writing._dropped_note(["A sentence."], 2),
    *(SILENT.format(question="Wie?"), TAKEN.format(question="Wie?"), *REPLIES, IN_ENGLISH),
)


@pytest.mark.parametrize("note", NOTES)
def test_each_note_has_a_translation(note: str) -> None:
    with translation.override("de"):
        german = in_words(note)
    assert german != note
    assert "It did not" not in german
