"""Named configurations of the pipeline: changed settings and parts of the policy.

A configuration is a TOML file: `description` (a string), `[settings]` (Django settings by name) and
`[policy]` (as `PolicyRules.from_json` reads it). Those shipped with the product are in
`configurations/`; "default" changes nothing.
"""

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings

from analysis.engine.policy import DEFAULT_RULES, PolicyError, PolicyRules, overlaid

SHIPPED = Path(__file__).parent / "configurations"
DEFAULT_NAME = "default"
_PARTS = {"description": str, "settings": dict, "policy": dict}


class ConfigurationError(ValueError):
    """Raised for a configuration that cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """A named set of changed settings and policy parts."""

    name: str = DEFAULT_NAME
    settings: Mapping[str, Any] = field(default_factory=dict)
    policy: Mapping[str, Any] = field(default_factory=dict)

    @property
    def rules(self) -> PolicyRules:
        """The policy; omitted settings have their defaults."""
        return PolicyRules.from_json(overlaid(DEFAULT_RULES.to_json(), self.policy))


DEFAULT = Configuration()


def load(name: str) -> Configuration:
    """Return a shipped configuration by name, or one in a file. Raises ConfigurationError."""
    if name == DEFAULT_NAME:
        return DEFAULT
    path = SHIPPED / f"{name}.toml"
    if not path.is_file():
        path = Path(name)
    if not path.is_file():
        text = ", ".join([DEFAULT_NAME, *sorted(file.stem for file in SHIPPED.glob("*.toml"))])
        raise ConfigurationError(f"There is no configuration {name!r}; known: {text}, or a file.")
    try:
        return parse(path.stem, path.read_text(encoding="utf-8"))
    except ConfigurationError as error:
        raise ConfigurationError(f"{path}: {error}") from error


def parse(name: str, text: str) -> Configuration:
    """Parse a configuration in TOML. Raises ConfigurationError, which names the error."""
    try:
        data = tomllib.loads(text)
        for key, value in data.items():
            if not isinstance(value, _PARTS.get(key, ())):
                raise ConfigurationError(
                    f"{key}: not a part of a configuration, or of a wrong type"
                )
        configuration = Configuration(name, data.get("settings", {}), data.get("policy", {}))
        _ = configuration.rules
    except (tomllib.TOMLDecodeError, PolicyError) as error:
        raise ConfigurationError(str(error)) from error
    for key in configuration.settings:
        if not hasattr(settings, key):
            raise ConfigurationError(f"settings.{key}: there is no such setting")
    return configuration


@contextmanager
def applied(configuration: Configuration) -> Iterator[None]:
    """Apply the configuration's settings within the block."""
    before = {name: getattr(settings, name) for name in configuration.settings}
    for name, value in configuration.settings.items():
        setattr(settings, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(settings, name, value)
