"""The third page: questions that the documents do not answer."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from analysis.models import TopicRun
from desk.dashboard.page_parts import Cell, Table, TableRow, Tile, count, grouped, previously, share
from desk.dashboard.selectors.topics import UncoveredTopic
from desk.reviews.figures import links
from desk.reviews.figures.dashboard_filter import DashboardFilter

_EXAMPLE = 120
_NEWEST = gettext_noop("Only the newest questions of each application were read.")


def tiles(
    filters: DashboardFilter, now: int, before: int, topics: Sequence[UncoveredTopic] | None
) -> list[Tile]:
    """Return tiles for the questions that found nothing and how many belong to a topic.

    `topics` is None until they are computed: then only the first tile is known.
    """
    href = links.checks_with(filters, nothing_found="1")
    nothing_found = Tile(
        _("Questions without matching passages"), count(now, href), previously(grouped(before))
    )
    if topics is None:
        return [nothing_found]
    of_topics = sum(item.questions for item in topics)
    return [
        nothing_found,
        Tile(_("Topics"), Cell(grouped(len(topics)), raw=len(topics))),
        Tile(
            _("Questions in a topic"),
            share(of_topics, now),
            note=ngettext("%s question", "%s questions", of_topics) % grouped(of_topics),
        ),
    ]


def table(
    filters: DashboardFilter,
    now: int,
    topics: Sequence[UncoveredTopic] | None,
    applications: Mapping[UUID, str],
) -> Table:
    several = len(applications) > 1
    rows = tuple(
        TableRow(
            Cell(", ".join(item.words) or _("(no typical words)")),
            (
                count(item.questions, _questions(filters, item)),
                count(item.before, _questions(filters.before, item)),
                share(item.questions, now),
                Cell(_cut(item.example)),
                *([Cell(applications[item.application_id])] if several else []),
            ),
        )
        for item in topics or ()
    )
    none_yet = _("Topics have not been computed yet; this happens every hour.")
    none = _("No topics: no three similar questions remained without an answer in this period.")
    columns = (
        _("Questions"), _("Previously"), _("Of those that found nothing"), _("For example"),
    )  # fmt: skip
    return Table(
        name="topics",
        title=_("Uncovered topics"),
        first=_("Topic"),
        columns=(*columns, _("Application")) if several else columns,
        rows=rows,
        note=_(
            "Rejected because too little, or nothing relevant, was found. Questions are "
            "grouped by similarity of meaning; a topic is named by its typical words."
        ),
        chart="across",
        charted=1,
        empty=none_yet if topics is None else none,
    )


def as_of(runs: Sequence[TopicRun]) -> str:
    """Return in words when the topics were computed and from which questions."""
    first, questions = runs[0], sum(run.questions for run in runs)
    text = _(
        "As of %(made)s UTC: %(questions)s questions since %(since)s. Newer and older ones "
        "belong to no topic."
    ) % {
        "made": date_format(first.made_at, "DATETIME_FORMAT"),
        "questions": grouped(questions),
        "since": date_format(first.since, "DATE_FORMAT"),
    }
    return text if all(run.all_read for run in runs) else f"{text} {_(_NEWEST)}"


def _questions(filters: DashboardFilter, topic: UncoveredTopic) -> str:
    return links.checks_with(filters, topic=str(topic.topic_id))


def _cut(text: str) -> str:
    return text if len(text) <= _EXAMPLE else f"{text[:_EXAMPLE]}…"
