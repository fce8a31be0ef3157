"""Runs before the virtual environment exists: `python3 -m tools.launcher.bootstrap COMMAND`.

Uses the standard library only. It makes `.venv`, installs the pinned packages when they changed,
and hands over to `python -m tools.launcher COMMAND` inside it.
"""

from __future__ import annotations  # so that an older Python gets as far as our message

import fcntl
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.launcher import lock
from tools.launcher.errors import LauncherError

CHECKOUT = Path(__file__).resolve().parents[2]
VENV = CHECKOUT / ".venv"
OLDEST_PYTHON = (3, 11)
INSTALL_S = 3600
RUN = (lock.PINS, lock.HASHED, lock.CUDA)
DEVELOP = (*RUN, lock.DEV)
NEEDS = {
    "run": RUN,
    "stop": RUN,
    "clean": RUN,
    "manage": RUN,
    "proxy": RUN,
    "bench": DEVELOP,
    "bench-tables": RUN,
    "test": DEVELOP,
    "test-fast": DEVELOP,
    "coverage": DEVELOP,
    "audit": RUN,
    "faults": DEVELOP,
    "scale": DEVELOP,
    "lint": DEVELOP,
    "fix": DEVELOP,
    "api-docs": DEVELOP,
}
TORCH_INDEX = "https://download.pytorch.org/whl/cpu"
TORCH_S = 10
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def say(text: str) -> None:
    print(text, flush=True)


def main(arguments: list[str]) -> int:
    """Prepare what the command needs, then become it."""
    command = arguments[0] if arguments else "run"
    try:
        check_python()
        if command == "lock":
            lock.lock(CHECKOUT, arguments[1:])
            return 0
        if command == "clean" and not (CHECKOUT / ".data").exists():
            say("Nothing to clean.")
            return 0
        with one_at_a_time():
            prepare(NEEDS[command])
        if command == "test":
            provide_browser()
        if command in ("run", "test", "test-fast"):
            provide_sandbox()
    except LauncherError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted. The next run goes on from here.", file=sys.stderr)
        return 130
    python = str(VENV / "bin" / "python")
    os.execv(python, [python, "-m", "tools.launcher", *arguments])  # noqa: S606 - no shell is meant


