"""Evidence that a search found, in the confidence view: the file and the page it stands on."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from django.test import Client

from desk.verdict_page.links import Link, sign
from documents.models import Collection, Document
from tests.shapes import MakeCheck
from tests.unit.documents.parsing.parsing_files import pdf

CRANES = "Crane operation stops when the wind reaches 38 km/h."


def test_the_view_names_file_and_page_of_the_passage(
    put: Callable[..., Document], collection: Collection, checked: MakeCheck
) -> None:
    put(pdf("", CRANES), "site.pdf")
    check = checked(
        "Crane operation stops when the wind reaches 60 km/h.", collections=[collection.name]
    )
    end = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=60)
    path = f"/view/{sign(Link(check.application_id, check.pk, end))}"
    page = Client().get(path).content.decode()
    assert "site.pdf, page 2, passage" in page
    assert '<mark class="wd-against">38' in page
