"""Figures on pages: three decimals, with their interval where they have one."""

from typing import Any

from django import template
from django.utils.translation import gettext_lazy as _

register = template.Library()
_TITLES = (("quality_sample", _("The quality sample")), ("all", _("All that was reviewed")))
NONE = "–"


@register.filter
def figure(found: float | dict[str, float | None] | None) -> str:
    """`0.812 (0.765 to 0.851)`; a dash where there is none."""
    if found is None:
        return NONE
    if not isinstance(found, dict):
        return f"{found:.3f}"
    if found["low"] is None:
        return f"{found['value']:.3f}"
    return f"{found['value']:.3f} ({found['low']:.3f} to {found['high']:.3f})"


@register.filter
def evaluated(found: dict[str, Any]) -> list[tuple[str, str, Any]]:
    """The sets of an evaluation with their titles, the one that speaks for all first."""
    return [(name, str(title), found[name]) for name, title in _TITLES]


@register.filter
def decisions(told: dict[str, Any]) -> list[tuple[str, Any]]:
    """What counts as rejected, and the figures of that."""
    return [(str(_("WARN or BLOCK")), told["flagged"]), ("BLOCK", told["blocked"])]
