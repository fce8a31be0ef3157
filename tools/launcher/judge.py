"""Prepares models; set-up goes on without the base-size judge, and says so."""

from collections.abc import Mapping

from inference.judge import BASE, SMALL
from tools.launcher import commands
from tools.launcher.console import step, warn
from tools.launcher.environment import CHECKOUT, module
from tools.launcher.errors import LauncherError

JUDGE_S = 2700.0
_LINES = 3


def prepare_judge(variables: Mapping[str, str]) -> bool:
    """Have the judge prepared that NLI_MODEL names, if any; return whether it is there.

    The base judge downloads 400 MB the first time; the small one, which judges where that cannot
    be had, is prepared before it.
    """
    name = variables.get("NLI_MODEL", BASE)
    if name not in (BASE, SMALL):
        return False
    what = "Preparing the small judge"
    if name == BASE:
        what = "Preparing the judges (400 MB are downloaded the first time)"
    command = export(variables, "--judge", "--model", name)
    try:
        with step(what):
            result = commands.run(command, timeout_s=JUDGE_S, env=variables, cwd=CHECKOUT)
        problem = "" if result.code == 0 else result.tail(_LINES)
    except LauncherError as error:
        problem = error.problem
    if problem:
        warn(f"The {name} judge is not prepared, so the small one or the rules judge. {problem}")
    return not problem


def export(variables: Mapping[str, str], *arguments: str) -> list[str]:
    """Return the command that exports a model to the folder where the product looks for it."""
    folder = variables.get("MODEL_DIR")
    return module("inference.export", *arguments, *(["--to", folder] if folder else []))
