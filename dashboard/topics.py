"""The third page: what people ask and the documents do not answer."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.utils.translation import gettext as _

from analysis.models import TopicRun
from dashboard.selectors.topics import Uncovered
from dashboard.shown import Cell, Row, Table, Tile, count, grouped, share
from reviews.figures import links
from reviews.figures.asked import Asked

_EXAMPLE = 120


def tiles(asked: Asked, now: int, before: int, found: Sequence[Uncovered]) -> list[Tile]:
    """How many questions found nothing, and how many of them are of a topic."""
    of_topics = sum(one.questions for one in found)
    href = links.checks_with(asked, nothing_found="1")
    return [
        Tile(
            _("Questions that found nothing"),
            count(now, href),
            _("previously %s") % grouped(before),
        ),
        Tile(_("Topics"), Cell(grouped(len(found)), raw=len(found))),
        Tile(
            _("Questions in a topic"),
            share(of_topics, now),
            note=_("%s questions") % grouped(of_topics),
        ),
    ]


def table(
    asked: Asked, now: int, found: Sequence[Uncovered], applications: Mapping[UUID, str]
) -> Table:
    """The topics, the largest first."""
    several = len(applications) > 1
    rows = tuple(
        Row(
            Cell(", ".join(one.words) or "(no words)"),
            (
                count(one.questions, _questions(asked, one)),
                count(one.before, _questions(asked.before, one)),
                share(one.questions, now),
                Cell(_cut(one.example)),
                *([Cell(applications[one.application_id])] if several else []),
            ),
        )
        for one in found
    )
    columns = ("Questions", "Before", "Of those that found nothing", "For example")
    return Table(
        name="topics",
        title=_("Uncovered topics"),
        first=_("Topic"),
        columns=(*columns, _("Application")) if several else columns,
        rows=rows,
        note=_(
            "Rejected because too little was found, or nothing on the subject. Questions are put "
            "together by likeness of their embeddings; a topic is named by its own words."
        ),
        chart="across",
        drawn=1,
        empty=_("No topic: fewer than three like questions found nothing in this period."),
    )


def as_of(runs: Sequence[TopicRun]) -> str:
    """When the topics were made and what they know, in words."""
    if not runs:
        return "The topics have not been made yet; this happens each hour."
    first, questions = runs[0], sum(run.questions for run in runs)
    part = "" if all(run.all_read for run in runs) else ", the newest of each application only"
    return (
        f"As of {first.made_at:%-d %b %Y %H:%M} UTC: {questions:,} questions since "
        f"{first.since:%-d %b %Y}{part}. Later and older ones are in no topic."
    )


def _questions(asked: Asked, one: Uncovered) -> str:
    return links.checks_with(asked, topic=str(one.topic_id))


def _cut(text: str) -> str:
    return text if len(text) <= _EXAMPLE else f"{text[:_EXAMPLE]}…"
