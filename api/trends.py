"""`GET /api/v1/trends`: the application's checks by hour and day."""

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.components import component
from accounts.inputs import validated
from accounts.views import ApplicationView
from analysis.trends.metrics import BY_NAME, METRICS, Dimension, Grain, Metric, MetricKind
from desk.dashboard import replica
from desk.dashboard.selectors import trends
from desk.dashboard.selectors.drift import DriftPeriod, drift
from desk.dashboard.selectors.quality import MOST_DAYS, quality
from desk.dashboard.trends.drift import LEVEL, MOVED, DriftTest, KeyChange
from desk.dashboard.trends.reading import MetricReading
from desk.reviews.quality import QUALITY

_DEFAULT_LENGTH = {Grain.HOUR: timedelta(hours=24), Grain.DAY: timedelta(days=30)}
_MEANINGS = "\n".join(f"* `{metric.name}`: {metric.meaning}" for metric in METRICS)


class TrendsInput(serializers.Serializer[Any]):
    """The metric, the period and the breakdown."""

    metric = serializers.ChoiceField(choices=list(BY_NAME), help_text=_MEANINGS)
    granularity = serializers.ChoiceField(
        choices=[str(grain) for grain in Grain],
        default=str(Grain.DAY),
        help_text=f"At most {trends.MAX_BUCKETS[Grain.HOUR]} hours or "
        f"{trends.MAX_BUCKETS[Grain.DAY]} days.",
    )
    dimension = serializers.ChoiceField(
        choices=[str(dimension) for dimension in Dimension],
        default=str(Dimension.ALL),
        help_text="One series per value. A check with several collections counts in each of them.",
    )
    value = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=200,
        help_text="Only this value of the dimension; an empty value selects checks without one. "
        f"Default: the {trends.MAX_SERIES} most frequent values.",
    )
    created_after = serializers.DateTimeField(
        required=False,
        default_timezone=UTC,
        help_text="The start, rounded down to a whole hour or day (UTC). "
        "Default: 24 hours or 30 days before the end.",
    )
    created_before = serializers.DateTimeField(
        required=False, default_timezone=UTC, help_text="The end. Default: now."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the period; refuse a value without a dimension."""
        dimension = Dimension(attrs["dimension"])
        if "value" in attrs and dimension is Dimension.ALL:
            raise serializers.ValidationError(
                {"value": ["Requires a `dimension` other than `all`."]}
            )
        grain = Grain(attrs["granularity"])
        end: datetime = attrs.get("created_before") or timezone.now()
        start: datetime = attrs.get("created_after") or end - _DEFAULT_LENGTH[grain]
        try:
            period = trends.BucketRange.around(grain, start, end)
        except trends.PeriodError as error:
            raise serializers.ValidationError({"created_after": [str(error)]}) from error
        return attrs | {"period": period, "dimension": dimension}


_FIGURES: dict[str, Any] = {
    "of": "Number of checks that the shares refer to.",
    "counts": "Number of checks by key, without zeros. Empty for percentiles.",
    "shares": "`counts` divided by `of`; null for percentiles, and if `of` is 0.",
    "percentiles": "In milliseconds, accurate to about 25%; null for all other metrics.",
}


TrendFigures = component(
    MetricReading, "The metric over a set of checks.", name="TrendFigures", **_FIGURES
)


TrendPoint = component(
    MetricReading,
    "One hour or day.",
    name="TrendPoint",
    at=serializers.DateTimeField(help_text="Start of the hour or day, in UTC."),
    **_FIGURES,
)


class TrendSeries(serializers.Serializer[Any]):
    """One value of the dimension."""

    value = serializers.CharField(allow_blank=True)
    total = TrendFigures()
    points = TrendPoint(many=True, help_text="Oldest first, without empty hours or days.")


class TrendsOutput(serializers.Serializer[Any]):
    """One metric over a period."""

    metric = serializers.ChoiceField(choices=list(BY_NAME))
    meaning = serializers.CharField()
    kind = serializers.ChoiceField(choices=[str(kind) for kind in MetricKind])
    keys = serializers.ListField(child=serializers.CharField(), help_text="All keys, in order.")
    granularity = serializers.ChoiceField(choices=[str(grain) for grain in Grain])
    dimension = serializers.ChoiceField(choices=[str(dimension) for dimension in Dimension])
    start = serializers.DateTimeField()
    end = serializers.DateTimeField(help_text="Exclusive.")
    series = TrendSeries(many=True, help_text="Most frequent value first.")
    values_left_out = serializers.IntegerField(
        help_text="Number of less frequent values that are not shown."
    )
    waiting = serializers.IntegerField(
        help_text="Checks of the whole installation that have ended but are not yet in the trends, "
        f"up to {trends.MAX_WAITING}."
    )


class TrendsView(ApplicationView):
    """Figures of an application over time."""

    @extend_schema(
        operation_id="get_trends", parameters=[TrendsInput], responses={200: TrendsOutput}
    )
    def get(self, request: Request) -> Response:
        """Return one metric by hour or day of submission (UTC), for all checks or by dimension."""
        data = validated(TrendsInput, request.query_params)
        query = trends.TrendQuery(
            (self.application_id,), data["period"], data["dimension"], data.get("value")
        )
        metric = BY_NAME[data["metric"]]
        return Response(replica.read(lambda: document(query, metric)).value)


def document(query: trends.TrendQuery, metric: Metric) -> dict[str, Any]:
    """Return a trend in the API's shape."""
    trend = trends.trend(query, metric)
    return {
        "metric": metric.name,
        "meaning": metric.meaning,
        "kind": str(metric.kind),
        "keys": metric.keys,
        "granularity": str(query.period.grain),
        "dimension": str(query.dimension),
        "start": query.period.start,
        "end": query.period.end,
        "series": [_series(trend, series, metric) for series in trend.series],
        "values_left_out": trend.left_out,
        "waiting": trends.waiting(),
    }


def _series(trend: trends.Trend, series: trends.Series, metric: Metric) -> dict[str, Any]:
    total, *points = trend.read_all(metric, np.vstack([series.total, series.vectors]))
    dated = zip(series.buckets, points, strict=True)
    return {
        "value": series.value,
        "total": total._asdict(),
        "points": [{"at": at, **point._asdict()} for at, point in dated],
    }


# `GET /api/v1/trends/quality`: how often reviewers disagree, with intervals.

_DAYS = 30


class QualityInput(serializers.Serializer[Any]):
    """The period of a quality report."""

    decided_after = serializers.DateTimeField(
        required=False,
        default_timezone=UTC,
        help_text=f"The start. Default: {_DAYS} days before the end.",
    )
    decided_before = serializers.DateTimeField(
        required=False,
        default_timezone=UTC,
        help_text=f"The end (exclusive). Default: now. The period may have up to {MOST_DAYS} days.",
    )


class QualityRate(serializers.Serializer[Any]):
    """One rate among the decided reviews, with its 95% Wilson interval."""

    name = serializers.ChoiceField(
        choices=[metric.name for metric in QUALITY], source="metric.name"
    )
    meaning = serializers.CharField(source="metric.meaning")
    overturned = serializers.IntegerField()
    of = serializers.IntegerField(help_text="Number of decided reviews.")
    rate = serializers.FloatField(allow_null=True, help_text="Null if none is decided.")
    low = serializers.FloatField(allow_null=True, help_text="Lower end of the 95% Wilson interval.")
    high = serializers.FloatField(allow_null=True, help_text="The interval's upper end.")


class QualityOutput(serializers.Serializer[Any]):
    """The rates of a period."""

    start = serializers.DateTimeField()
    end = serializers.DateTimeField()
    rates = QualityRate(many=True)


class QualityView(ApplicationView):
    """Reviewers' verdicts on the decisions."""

    @extend_schema(
        operation_id="get_quality", parameters=[QualityInput], responses={200: QualityOutput}
    )
    def get(self, request: Request) -> Response:
        """Return overturn, false-positive and false-negative rate of a period's decided reviews."""
        data = validated(QualityInput, request.query_params)
        end: datetime = data.get("decided_before") or timezone.now()
        start: datetime = data.get("decided_after") or end - timedelta(days=_DAYS)
        try:
            rates = quality([self.application_id], start=start, end=end)
        except ValueError as error:
            raise serializers.ValidationError({"decided_after": [str(error)]}) from error
        return Response({"start": start, "end": end, "rates": QualityRate(rates, many=True).data})


# `GET /api/v1/trends/drift`: what has changed in the last week.

DriftChange = component(
    KeyChange,
    "A category whose share changed.",
    name="DriftChange",
    key="The category: a language, model or collection, or the lowest value of a step.",
)
DriftTestOutput = component(
    DriftTest,
    "One comparison of the last seven days with the four weeks before.",
    name="DriftTest",
    what="`language`, `answer_length`, `sources`, `collection` and `source_model` are the mix of "
    "all checks, `risk` the scores of a segment, `overturned_flagged` and `overturned_allowed` the "
    "reviews that overturned flagged, or allowed and sampled, answers of a segment.",
    dimension="The segment: `all` checks, or those of a `collection` or `source_model`.",
    value="The collection or model; empty for checks without one.",
    test="`chi-square` (Pearson), or `Fisher` where two categories remain and one is rare.",
    recent="Checks, or decided reviews, of the seven days.",
    before="Those of the four weeks before.",
    statistic="Pearson's statistic.",
    dispersion="How much more days of one weekday differed in the weeks before than by chance; "
    "the statistic is divided by it.",
    p="Probability of such a difference if nothing had changed.",
    adjusted_p="The same, adjusted for the number of comparisons (Benjamini and Hochberg).",
    distance="Share that moved to another category (total variation distance).",
    changes="The largest changes, at most three.",
)


class DriftInput(serializers.Serializer[Any]):
    """The day up to which drift is looked for."""

    until = serializers.DateField(
        required=False, help_text="The day (UTC) after the last one compared. Default: today."
    )


class DriftOutput(serializers.Serializer[Any]):
    """The comparisons of an application, those that drifted first."""

    start = serializers.DateField(help_text="The first of the four weeks before.")
    recent = serializers.DateField(help_text="The first of the seven days.")
    end = serializers.DateField(help_text="Exclusive.")
    level = serializers.FloatField(help_text="The highest `adjusted_p` of a drift.")
    moved = serializers.FloatField(help_text="The least `distance` of a drift.")
    drifts = DriftTestOutput(many=True, help_text="Both hold.")
    others = DriftTestOutput(many=True)


class DriftView(ApplicationView):
    """Changes of the answers, their scores and the overturned decisions."""

    @extend_schema(operation_id="get_drift", parameters=[DriftInput], responses={200: DriftOutput})
    def get(self, request: Request) -> Response:
        """Return what has drifted. Comparisons with too little of either period are left out."""
        data = validated(DriftInput, request.query_params)
        period = DriftPeriod.until(data.get("until") or timezone.now().astimezone(UTC).date())
        tests = drift([self.application_id], period).get(self.application_id, [])
        document = {
            "start": period.start,
            "recent": period.recent,
            "end": period.end,
            "level": LEVEL,
            "moved": MOVED,
            "drifts": [test for test in tests if test.is_drift],
            "others": [test for test in tests if not test.is_drift],
        }
        return Response(DriftOutput(document).data)
