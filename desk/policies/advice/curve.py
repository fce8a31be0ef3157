"""The curve as SVG coordinates that need neither script nor inline style."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from desk.policies.advice.thresholds import Point

WIDTH, HEIGHT = 560, 340
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 24, 20, 52
_TICKS = 4


@dataclass(frozen=True, slots=True)
class Dot:
    """A threshold on the page; `words` is its title."""

    x: float
    y: float
    threshold: int
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


def draw(points: Sequence[Point], *, alpha: float, best_threshold: int | None) -> Curve:
    """Return the points that accept something, from the strictest threshold on."""
    plotted = [p for p in points if p.unsafe_rate is not None and p.rejected_rate is not None]
    highest = max([alpha * 1.5, *(p.unsafe_rate or 0.0 for p in plotted)])
    widest = max([0.1, *(p.rejected_rate or 0.0 for p in plotted)])
    dots = tuple(_dot(point, widest, highest, best_threshold) for point in plotted)
    steps = [at / _TICKS for at in range(_TICKS + 1)]
    return Curve(
        dots=dots,
        line=" ".join(f"{dot.x},{dot.y}" for dot in dots),
        alpha_y=_y(alpha / highest),
        across=tuple(Tick(_x(step), f"{step * widest:.0%}") for step in steps),
        up=tuple(Tick(_y(step), f"{step * highest:.1%}") for step in steps),
    )


def _dot(point: Point, widest: float, highest: float, best_threshold: int | None) -> Dot:
    rejected, unsafe = point.rejected_rate or 0.0, point.unsafe_rate or 0.0
    return Dot(
        x=_x(rejected / widest),
        y=_y(unsafe / highest),
        threshold=point.threshold,
        holds=point.holds,
        chosen=point.threshold == best_threshold,
        words=_(
            "%(threshold)d: %(unsafe)s of the %(accepted)d accepted answers are unsupported; "
            "%(rejected)s of the supported answers are rejected"
        )
        % {
            "threshold": point.threshold,
            "unsafe": f"{unsafe:.1%}",
            "accepted": point.accepted,
            "rejected": f"{rejected:.1%}",
        },
    )


def _x(share: float) -> float:
    return round(_LEFT + share * (WIDTH - _LEFT - _RIGHT), 1)


def _y(share: float) -> float:
    return round(HEIGHT - _BOTTOM - share * (HEIGHT - _TOP - _BOTTOM), 1)
