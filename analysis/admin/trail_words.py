"""The data of trail entries in words: labels of their names, and their values."""

import re
from collections.abc import Mapping

from django.apps import apps
from django.utils.dateparse import parse_datetime
from django.utils.formats import localize
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.timezone import is_aware, localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

NAMES: dict[str, str | Promise] = {
    "action": gettext_lazy("action"),
    "active": gettext_lazy("active"),
    "attempts": gettext_lazy("attempts"),
    "change": gettext_lazy("change"),
    "channel": gettext_lazy("channel"),
    "check_id": gettext_lazy("check"),
    "chunks": gettext_lazy("passages"),
    "claims": gettext_lazy("claims judged"),
    "code": gettext_lazy("code"),
    "corrected_sha256": gettext_lazy("digest of the corrected text"),
    "decision": gettext_lazy("decision"),
    "deleted": gettext_lazy("deleted"),
    "engine_version": gettext_lazy("engine"),
    "entries": gettext_lazy("entries"),
    "erased": gettext_lazy("erased"),
    "expires_at": gettext_lazy("valid until"),
    "format": gettext_lazy("format"),
    "giver": gettext_lazy("given by"),
    "helpful": gettext_lazy("helpful"),
    "holiday": gettext_lazy("holiday"),
    "input_sha256": gettext_lazy("digest of the input"),
    "is_active": gettext_lazy("active"),
    "issuer": gettext_lazy("sign-in provider"),
    "judge": gettext_lazy("decided by"),
    "label": gettext_lazy("label"),
    "left": gettext_lazy("kept"),
    "members": gettext_lazy("members"),
    "model": gettext_lazy("model"),
    "name": gettext_lazy("name"),
    "note_sha256": gettext_lazy("digest of the note"),
    "origin": gettext_lazy("origin"),
    "owner": gettext_lazy("owner"),
    "parts": gettext_lazy("erased parts"),
    "policy_id": gettext_lazy("policy record"),
    "prefix": gettext_lazy("key begins with"),
    "reason": gettext_lazy("reason"),
    "reason_codes": gettext_lazy("reasons"),
    "replaced_by": gettext_lazy("replaced by"),
    "restored": gettext_lazy("restored"),
    "risk_score": gettext_lazy("risk score"),
    "role": gettext_lazy("role"),
    "rows": gettext_lazy("rows"),
    "scopes": gettext_lazy("scopes"),
    "sessions": gettext_lazy("sessions ended"),
    "sha256": gettext_lazy("digest"),
    "slug": gettext_lazy("short name"),
    "staff": gettext_lazy("staff"),
    "stage": gettext_lazy("stage"),
    "superseded": gettext_lazy("replaces"),
    "superuser": gettext_lazy("superuser"),
    "target": gettext_lazy("kept for"),
    "turns": gettext_lazy("questions"),
    "user": gettext_lazy("user"),
    "version": gettext_lazy("version"),
    "via": gettext_lazy("by way of"),
}
"""By key; one that is not listed is told by its key."""
_LAST = ("via", "stage", "check", "check_id")
_DIGEST = re.compile("[0-9a-f]{64}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT")


def data_in_words(data: Mapping[str, object]) -> str:
    """Return an entry's data as words, "action: BLOCK, risk score: 70", without empty values.

    What was done comes first: a list cuts the end.
    """
    parts = (
        f"{NAMES.get(name, name.replace('_', ' '))}: {_value(value)}"
        for name, value in sorted(data.items(), key=lambda item: item[0] in _LAST)
        if value not in (None, "", [], {})
    )
    return "; ".join(parts)


def subject_in_words(subject_type: str) -> str:
    """Return the kind of an entry's subject as the admin names it."""
    names = {
        model._meta.model_name: str(capfirst(model._meta.verbose_name))
        for model in apps.get_models()
    }
    names["probe_run"] = _("Probe run")  # of no row
    return names.get(subject_type, subject_type)


def actor_in_words(actor: str) -> str:
    """Return who did something as pages name it: a key by its beginning, people by their name."""
    kind, _colon, prefix = actor.partition(":")
    return _("API key %s") % prefix if kind == "api_key" else actor


def _value(value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_value(inner)}" for name, inner in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_value, value))
    text = str(value)
    if _DIGEST.fullmatch(text):
        return f"{text[:8]}…"
    time = parse_datetime(text) if _TIME.match(text) else None
    return str(localize(localtime(time) if is_aware(time) else time)) if time else text
