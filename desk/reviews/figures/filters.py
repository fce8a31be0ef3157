"""Filters of the lists behind dashboard figures: they show exactly what was counted."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.contrib.admin.views.main import ChangeList
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import access
from accounts.filters import AddressFilter, ApplicationFilter
from analysis.models import Review, ReviewReason, ReviewStage
from analysis.trends.metrics import ANY, Dimension
from desk.reviews.figures.check_list import MOST, CheckList, newest, places
from desk.reviews.figures.dashboard_filter import DimensionValue, Span, moment
from desk.reviews.figures.links import ONWARDS, SEPARATOR
from desk.reviews.quality import Reviewed
from desk.reviews.selectors.decision_counts import FLAGGED, SETTLED
from desk.verdict_page.engine_texts import WORDS, name_in_words

FIGURE, TOPIC, ONLY, SINCE, UNTIL = "figure", "topic", "only", "since", "until"
NOTHING_FOUND = "nothing_found"
_ASKING = (FIGURE, TOPIC, NOTHING_FOUND)
_TIMES = (SINCE, UNTIL)
_METRICS = {
    "checks": _("Checks"), "rejections": _("Failed a safety check"), "actions": _("Action"),
    "not_checked": _("Not fully checked"), "risk": _("Risk score"),
    "total_time": _("Time to the verdict"), "worker_time": _("Worker time"),
    "deciding": _("Reason that decided"),
}  # fmt: skip
_DIMENSIONS = {
    Dimension.COLLECTION: _("Collection"), Dimension.SOURCE_MODEL: _("Source model"),
    Dimension.POLICY: _("Policy version"),
}  # fmt: skip
_KEYS = {ANY: "", "done": "", "failed": "", "done,failed": ""}


def asks_for_figure(request: HttpRequest) -> bool:
    """Return whether the list of checks is that behind a figure."""
    return any(name in request.GET for name in _ASKING)


class _LinkFilter(AddressFilter):
    """A filter set by a link instead of choices; it describes what is listed."""

    template = "admin/analysis/figure_filter.html"

    def has_output(self) -> bool:
        """Return whether a link set the filter."""
        return bool(self.given)

    def choices(self, changelist: ChangeList) -> Iterator[dict[str, Any]]:
        """Yield a description of the list, and a link to the whole list."""
        yield {
            "words": self.words(),
            "all": changelist.get_query_string(remove=list(self.parameters)),
        }

    def words(self) -> list[str]:
        """Return the description of the list, one line for each condition."""
        lines = [f"{name}: {value}" for name, value in self.given.items() if name not in _TIMES]
        return lines + self.period_words()

    def period_words(self) -> list[str]:
        """Return the period as one line, or no line without one."""
        span = _span(self.given)
        if span is None:
            return []
        ends = {
            "first": date_format(span.start, "DATETIME_FORMAT"),
            "last": date_format(span.end - timedelta(minutes=1), "DATETIME_FORMAT"),
        }
        return [gettext("%(first)s to %(last)s (UTC)") % ends]


def in_words(conditions: dict[str, str]) -> str:
    """Return what a list behind a figure holds: "Failed a safety check, Source model: gpt-5"."""
    parts = []
    if FIGURE in conditions:
        metric, _separator, keys = conditions[FIGURE].partition(SEPARATOR)
        name, key = str(_METRICS.get(metric, metric)), _KEYS.get(keys, keys)
        code = key in WORDS["rejection"]
        words = name_in_words("rejection", key) if code else key.replace("_", " ")
        parts.append(f"{name}: {words}" if words else name)
    if NOTHING_FOUND in conditions:
        parts.append(gettext("Nothing was found"))
    if TOPIC in conditions:
        parts.append(gettext("An uncovered topic"))
    if part := DimensionValue.of(conditions.get(ONLY, "")):
        parts.append(f"{_DIMENSIONS[part.dimension]}: {part.value or gettext('(none)')}")
    return ", ".join(parts)


class FigureFilter(_LinkFilter):
    """A filter for the checks that the trends counted for a metric, key, period and part."""

    title = _("figure")
    parameters = (*_ASKING, ONLY, SINCE, UNTIL)

    def words(self) -> list[str]:
        """Return the description, including that the list is cut off."""
        cut = gettext("At most the newest %d are listed.") % MOST
        return [in_words(self.given), *self.period_words(), cut]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the newest of the figure's checks; none if the URL names no figure."""
        if not self.given:
            return queryset
        checks = _check_list(self.given)
        if checks is None:
            return queryset.none()
        mine = access.applications_of(request.user).values_list("pk", flat=True)
        application_id = request.GET.get(ApplicationFilter.parameter_name)
        within = [pk for pk in mine if application_id in (None, str(pk))]
        return queryset.filter(pk__in=newest(checks, within))


