"""Probes of the settings: pure functions of their values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from operations.doctor.findings import Finding, ok, warning

SHORTEST_KEY = 50
PART = "settings"


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings that can be weak."""

    debug: bool
    secret_key: str
    allowed_hosts: Sequence[str]
    https: bool
    second_factor_required: bool
    metrics_token: str
    trail_signing_key: str
    webhook_key: str


def weak_settings(settings: Configuration) -> Iterator[Finding]:
    """A warning for each weak setting, or one line that none is."""
    findings = list(_weaknesses(settings))
    yield from findings or [ok(PART, "no weak setting")]


def _weaknesses(settings: Configuration) -> Iterator[Finding]:
    if settings.debug:
        yield warning(
            PART, "DEBUG is on: errors show code and settings to everybody.", "Set DEBUG=false."
        )
    if len(settings.secret_key) < SHORTEST_KEY or len(set(settings.secret_key)) < 10:
        yield warning(
            PART,
            "SECRET_KEY is weak: short, or of few different characters.",
            "Set 50 random characters; sessions end, keys stay valid.",
        )
    if "*" in settings.allowed_hosts:
        yield warning(
            PART,
            "ALLOWED_HOSTS is *: a forged Host header is believed.",
            "Name the hosts that users call.",
        )
    if not settings.https:
        yield warning(
            PART,
            "HTTPS is off: log-ins and keys cross the network as they are.",
            "Put a proxy that ends HTTPS in front and set HTTPS=true; on a laptop this is fine.",
        )
    if not settings.second_factor_required:
        yield warning(
            PART, "Staff may log in with a password alone.", "Set SECOND_FACTOR_REQUIRED=true."
        )
    for name, value in (
        ("TRAIL_SIGNING_KEY", settings.trail_signing_key),
        ("WEBHOOK_KEY", settings.webhook_key),
    ):
        if not value:
            yield warning(
                PART,
                f"{name} is not set: it is derived from SECRET_KEY and changes with it.",
                f"Set {name} (docs/reference/settings.md) and keep a copy.",
            )
    if settings.metrics_token and len(settings.metrics_token) < 20:
        yield warning(PART, "METRICS_TOKEN is short.", "Set at least 20 random characters.")
