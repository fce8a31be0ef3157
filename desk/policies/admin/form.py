"""The form of a new policy version: every setting in plain words, filled with its value.

An emptied field keeps its value; an emptied text returns to its default.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any, get_type_hints

import yaml
from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from analysis.engine.policy import (
    ALL_SIGNALS,
    DEFAULT_RULES,
    PolicyError,
    PolicyRules,
    overlaid,
)
from analysis.engine.verdict.risk import HIGHEST
from desk.policies.admin.errors import in_words
from desk.policies.admin.words import GROUPS, SETTINGS, Setting, SettingGroup
from desk.verdict_page.words import signal_name

PREFILLED = ("required_signals", "overrides", "hold.words")
OPEN_GROUPS = 2
"""Groups that are open at first; the others open by a click."""


def kinds(kind: Any = PolicyRules, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each setting's path in the rules document with its type."""
    hints = get_type_hints(kind)
    for item in fields(kind):
        name, hint = f"{path}{item.name}", hints[item.name]
        if is_dataclass(hint):
            yield from kinds(hint, f"{name}.")
        else:
            yield name, hint


KINDS = dict(kinds())
DEFAULTS = DEFAULT_RULES.to_json()


class PolicyForm(forms.Form):
    """The form of a new version, initially the rules `current`; `in_force` are the active rules.

    With `one` it has the setting of this path alone, and the others stay as they are. A version
    that is only tried and not saved needs no reason.
    """

    def __init__(
        self,
        current: dict[str, Any],
        data: Any = None,
        in_force: dict[str, Any] | None = None,
        preset: str = "",
        *,
        one: str = "",
        is_saved: bool = True,
    ) -> None:
        super().__init__(data)
        self.one = one if one in SETTINGS else ""
        self.current = current
        self.in_force = in_force or current
        self.preset = preset
        for group in GROUPS:
            for setting in self._settings(group):
                self.fields[setting.path] = _field(setting, value_at(current, setting.path))
        self.fields["note"] = forms.CharField(
            label=_("Why"),
            max_length=500,
            required=is_saved,
            widget=forms.Textarea({"rows": 2}),
            help_text=_("Stored with the version."),
        )
        for name in self.errors.keys() & self.fields.keys():
            self.fields[name].widget.attrs |= {
                "aria-invalid": "true",
                "aria-describedby": f"error_{name}",
            }

    def clean(self) -> dict[str, Any]:
        """Build the rules, or put the error at the field that caused it."""
        values = super().clean() or {}
        if not self.errors.keys() - {"note"}:
            try:
                values["rules"] = PolicyRules.from_json(self._rules(values)).to_json()
            except PolicyError as error:
                top = error.field.partition("[")[0]
                where = next((name for name in (error.field, top) if name in self.fields), None)
                reason = in_words(error.reason)
                text = reason if where == error.field else f"{in_words(error.field)}: {reason}"
                self.add_error(where, text)
        return values

    def _rules(self, values: dict[str, Any]) -> dict[str, Any]:
        rules = self.current
        for path in KINDS.keys() & self.fields.keys():
            value = value_at(DEFAULTS, path) if self._emptied(path) else values.get(path)
            if value not in (None, "") or path in PREFILLED or self._emptied(path):
                rules = overlaid(rules, _nested(path, value))
        return rules

    def _emptied(self, path: str) -> bool:
        """Return whether a set text was submitted empty; an omitted field keeps its value."""
        text = self.data.get(self.add_prefix(path))
        return KINDS[path] is str and text == "" and value_at(self.current, path) != ""

    def groups(self) -> Iterator["FormGroup"]:
        """Yield the fields in their groups, each with the active value if it would change."""
        for number, group in enumerate(GROUPS):
            rows = [
                FormRow(self[setting.path], self._replaced_value(setting))
                for setting in self._settings(group)
            ]
            is_open = number < OPEN_GROUPS or any(row.field.errors or row.current for row in rows)
            if rows:
                yield FormGroup(str(group.title), rows, is_open or bool(self.one))

    def _settings(self, group: SettingGroup) -> list[Setting]:
        return [setting for setting in group.settings if self.one in ("", setting.path)]

    def _replaced_value(self, setting: Setting) -> str:
        """Return the active value in words if this form would replace it, else ""."""
        rules = getattr(self, "cleaned_data", {}).get("rules", self.current)
        now = value_at(self.in_force, setting.path)
        return "" if value_at(rules, setting.path) == now else words_of(setting, now)


