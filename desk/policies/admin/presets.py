"""The presets of a policy in words, with their measured rates."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from analysis.engine.policy import PRESETS

OWN = (
    "language", "refusal_text", "refusal_scope", "contradiction_warning", "low_confidence_flag",
    "withheld_text", "overrides", "draw_samples",
)  # fmt: skip
"""An application's own texts and collections: a preset leaves them as they are."""
PUBLIC_ANSWERS, EVERYDAY_ANSWERS = 962, 1_099
"""On how many the rates were measured."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares (0-1) of right and of wrong answers that are flagged (WARN or BLOCK) or blocked."""

    right_flagged: float
    right_blocked: float
    wrong_flagged: float
    wrong_blocked: float


@dataclass(frozen=True, slots=True)
class MeasuredRates:
    """The rates on a set of labelled answers; `answers` is their number in words."""

    title: str | Promise
    answers: str
    rates: Rates


@dataclass(frozen=True, slots=True)
class Preset:
    """A preset with its rates (docs/accuracy.md)."""

    name: str
    title: str | Promise
    words: str | Promise
    public: Rates
    everyday: Rates

    @property
    def measured(self) -> list[MeasuredRates]:
        return [
            MeasuredRates(title, number_format(answers, force_grouping=True), rates)
            for title, answers, rates in (
                (_("Everyday answers"), EVERYDAY_ANSWERS, self.everyday),
                (_("Public test sets"), PUBLIC_ANSWERS, self.public),
            )
        ]


_BALANCED = Preset(
    "balanced",
    _("Default"),
    _(
        "Blocks answers that clearly contradict the sources or are not supported by them "
        "at all. "
        "Warns about doubtful ones, and shows the supported part of a blocked answer."
    ),
    public=Rates(0.142, 0.027, 0.650, 0.200),
    everyday=Rates(0.152, 0.010, 0.563, 0.180),
)
CHOICES = (
    Preset(
        "conservative",
        _("Stricter"),
        _(
            "Blocks whenever a safety check fails: too little context, another topic, a citation "
            "that is wrong, too few supported claims. Every contradiction blocks."
        ),
        public=Rates(0.298, 0.228, 0.836, 0.767),
        everyday=Rates(0.699, 0.649, 0.874, 0.820),
    ),
    _BALANCED,
    Preset(
        "exploratory",
        _("Looser"),
        _(
            "Blocks only from the risk score. Contradictions and unsupported answers warn; "
            "answers without sources pass."
        ),
        public=Rates(0.053, 0.000, 0.348, 0.002),
        everyday=Rates(0.037, 0.000, 0.291, 0.000),
    ),
    replace(
        _BALANCED,
        name="observe",
        title=_("Observe"),
        words=_(
            "Decides as the default does and shows every answer as it stands: the first step, "
            "to learn what would be warned of and blocked."
        ),
    ),
)


def preset_rules(name: str, active: Mapping[str, Any]) -> dict[str, Any]:
    """Return a preset's rules with the application's own texts. Raises KeyError if unknown."""
    return {**PRESETS[name].to_json(), **{key: active[key] for key in OWN}}
