"""The curve as SVG coordinates that need neither script nor inline style."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, hypot, log10

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from desk.policies.advice.report import percent
from desk.policies.advice.thresholds import Point

WIDTH, HEIGHT = 560, 340
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 24, 20, 52
_TICKS = 4
_APART = 28
"""Of two dots nearer than this only one has its value written beside it."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A threshold on the page; `words` is its title, `label` stands beside it."""

    x: float
    y: float
    threshold: float
    label: str
    holds: bool
    chosen: bool
    words: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Curve:
    """The curve.

    X: share of supported answers rejected. Y: share of accepted answers unsupported.
    """

    dots: tuple[Dot, ...]
    line: str
    alpha_y: float
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    left: float = _LEFT
    right: float = WIDTH - _RIGHT
    top: float = _TOP
    bottom: float = HEIGHT - _BOTTOM
    width: int = WIDTH
    height: int = HEIGHT


def draw(points: Sequence[Point], *, alpha: float, best_threshold: float | None) -> Curve:
    """Return the points that accept something, from the strictest threshold on."""
    plotted = [p for p in points if p.unsafe_rate is not None and p.rejected_rate is not None]
    up = _steps(max([alpha * 1.5, *(p.unsafe_rate or 0.0 for p in plotted)]))
    across = _steps(max([0.1, *(p.rejected_rate or 0.0 for p in plotted)]))
    highest, widest = up[-1], across[-1]
    dots = tuple(_dot(point, widest, highest, best_threshold) for point in plotted)
    labelled_dots = list[Dot]()
    for dot in sorted(dots, key=lambda dot: not dot.chosen):
        if all(hypot(dot.x - near.x, dot.y - near.y) >= _APART for near in labelled_dots):
            labelled_dots.append(dot)
    return Curve(
        dots=tuple(dot if dot in labelled_dots else replace(dot, label="") for dot in dots),
        line=" ".join(f"{dot.x},{dot.y}" for dot in dots),
        alpha_y=_y(alpha / highest),
        across=tuple(Tick(_x(step / widest), percent(step)) for step in across),
        up=tuple(Tick(_y(step / highest), percent(step)) for step in up),
    )


def _steps(largest: float) -> list[float]:
    """Return round shares from 0 to the largest or beyond, about four."""
    size = 10 ** floor(log10(largest / _TICKS))
    step = next(each * size for each in (1, 2, 2.5, 5, 10) if each * size * _TICKS >= largest)
    return [round(at * step, 6) for at in range(ceil(round(largest / step, 6)) + 1)]


def _dot(point: Point, widest: float, highest: float, best_threshold: float | None) -> Dot:
    rejected, unsafe = point.rejected_rate or 0.0, point.unsafe_rate or 0.0
    threshold = number_format(f"{point.threshold:g}")
    return Dot(
        x=_x(rejected / widest),
        y=_y(unsafe / highest),
        threshold=point.threshold,
        label=threshold,
        holds=point.holds,
        chosen=point.threshold == best_threshold,
        words=_(
            "%(threshold)s: %(unsafe)s of the %(accepted)d accepted answers are unsupported; "
            "%(rejected)s of the supported answers are rejected"
        )
        % {
            "threshold": threshold,
            "unsafe": percent(unsafe),
            "accepted": point.accepted,
            "rejected": percent(rejected),
        },
    )


def _x(share: float) -> float:
    return round(_LEFT + share * (WIDTH - _LEFT - _RIGHT), 1)


def _y(share: float) -> float:
    return round(HEIGHT - _BOTTOM - share * (HEIGHT - _TOP - _BOTTOM), 1)
