"""Checks of the settings."""

from collections.abc import Iterator

from django.conf import settings

from operations.doctor.findings import Finding, ok, warning

SHORTEST_KEY = 50
PART = "settings"


def weak_settings() -> Iterator[Finding]:
    """Yield a warning for each weak setting, or one line that there is none."""
    findings = list(_weaknesses())
    yield from findings or [ok(PART, "no weak setting")]


def _weaknesses() -> Iterator[Finding]:
    if settings.DEBUG:
        yield warning(
            PART, "DEBUG is on: errors show code and settings to everybody.", "Set DEBUG=false."
        )
    if len(settings.SECRET_KEY) < SHORTEST_KEY or len(set(settings.SECRET_KEY)) < 10:
        yield warning(
            PART,
            "SECRET_KEY is weak: short, or of few different characters.",
            "Set 50 random characters; sessions end, keys stay valid.",
        )
    if "*" in settings.ALLOWED_HOSTS:
        yield warning(
            PART,
            "ALLOWED_HOSTS is *: a forged Host header is believed.",
            "Name the hosts that users call.",
        )
    if not settings.HTTPS:
        yield warning(
            PART,
            "HTTPS is off: log-ins and keys cross the network as they are.",
            "Put a proxy that ends HTTPS in front and set HTTPS=true; on a laptop this is fine.",
        )
    if not settings.SECOND_FACTOR_REQUIRED:
        yield warning(
            PART, "Staff may log in with a password alone.", "Set SECOND_FACTOR_REQUIRED=true."
        )
    for name, value in (
        ("TRAIL_SIGNING_KEY", settings.TRAIL_SIGNING_KEY),
        ("WEBHOOK_KEY", settings.WEBHOOK_KEY),
    ):
        if not value:
            yield warning(
                PART,
                f"{name} is not set: it is derived from SECRET_KEY and changes with it.",
                f"Set {name} (docs/reference/settings.md) and keep a copy.",
            )
    if settings.METRICS_TOKEN and len(settings.METRICS_TOKEN) < 20:
        yield warning(PART, "METRICS_TOKEN is short.", "Set at least 20 random characters.")
