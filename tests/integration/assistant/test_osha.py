"""Five questions of a site manager to the OSHA regulations, as they are answered without a model.

The texts are not part of the project: WATCHDOG_DATA names the folder that holds
`documents/osha_1926/`. Each answer must cite the section that holds the rule, as the answer or
among the closest passages, or be an honest no.
"""

import os
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from analysis.models import Check
from assistant.evidence import bundle_of
from assistant.synthesis.drafts import NOT_FOUND

FOLDER = Path(os.environ.get("WATCHDOG_DATA", "")) / "documents" / "osha_1926"
FILES = [FOLDER / f"29cfr1926_subpart_{name}.txt" for name in ("CC", "L", "P", "X", "M")]
ASKED = {
    "May we run the tower crane if gusts reach 60 km/h?": "Wind must not exceed the speed",
    "At what height do workers on a scaffold need fall protection?": "more than 10 feet (3.1 m)",
    "May my crew work on the scaffold during a storm?": "prohibited during storms or high winds",
    "How far must the side rails of a ladder reach above the landing?": "at least 3 feet (.9 m)",
    "Up to what depth may a trench be left without a protective system against cave-ins?": (
        "less than 5 feet"
    ),
}

pytestmark = [
    pytest.mark.skipif(
        not os.environ.get("WATCHDOG_DATA") or not FOLDER.is_dir(),
        reason="WATCHDOG_DATA names no folder with documents/osha_1926",
    ),
    pytest.mark.timeout(3600),  # about 2,000 chunks: minutes of one processor
]


def test_five_questions_show_their_paragraphs_and_answers_are_allowed(tenant, asks):
    call_command(
        "ingest",
        *map(str, FILES),
        collection="osha",
        application=tenant.slug,
        processes=1,
        stdout=StringIO(),
    )
    unsure = []
    for question, rule in ASKED.items():
        turn = asks(question)
        assert rule in turn.answer, f"{question}\n{turn.answer}"
        if turn.check_record_id is None:
            unsure.append(question)
        else:
            assert Check.objects.get(pk=turn.check_record_id).action == "ALLOW", turn.answer
        items = {item.number: item for item in bundle_of(turn.evidence.contents).items}
        cited_items = [items[number] for number in turn.writing["cited"]]
        assert any(rule in " ".join(item.text.split()) for item in cited_items)
    assert len(unsure) <= 2, unsure
    assert asks("Who won the football match yesterday?").answer.startswith(NOT_FOUND)
