"""The request's extension field `watchdog`: what the answer is checked against."""

from dataclasses import dataclass, field
from typing import Any

from proxy.errors import ProxyError
from proxy.settings import FAILURES, OnFailure, Settings
from watchdog_client.operations import CheckOptions

NAME = "watchdog"
_OPTIONS = frozenset({"query", "sources", "collections", "scope", "metadata"})


@dataclass(frozen=True, slots=True)
class Extension:
    """The application's options for one request."""

    on_failure: OnFailure
    options: CheckOptions = field(default_factory=CheckOptions)


def split_extension(body: dict[str, Any], settings: Settings) -> tuple[dict[str, Any], Extension]:
    """Return the body for the model, without the extension, and the extension.

    Raises ProxyError.
    """
    members = body.get(NAME, {})
    if not isinstance(members, dict):
        raise _invalid("watchdog must be an object.", NAME)
    unknown = set(members) - _OPTIONS - {"on_failure"}
    if unknown:
        raise _invalid(f"Unknown member: {sorted(unknown)[0]}.", f"{NAME}.{sorted(unknown)[0]}")
    on_failure = members.get("on_failure", settings.on_failure)
    if on_failure not in FAILURES:
        raise _invalid(f"Must be one of {', '.join(FAILURES)}.", f"{NAME}.on_failure")
    options: Any = {name: value for name, value in members.items() if name in _OPTIONS}
    forwarded = {name: value for name, value in body.items() if name != NAME}
    return forwarded, Extension(on_failure, options)


def _invalid(message: str, param: str) -> ProxyError:
    return ProxyError(400, message, code="invalid_watchdog_extension", param=param)