class DecidedFilter(_LinkFilter):
    """A filter for reviews by time and kind of decision, or by label; open ones by arrival."""

    title = _("figure")
    DECISION, LABELS = "decision", "labels"
    parameters = (DECISION, LABELS, SINCE, UNTIL)

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Apply the given conditions; return nothing for an unknown one."""
        conditions = self.given
        if conditions:
            queryset = queryset.filter(check_record__is_probe=False)
        if self.DECISION in conditions:
            queryset = queryset.filter(decision=conditions[self.DECISION])
        if self.LABELS in conditions:
            queryset = _labels(queryset, conditions[self.LABELS])
        when = "decided_at" if request.GET.get("state") == "decided" else "created_at"
        for name, lookup in ((SINCE, "gte"), (UNTIL, "lt")):
            if name in conditions:
                at = moment(conditions[name])
                if at is None:
                    return queryset.none()
                queryset = queryset.filter(**{f"{when}__{lookup}": at})
        return queryset


def _labels(reviews: QuerySet[Any], of: str) -> QuerySet[Any]:
    """Return the decisions that count as labels, as `selectors.decision_counts.labels` does."""
    further = Review.objects.filter(
        ~Q(stage=ReviewStage.FIRST), check_record=OuterRef("check_record"), id__gt=OuterRef("pk")
    )
    standing = reviews.filter(~Exists(further), decision__in=SETTLED).exclude(
        reason=ReviewReason.FAILED
    )
    if of == Reviewed.FLAGGED:
        return standing.filter(reason__in=FLAGGED)
    if of == Reviewed.SAMPLED_ALLOWS:
        sampled_allow = Q(reason=ReviewReason.NOT_CHECKED, check_record__sampled=True)
        return standing.filter(Q(reason=ReviewReason.QUALITY_SAMPLE) | sampled_allow)
    return standing if of == Reviewed.ALL else reviews.none()


def _check_list(parameters: dict[str, str]) -> CheckList | None:
    """Return the list that a URL asks for, or None if a part of it is invalid."""
    span, part = _span(parameters), DimensionValue.of(parameters.get(ONLY, ""))
    if span is None or (ONLY in parameters and part is None):
        return None
    figure_places: tuple[int, ...] = ()
    if FIGURE in parameters:
        metric, _, keys = parameters[FIGURE].partition(SEPARATOR)
        onwards = keys.endswith(ONWARDS)
        figure_places = places(metric, keys.removesuffix(ONWARDS).split(","), onwards=onwards)
        if not figure_places:
            return None
    topic = parameters.get(TOPIC)
    if topic is not None and not (topic.isascii() and topic.isdigit() and len(topic) < 19):
        return None
    return CheckList(
        start=span.start,
        end=span.end,
        places=figure_places,
        dimension=part.dimension if part else Dimension.ALL,
        value=part.value if part else "",
        topic=None if topic is None else int(topic),
        nothing_found=NOTHING_FOUND in parameters,
    )


def _span(parameters: dict[str, str]) -> Span | None:
    start, end = moment(parameters.get(SINCE, "")), moment(parameters.get(UNTIL, ""))
    return Span(start, end) if start and end else None
