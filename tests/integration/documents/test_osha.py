"""Ten questions of a site manager against the OSHA regulations, read with the product's own code.

The texts are not part of the project: WATCHDOG_DATA names the folder that holds
`documents/osha_1926/`. The questions are ours; each names a file, a phrase that finds its
paragraph there, and the answer that the passage must hold.
"""

import json
import os
from pathlib import Path

import pytest

from documents.evidence import EvidenceChunk
from documents.models import Collection, Document
from documents.retrieval import search
from tests.commands import run

FOLDER = Path(os.environ.get("WATCHDOG_DATA", "")) / "documents" / "osha_1926"
QUESTIONS = json.loads(Path(__file__).with_name("osha_questions.json").read_text())
LEAST_SHARED = 0.5
"""Of the passage or of the paragraph, whichever is shorter: what counts as having found it."""

pytestmark = [
    pytest.mark.skipif(
        not os.environ.get("WATCHDOG_DATA") or not FOLDER.is_dir(),
        reason="WATCHDOG_DATA names no folder with documents/osha_1926",
    ),
    # About 7,000 chunks: three minutes of one processor.
    pytest.mark.timeout(5400),
]


def test_ten_questions_find_their_paragraph_in_the_top_four(application, empty_redis) -> None:
    printed = run("ingest", str(FOLDER), collection="osha", processes=1)
    files = sum(1 for _ in FOLDER.iterdir())
    assert f"{files} indexed, 0 unchanged, 0 failed" in printed
    collection = Collection.objects.get(name="osha")
    misses = [question["question"] for question in QUESTIONS if not _found(collection, question)]
    assert len(QUESTIONS) == 10
    assert misses == []


def _found(collection: Collection, question: dict[str, str]) -> bool:
    text = Document.objects.get(collection=collection, name=question["file"]).text
    at = text.index(question["phrase"])
    paragraph = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    return any(
        chunk.source == question["file"]
        and question["answer"] in chunk.text
        and _shares(chunk, *paragraph)
        for chunk in search([collection], question["question"], 4)
    )


def _shares(chunk: EvidenceChunk, start: int, end: int) -> bool:
    shared = min(chunk.char_end, end) - max(chunk.char_start, start)
    return shared >= LEAST_SHARED * min(chunk.char_end - chunk.char_start, end - start)
