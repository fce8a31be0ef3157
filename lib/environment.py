"""Variables of the environment, read with a type, and what was read of each.

A variable may also be named by a file: `SECRET_KEY_FILE=/run/secrets/key` (a mounted secret).
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import environ

_SECRET = re.compile(r"(^|_)(KEY|KEY_FALLBACKS|PASSWORD|SECRET|TOKEN|LLMS)$")
"""The last words of a name, such as SECRET_KEY_FALLBACKS, whose value is a secret."""
_PASSWORD_IN_URL = re.compile(r"(?<=://)([^/@\s:]*):[^@/\s]+@")
HIDDEN = "(hidden)"
READ: "dict[str, Setting]" = {}
"""Each variable that this process has read."""


@dataclass(frozen=True)
class Setting:
    """A variable's value as a process read it, and its origin."""

    name: str
    value: Any
    source: str

    @property
    def text(self) -> str:
        """The value as text, without what must not be read over a shoulder."""
        if self.value in ("", None, [], {}):
            return "(empty)"
        if _SECRET.search(self.name):
            return HIDDEN
        if isinstance(self.value, list | tuple):
            return ",".join(map(str, self.value))
        return _PASSWORD_IN_URL.sub(rf"\1:{HIDDEN}@", str(self.value))


class RecordingEnv(environ.Env):  # type: ignore[misc]
    """django-environ's, which also reads `NAME_FILE` and notes in `READ` what it returned."""

    def get_value(
        self,
        var: str,
        cast: Callable[[str], Any] | None = None,
        default: Any = environ.Env.NOTSET,
        parse_default: bool = False,
    ) -> Any:
        """Return a variable's value. Raises ImproperlyConfigured; OSError for a missing file."""
        path = os.environ.get(f"{var}_FILE")
        if path:
            # Whoever writes a file ends its last line; a key or password does not end in one.
            os.environ[var] = Path(path).read_text().rstrip("\r\n")
        value = super().get_value(var, cast, default, parse_default)
        source = "default" if var not in os.environ else path or "environment"
        READ[var] = Setting(var, value, source)
        return value
