"""A reliability diagram as SVG: no library, no script, readable on light and dark pages."""

from collections.abc import Sequence
from html import escape

from stats.calibration import Bin

_SIDE, _LEFT, _TOP = 320, 56, 44
_WIDTH, _HEIGHT = _SIDE + _LEFT + 24, _SIDE + _TOP + 56
_STYLE = (
    "text{font:12px sans-serif;fill:#1f2937}.t{font-size:14px;font-weight:bold}"
    ".a{stroke:#6b7280;fill:none}.d{stroke:#6b7280;stroke-dasharray:4 4}"
    ".b{fill:#2563eb;fill-opacity:.35;stroke:#2563eb}.p{fill:#b91c1c}.g{fill:#fff}"
    "@media(prefers-color-scheme:dark){text{fill:#e5e7eb}.g{fill:#111827}"
    ".b{fill:#60a5fa;stroke:#60a5fa}.p{fill:#fca5a5}}"
)


def reliability_svg(title: str, bins: Sequence[Bin], error: float | None) -> str:
    """Bars: share at fault in each bin; dots: the bin's mean score on its bar; dashes: ideal."""
    caption = "no scored answers" if error is None else f"expected calibration error {error:.3f}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="{escape(title)}: {caption}">',
        f"<style>{_STYLE}</style>",
        f'<rect class="g" width="{_WIDTH}" height="{_HEIGHT}"/>',
        f'<text class="t" x="{_LEFT}" y="18">{escape(title)}</text>',
        f'<text x="{_LEFT}" y="35">{caption}</text>',
        *(_bar(item) for item in bins),
        f'<line class="d" x1="{_x(0)}" y1="{_y(0)}" x2="{_x(1)}" y2="{_y(1)}"/>',
        *(_dot(item) for item in bins),
        f'<path class="a" d="M{_x(0)} {_y(1)}V{_y(0)}H{_x(1)}"/>',
        *(_tick(at / 5) for at in range(6)),
        f'<text x="{_x(0.5)}" y="{_HEIGHT - 10}" text-anchor="middle">score</text>',
        f'<text transform="translate(14 {_y(0.5)}) rotate(-90)" text-anchor="middle">'
        "share at fault</text>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _x(value: float) -> float:
    return round(_LEFT + value * _SIDE, 1)


def _y(value: float) -> float:
    return round(_TOP + (1 - value) * _SIDE, 1)


def _bar(bin_: Bin) -> str:
    width = round(_x(bin_.high) - _x(bin_.low), 1)
    height = round(_y(0) - _y(bin_.positive_share), 1)
    label = (
        f"{bin_.low:.1f} to {bin_.high:.1f}: {bin_.count} answers, "
        f"mean score {bin_.mean_score:.3f}, {bin_.positive_share:.1%} at fault"
    )
    place = f'x="{_x(bin_.low)}" y="{_y(bin_.positive_share)}" width="{width}" height="{height}"'
    return f'<rect class="b" {place}><title>{label}</title></rect>'


def _dot(bin_: Bin) -> str:
    return f'<circle class="p" cx="{_x(bin_.mean_score)}" cy="{_y(bin_.positive_share)}" r="3.5"/>'


def _tick(value: float) -> str:
    return (
        f'<text x="{_x(value)}" y="{_y(0) + 16}" text-anchor="middle">{value:.1f}</text>'
        f'<text x="{_LEFT - 6}" y="{_y(value) + 4}" text-anchor="end">{value:.1f}</text>'
    )
