"""`make lock`: turn the requirements we chose into lists with every version pinned.

Standard library only: it runs before (and apart from) the virtual environment.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from tools.launcher import hashes
from tools.launcher.errors import LauncherError

HEADER = "# Made by `make lock` from {source}; do not edit.\n"
INSTALL_S = 3600


def lock(checkout: Path) -> None:
    """Install both lists into a fresh environment and write the pins of what was installed."""
    with tempfile.TemporaryDirectory(prefix="watchdog-lock-") as folder:
        python = str(Path(folder) / "bin" / "python")
        run([sys.executable, "-m", "venv", folder])
        run([python, "-m", "pip", "install", "-r", str(checkout / "requirements/product.in")])
        product = pinned(run([python, "-m", "pip", "freeze"], keep=True))
        write(checkout / "requirements.txt", "requirements/product.in", product)
        hashes.write(checkout)
        develop = checkout / "requirements/dev.in"
        pins = str(checkout / "requirements.txt")
        run([python, "-m", "pip", "install", "-r", str(develop), "-c", pins])
        everything = pinned(run([python, "-m", "pip", "freeze"], keep=True))
        added = [line for line in everything if line not in product]
        lines = ["-r ../requirements.txt", *added]
        write(checkout / "requirements/dev.txt", "requirements/dev.in", lines)


def pinned(freeze: str) -> list[str]:
    """Return the pins of a `pip freeze`, without the CPU build's label, which no index lists."""
    return [line.split("+", 1)[0] for line in freeze.splitlines() if "==" in line]


def write(file: Path, source: str, lines: list[str]) -> None:
    """Write one pinned list under its header."""
    file.write_text(HEADER.format(source=source) + "\n".join(lines) + "\n")
    print(f"{file.name}: {len(lines)} lines", flush=True)


def run(command: list[str], *, keep: bool = False) -> str:
    """Run a program in sight of the user, or keep what it prints."""
    process = subprocess.run(  # noqa: S603 - a list of our own making, never a shell
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if keep else None,
        text=True,
        timeout=INSTALL_S,
        check=False,
    )
    if process.returncode != 0:
        raise LauncherError(f"This failed: {' '.join(command)}", "Its last lines are above.")
    return process.stdout or ""
