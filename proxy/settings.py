"""The proxy's settings, read from the environment."""

import os
import re
from collections.abc import Mapping
from typing import Any, Literal, Self, get_args

import httpx
from pydantic import BaseModel, ConfigDict, SecretStr, ValidationError, field_validator

from watchdog_client import GuardSettings, chat
from watchdog_client.guard import UNAVAILABLE, Fail, Mode

OnFailure = Literal["omit", "replace", "stop"]
FAILURES = get_args(OnFailure)
ToolCalls = Literal["report", "refuse", "pass"]
PREFIX = "PROXY_"
KEY_HEADER = "X-Watchdog-Key"
_NEVER_PASSED = frozenset(
    {
        KEY_HEADER.lower(), "host", "content-length", "transfer-encoding", "connection",
        "accept-encoding",
    }
)  # fmt: skip


class SettingsError(ValueError):
    """Raised for a missing or invalid variable."""


class Settings(BaseModel):
    """Addresses of the model and of WATCHDOG, and what happens to text that fails.

    Times are in seconds. `mode` "observe" changes no answer. `on_failure` concerns a sentence of a
    stream: it is left out, replaced by `replacement`, or ends the stream. `tool_calls` of a model
    are checked and passed on (report), held back if they fail (refuse), or not checked (pass).
    """

    model_config = ConfigDict(frozen=True, protected_namespaces=())

    model_url: str
    watchdog_url: str = "http://127.0.0.1:8000"
    host: str = "127.0.0.1"
    port: int = 8100
    model_seconds: float = 120.0
    check_seconds: float = 30.0
    fail: Fail = "closed"
    mode: Mode = "enforce"
    on_failure: OnFailure = "replace"
    tool_calls: ToolCalls = "report"
    replacement: str = "[A sentence was removed because it could not be verified.]"
    unavailable_text: str = UNAVAILABLE
    checks_at_once: int = 4
    max_body_bytes: int = 16_000_000
    context_roles: tuple[str, ...] = chat.ROLES
    context_pattern: re.Pattern[str] = chat.CONTEXT
    pass_headers: tuple[str, ...] = ()
    pass_query: tuple[str, ...] = ()
    watchdog_key: SecretStr | None = None
    model_key: SecretStr | None = None

    @field_validator("context_roles", "pass_headers", "pass_query", mode="before")
    @classmethod
    def is_list(cls, value: Any) -> Any:
        """Read names with commas between them."""
        return tuple(value.replace(" ", "").split(",")) if isinstance(value, str) else value

    @field_validator("context_roles")
    @classmethod
    def is_role(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        """Refuse what is no role."""
        if unknown := sorted({*names} - {*chat.ROLES}):
            raise ValueError(f"{unknown[0]} is none of {', '.join(chat.ROLES)}")
        return names

    @field_validator("context_pattern", mode="before")
    @classmethod
    def is_pattern(cls, value: Any) -> Any:
        """Read a regular expression whose groups are the sources."""
        if not isinstance(value, str):
            return value
        try:
            pattern = re.compile(value, re.DOTALL | re.IGNORECASE)
        except re.error as error:
            raise ValueError(f"no regular expression: {error}") from error
        if not pattern.groups:
            raise ValueError("put what is a source into a group: Context:(.*)")
        return pattern

    @field_validator("pass_headers")
    @classmethod
    def is_passable(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        """Refuse headers that are not the model's, or that say how the body is sent."""
        lower = tuple(name.lower() for name in names)
        if wrong := sorted({*lower} & _NEVER_PASSED):
            raise ValueError(f"{wrong[0]} is never passed on")
        return lower

    @field_validator("model_url", "watchdog_url")
    @classmethod
    def is_address(cls, value: str) -> str:
        """Refuse an unusable URL; the message does not repeat it."""
        try:
            url = httpx.URL(value.strip())
        except httpx.InvalidURL:
            url = httpx.URL("")
        if url.scheme not in ("http", "https") or not url.host:
            raise ValueError("begin with http:// or https:// and a host")
        return value.strip()

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Read the variables `PROXY_MODEL_URL` and so on. Raises SettingsError naming one."""
        variables = {name: environment.get(PREFIX + name.upper()) for name in cls.model_fields}
        try:
            return cls.model_validate({name: text for name, text in variables.items() if text})
        except ValidationError as error:
            first = error.errors()[0]
            variable = PREFIX + str(first["loc"][0]).upper()
            raise SettingsError(f"{variable}: {first['msg']}.") from error

    @property
    def guard(self) -> GuardSettings:
        return GuardSettings(self.fail, self.check_seconds, self.unavailable_text, self.mode)
