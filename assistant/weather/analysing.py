"""Analyses hours in the sandbox, and validates the resulting figures."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from django.conf import settings
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from assistant.weather.openmeteo import Hours
from assistant.weather.thresholds import Threshold
from assistant.weather.types import WeatherFault, WeatherUnavailable
from lib.sandbox import SandboxFailed, SandboxResult, SandboxUnavailable, Tier, available, run

Measure = Literal["wind", "gusts", "precipitation", "temperature"]
MEASURES: tuple[Measure, ...] = ("wind", "gusts", "precipitation", "temperature")
Sky = Literal["fog", "freezing rain", "snow", "thunderstorm"]
Number = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=1000)]
Hour = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:00$")]
Run = Annotated[list[Hour], Field(min_length=2, max_length=2)]
Runs = Annotated[list[Run], Field(max_length=1000)]
_SCRIPT = Path(__file__).with_name("measures.py").read_text(encoding="utf-8")


class _AnalysisInput(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Summary(_AnalysisInput):
    """Extremes, mean and sum of one measure; all None if no hour has a value."""

    missing: Count
    present: Count
    max: Number | None = None
    max_at: Hour | None = None
    min: Number | None = None
    min_at: Hour | None = None
    mean: Number | None = None
    sum: Number | None = None


class Over(_AnalysisInput):
    """Hours at or over a threshold (at or under it if `below`), also as periods."""

    measure: Measure
    value: Number
    below: bool
    hours: Count
    present: Count
    runs: Runs


class Anomaly(_AnalysisInput):
    """An anomaly of one hour; `other` is the value it is compared with."""

    kind: Literal["missing", "impossible", "contradictory", "jump"]
    measure: Measure
    hour: Hour
    value: Number | None
    other: Number | None


class Analysis(_AnalysisInput):
    """All figures of the hours (km/h, mm, °C)."""

    hours: Count
    measures: dict[Measure, Summary]
    thresholds: Annotated[list[Over], Field(max_length=50)]
    skies: dict[Sky, Runs]
    anomalies: Annotated[list[Anomaly], Field(max_length=200)]


def analyse(
    hours: Hours, positions: Sequence[int], thresholds: Sequence[Threshold]
) -> tuple[Analysis, Tier]:
    """Return the figures of the chosen hours and the sandbox tier that computed them."""
    sandbox = available([Tier(name) for name in settings.SANDBOX_TIERS])
    if sandbox.tier is None:
        raise WeatherUnavailable(
            WeatherFault.NO_SANDBOX,
            "The weather cannot be analysed: this machine allows no sandbox "
            f"({sandbox.reason or 'none is configured'}).",
        )
    try:
        done = run(_SCRIPT, _input(hours, positions, thresholds), tier=sandbox.tier)
    except (SandboxFailed, SandboxUnavailable) as error:
        raise _unavailable(str(error)) from error
    return _validate_result(done, positions), done.tier


def _validate_result(result: SandboxResult, positions: Sequence[int]) -> Analysis:
    try:
        analysis = Analysis.model_validate(result.output)
    except ValidationError as error:
        raise _unavailable("its figures are not what they should be") from error
    if analysis.hours != len(positions) or set(analysis.measures) != set(MEASURES):
        raise _unavailable("its figures do not belong to these hours")
    return analysis


def _unavailable(what: str) -> WeatherUnavailable:
    return WeatherUnavailable(
        WeatherFault.SANDBOX_FAILED, f"The weather could not be analysed: {what}."
    )


def _input(
    hours: Hours, positions: Sequence[int], thresholds: Sequence[Threshold]
) -> dict[str, Any]:
    columns: dict[str, Sequence[Any]] = {
        "hours": hours.time, **hours.measures, "codes": hours.weather_code,
    }  # fmt: skip
    picked = {name: [column[at] for at in positions] for name, column in columns.items()}
    limits = [[limit.measure, limit.value, limit.below] for limit in thresholds]
    return picked | {"thresholds": limits}
