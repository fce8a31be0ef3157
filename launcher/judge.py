"""Preparing the base-size judge: set-up goes on without it, and says so."""

from collections.abc import Mapping

from launcher import commands
from launcher.console import step, warn
from launcher.environment import CHECKOUT
from launcher.errors import LauncherError
from launcher.programs import PYTHON

BASE = "base"
JUDGE_S = 2700.0
_LINES = 3


def prepare_judge(variables: Mapping[str, str]) -> bool:
    """Have the judge prepared unless NLI_MODEL names another; whether it is there.

    The first time downloads 400 MB.
    """
    if variables.get("NLI_MODEL", BASE) != BASE:
        return False
    folder = variables.get("MODEL_DIR")
    command = [*PYTHON, "inference.export", "--judge", *(["--to", folder] if folder else [])]
    try:
        with step("Preparing the base judge (400 MB are downloaded the first time)"):
            result = commands.run(command, timeout_s=JUDGE_S, env=variables, cwd=CHECKOUT)
        problem = "" if result.code == 0 else result.tail(_LINES)
    except LauncherError as error:
        problem = error.problem
    if problem:
        warn(f"The base judge is not prepared, so the small model judges. {problem}")
    return not problem