class OverridesField(forms.CharField):
    """A list of overrides as YAML."""

    widget = forms.Textarea(attrs={"rows": 6, "spellcheck": "false"})

    def prepare_value(self, value: Any) -> Any:
        """Return the overrides as YAML; submitted text is unchanged."""
        if isinstance(value, list):
            return yaml.safe_dump(value, sort_keys=False, allow_unicode=True) if value else ""
        return value

    def to_python(self, value: Any) -> Any:
        """Parse the list from YAML; the engine validates its content."""
        try:
            return yaml.safe_load(super().to_python(value) or "") or []
        except (yaml.YAMLError, RecursionError) as error:
            raise forms.ValidationError(gettext("This is not valid YAML: %s") % error) from error


class WordsField(forms.CharField):
    """A list of words, separated by commas."""

    def prepare_value(self, value: Any) -> Any:
        """Return the words on one line; submitted text is unchanged."""
        return ", ".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        words = (word.strip() for word in (super().to_python(value) or "").split(","))
        return [word for word in words if word]


@dataclass(frozen=True, slots=True)
class FormRow:
    """A field, and the active value if it differs."""

    field: forms.BoundField
    current: str


@dataclass(frozen=True, slots=True)
class FormGroup:
    """Fields under one title."""

    title: str
    rows: list[FormRow]
    is_open: bool


def value_at(document: dict[str, Any], path: str) -> Any:
    """Return the value at a path of a rules document."""
    value: Any = document
    for part in path.split("."):
        value = value[part]
    return value


def words_of(setting: Setting, value: Any) -> str:
    """Return a setting's value in plain words, with signals as pages name them."""
    if setting.path == "required_signals":
        return value_words([signal_name(name) for name in value])
    if setting.path == "hold.risk_at" and value > HIGHEST:
        never: str = gettext("%d (never)") % value
        return never
    return value_words(value)


def value_words(value: Any) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, list):
        return ", ".join(value_words(item) for item in value) or gettext("none")
    if isinstance(value, dict) and "collections" in value:
        return f"{value['name']} ({', '.join(value['collections'])})"
    return gettext("not set") if value in (None, "", {}) else str(value)


def _field(setting: Setting, current: Any) -> forms.Field:
    kind = KINDS[setting.path]
    common: dict[str, Any] = {"label": setting.label, "help_text": setting.help}
    if setting.path == "required_signals":
        return forms.MultipleChoiceField(
            choices=[(name, signal_name(name)) for name in ALL_SIGNALS],
            widget=forms.CheckboxSelectMultiple, initial=current, required=False, **common,
        )  # fmt: skip
    if setting.path == "hold.words":
        return WordsField(initial=current, required=False, max_length=5_000, **common)
    if setting.path == "overrides":
        return OverridesField(initial=current, required=False, **common)
    if isinstance(kind, type) and issubclass(kind, Enum):
        choices = [(member.value, member.value) for member in kind]
        return forms.ChoiceField(choices=choices, initial=current, required=False, **common)
    if kind is bool:
        return forms.TypedChoiceField(
            choices=[("true", _("yes")), ("false", _("no"))],
            coerce=lambda choice: choice == "true",
            initial="true" if current else "false", empty_value=None, required=False, **common,
        )  # fmt: skip
    if kind in (int, float):
        number = forms.IntegerField if kind is int else forms.FloatField
        return number(initial=current, required=False, localize=False, **common)
    default = value_at(DEFAULTS, setting.path)
    emptied = _("If left empty: %s.") % (f"“{default}”" if default else _("not set"))
    common["help_text"] = f"{setting.help} {emptied}"
    return forms.CharField(initial=current, required=False, max_length=500, strip=False, **common)


def _nested(path: str, value: Any) -> dict[str, Any]:
    name, _dot, rest = path.partition(".")
    return {name: _nested(rest, value) if rest else value}