def check_python() -> None:
    """Refuse a Python that is too old, naming the one to install."""
    if sys.version_info[:2] < OLDEST_PYTHON:
        text = ".".join(map(str, sys.version_info[:2]))
        raise LauncherError(
            f"Python 3.11 is needed; this is {text}.",
            "Install it (Debian, Ubuntu: sudo apt-get install python3.11 python3.11-venv).",
        )


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold the checkout's lock: two commands must not install into one environment at once."""
    folder = os.open(CHECKOUT, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another command installs the packages; waiting for it ...")
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def prepare(requirements: tuple[str, ...]) -> None:
    """Make a complete virtual environment with exactly these requirements installed."""
    stamp = VENV / f"installed-{'dev' if requirements == DEVELOP else 'run'}.sha256"
    # What the packages depend on: Python, the lists, and whether hashes are required.
    text = f"{sys.version_info[:3]} {os.environ.get('REQUIRE_HASHES', '')}"
    pins = [(CHECKOUT / name).read_bytes() for name in requirements]
    digest = hashlib.sha256(b"".join([text.encode(), *pins])).hexdigest()
    if (VENV / "bin" / "python").exists() and stamp.exists() and stamp.read_text() == digest:
        return
    make_venv()
    # Without the stamp the next run repeats an install that broke off.
    stamp.unlink(missing_ok=True)
    install(requirements)
    stamp.write_text(digest)


def make_venv() -> None:
    """Make `.venv`, or repair one that broke off half-way."""
    python = VENV / "bin" / "python"
    if python.exists() and call([str(python), "-m", "pip", "--version"], quiet=True) == 0:
        return
    provide_ensurepip()
    say(f"Making the virtual environment {VENV} ...")
    if call([sys.executable, "-m", "venv", "--clear", str(VENV)]) != 0:
        raise LauncherError("The virtual environment could not be made.", disk_advice())


def provide_ensurepip() -> None:
    """Install the module that makes virtual environments, which Debian and Ubuntu leave out."""
    if importlib.util.find_spec("ensurepip") and importlib.util.find_spec("venv"):
        return
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    apt_install(package, f"Python's module venv is missing (package {package}).")


def install(requirements: tuple[str, ...]) -> None:
    """Install the product's packages, whose files must have the hashes of the list; then others."""
    say("Installing the packages (the first time takes some minutes) ...")
    if os.environ.get("REQUIRE_HASHES", "true").lower() in ("0", "false", "no"):
        say("REQUIRE_HASHES=false: packages are installed whatever their files' hashes are.")
        pip_install(lock.PINS)
    else:
        hashed, wheels = (CHECKOUT / lock.HASHED).read_text(), os.environ.get("PIP_FIND_LINKS", "")
        pins = VENV / Path(lock.HASHED).name
        pins.write_text(lock.preferring_local_builds(hashed, wheels))
        prefer_torch_for_cpus(pins)
        pip_install(str(pins), "--require-hashes", "--no-deps")
        # Only PyPI's build of PyTorch needs CUDA's packages; others have a label.
        label = "from importlib.metadata import version; exit('+' in version('torch'))"
        if call([str(VENV / "bin" / "python"), "-c", label], quiet=True) == 0:
            pip_install(lock.CUDA, "--require-hashes", "--no-deps")
    for name in requirements[len(RUN) :]:
        pip_install(name)


def prefer_torch_for_cpus(pins: Path) -> None:
    """Install PyTorch's build for CPUs if its index is reached; PyPI's is 4 GB with CUDA."""
    torch = re.search(r"^torch==.*\n(?: +--hash.*\n)*", pins.read_text(), re.MULTILINE)
    if torch is None or "+" in torch[0].splitlines()[0] or sys.version_info[:2] != (3, 11):
        return  # a wheel lies here, or the list has no hash of one for this Python
    say(f"Looking for PyTorch's build for CPUs at {TORCH_INDEX} ...")
    file = pins.with_name("torch.txt")
    file.write_text(torch[0])
    command = [str(VENV / "bin" / "python"), "-m", "pip", "install", "--no-input", "--retries=0"]
    command += [f"--timeout={TORCH_S}", "--require-hashes", "--no-deps"]
    if call([*command, f"--index-url={TORCH_INDEX}", "-r", str(file)], quiet=True) != 0:
        say("It was not reached: PyPI's build, with CUDA, takes 4 GB more.")


def pip_install(requirements: str, *options: str) -> None:
    command = [str(VENV / "bin" / "python"), "-m", "pip", "install", "--no-input"]
    command += ["--disable-pip-version-check", *options, "-r", str(CHECKOUT / requirements)]
    if call(command) != 0:
        raise LauncherError(
            f"pip could not install {requirements}; its last lines above say why.",
            f"{disk_advice()}\nWithout internet, let pip find a mirror or a folder of wheels "
            "(PIP_INDEX_URL or PIP_FIND_LINKS), then run the same command again. Where it says "
            "that hashes do not match, the mirror has other files than PyPI: find out why, or "
            "trust it with REQUIRE_HASHES=false.",
        )


def provide_browser() -> None:
    """Install Chromium, a package of the system, which the browser tests drive."""
    if not any(shutil.which(name) for name in BROWSERS):
        apt_install("chromium", "The browser tests need Chromium, which is not installed.")


def provide_sandbox() -> None:
    """Install bubblewrap for the weather tool's first tier; if that fails, the second is used."""
    marker = VENV / "sandbox-tried"
    if sys.platform != "linux" or shutil.which("bwrap") or marker.exists():
        return
    marker.touch()
    try:
        apt_install("bubblewrap", "The sandbox of the weather tool prefers bubblewrap.")
    except LauncherError as error:
        say(f"{error}\nGoing on without it: the sandbox uses its second tier, Landlock.")


def apt_install(package: str, problem: str) -> None:
    """Install a system package as root who agrees; otherwise say which command does."""
    apt = shutil.which("apt-get")
    if apt is None:
        raise LauncherError(problem, f"Install {package} with your system's package manager.")
    if os.geteuid() != 0:
        raise LauncherError(
            problem, f"Run: sudo apt-get update && sudo apt-get install -y {package}"
        )
    if not agreed(f"{problem} Install {package} with apt-get?"):
        raise LauncherError(problem, f"Run: apt-get update && apt-get install -y {package}")
    say(f"{problem} Installing it with apt-get ...")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update"], ["install", "-y", "--no-install-recommends", package]):
        if call([apt, "-q", *arguments], env=environment) != 0:
            raise LauncherError(f"apt-get {arguments[0]} failed, see above.", disk_advice())


def agreed(question: str) -> bool:
    """Ask at the terminal; without one only SYSTEM_PACKAGES=install agrees."""
    if os.environ.get("SYSTEM_PACKAGES"):
        return os.environ["SYSTEM_PACKAGES"] == "install"
    return sys.stdin.isatty() and input(f"{question} [y/N] ").strip().lower() in ("y", "yes")


def disk_advice() -> str:
    """Return how much of the disk is free, with advice where that is little."""
    free = shutil.disk_usage(CHECKOUT).free / 1e9
    return f"{free:.1f} GB are free on this disk" + (
        "; free some space first." if free < 2 else "."
    )


def call(command: list[str], *, quiet: bool = False, env: dict[str, str] | None = None) -> int:
    output = subprocess.DEVNULL if quiet else None
    process = subprocess.run(  # noqa: S603 - a list of our own making, never a shell
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        env=env,
        timeout=INSTALL_S,
        check=False,
    )
    return process.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
