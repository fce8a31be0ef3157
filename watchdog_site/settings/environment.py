"""The environment, from which all values come."""

from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from lib.environment import RecordingEnv

env = RecordingEnv()
BASE_DIR = Path(__file__).resolve().parent.parent.parent


def required(name: str, fix: str) -> str:
    """Return a value that has no default; the error says how to set it."""
    value = env.str(name, default="")
    if not value:
        raise ImproperlyConfigured(f"{name} is not set. {fix}")
    return str(value)
