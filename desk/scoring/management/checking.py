"""Code shared by the commands that check files of answers."""

from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import CommandError
from rich.console import Console

from desk.scoring.configuration import (
    DEFAULT_NAME,
    Configuration,
    ConfigurationError,
    load,
)
from desk.scoring.pool import default_processes
from inference.errors import ModelError
from inference.judge import JUDGES, LEXICAL, judges_of
from inference.judge.preparing import ensure_judge

TIME_LIMIT = 120.0


def add_pool_arguments(parser: ArgumentParser) -> None:
    """Add `--config`, `--processes` and `--time-limit`."""
    parser.add_argument(
        "--config", default=DEFAULT_NAME, help="name or TOML file of a configuration"
    )
    parser.add_argument(
        "--processes",
        type=int,
        default=default_processes(),
        help="how many work at once (one a core; 0: none beside this one, and no time limit)",
    )
    parser.add_argument(
        "--time-limit", type=float, default=TIME_LIMIT, help="seconds for one answer"
    )


def configuration_named(name: str) -> Configuration:
    """Return the configuration of this name. Raises CommandError."""
    try:
        return load(name)
    except ConfigurationError as error:
        raise CommandError(str(error)) from error


def provide_model(configuration: Configuration) -> None:
    """Prepare the configured judge once, before processes load it.

    If it cannot be prepared, say what judges instead. Raises CommandError.
    """
    name = configuration.settings.get("NLI_MODEL", settings.NLI_MODEL)
    if name == LEXICAL:
        return
    if name not in JUDGES:
        raise CommandError(f"NLI_MODEL is {name}; it names {', '.join(JUDGES)} or {LEXICAL}.")
    console = Console(stderr=True)
    try:
        with console.status(f"Preparing the {name} judge…"):
            for each in judges_of(name):
                ensure_judge(settings.MODEL_DIR, each)
    except ModelError as error:
        console.print(f"The small judge or the rules judge instead. {error}", markup=False)
