"""docker-compose.yml as Compose reads it: which variables a service gets."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

FILE: dict[str, Any] = yaml.safe_load(Path("docker-compose.yml").read_text())
SERVICES: dict[str, Any] = FILE["services"]
_VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])((?:[^{}]|\{[^{}]*\})*))?\}")


def variables(service: str, dotenv: Mapping[str, str]) -> dict[str, str]:
    """The environment of a service where `.env` holds these lines."""
    definition = SERVICES[service]
    of_file = dotenv if definition.get("env_file") else {}
    named = {
        # Without a value, a variable is passed on where it is set.
        name: dotenv.get(name) if value is None else interpolated(str(value), dotenv)
        for name, value in definition["environment"].items()
    }
    return {**of_file, **{name: value for name, value in named.items() if value is not None}}


def interpolated(text: str, dotenv: Mapping[str, str]) -> str:
    """The text with `${NAME}`, `${NAME:-default}` and `${NAME:?needed}` replaced; `$$` is `$`."""

    def replace(match: re.Match[str]) -> str:
        name, kind, more = match.groups()
        if dotenv.get(name):
            return dotenv[name]
        if kind == "?":
            raise KeyError(f"{name}: {more}")
        return interpolated(more or "", dotenv)

    return _VARIABLE.sub(replace, text).replace("$$", "$")
