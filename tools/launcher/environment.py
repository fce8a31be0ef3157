"""The environment of the product's processes: the user's own, and what we add to it."""

import os
import secrets
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import environ

from tools.launcher import folders, ports, postgres, redis
from tools.launcher.console import note
from tools.launcher.errors import LauncherError

CHECKOUT = Path(__file__).resolve().parents[2]
DEFAULT_WEB_PORT = 8000
# Every process we start carries this variable, so that those left behind by a kill can be found.
MARK = "WATCHDOG_STARTED_FOR"


@dataclass(frozen=True)
class Stack:
    """One installation that runs: the embedded servers (if any) and the variables for Django."""

    data_dir: Path
    postgres: postgres.Server | None
    redis: redis.Server | None
    variables: dict[str, str]

    @property
    def logs(self) -> Path:
        return self.data_dir / "logs"

    @property
    def web_url(self) -> str:
        """URL at which the web process is reached from this machine."""
        return f"http://127.0.0.1:{self.variables['WEB_PORT']}"


def load_dotenv() -> None:
    """Add the variables of `.env`; a variable that is already set wins."""
    file = CHECKOUT / ".env"
    if file.exists():
        environ.Env.read_env(str(file), overwrite=False)


def build(data_dir: Path) -> Stack:
    """Decide which servers are embedded and put the variables together."""
    load_dotenv()
    folders.make_data_folder(data_dir)
    for name in ("logs", "run"):
        (data_dir / name).mkdir(exist_ok=True, mode=0o700)
    own = dict(os.environ)
    database = None if own.get("DATABASE_URL") else postgres.prepare(data_dir)
    broker = None if own.get("REDIS_URL") else redis.prepare(data_dir)
    variables = {
        **own,
        "DATABASE_URL": database.url if database else own["DATABASE_URL"],
        "REDIS_URL": broker.url if broker else own["REDIS_URL"],
        "SECRET_KEY": own.get("SECRET_KEY") or secret_key(data_dir),
        "DJANGO_SETTINGS_MODULE": "watchdog_site.settings",
        "STATIC_ROOT": own.get("STATIC_ROOT") or str(data_dir / "static"),
        "WEB_PORT": str(wanted_port(own)),
        "PYTHONUNBUFFERED": "1",
        MARK: str(data_dir),
    }
    if "ALLOWED_HOSTS" not in own:  # Nobody but this machine's users can reach it.
        variables.setdefault("WEBHOOK_ALLOWED_HOSTS", "localhost,127.0.0.1")
    return Stack(data_dir, database, broker, variables)


def wanted_port(variables: dict[str, str]) -> int:
    text = variables.get("WEB_PORT") or str(DEFAULT_WEB_PORT)
    if not text.isdigit() or not 0 < int(text) < 65536:
        raise LauncherError(f"WEB_PORT is {text!r}.", "Set it to a number from 1 to 65535.")
    return int(text)


def with_free_port(stack: Stack) -> Stack:
    """Return the same stack on a free port; a note tells when it is not the usual one."""
    usual = int(stack.variables["WEB_PORT"])
    port = ports.next_free(usual)
    if port != usual:
        note(f"Port {usual} is taken by another program; using {port}. (WEB_PORT chooses.)")
    return replace(stack, variables={**stack.variables, "WEB_PORT": str(port)})


def secret_key(data_dir: Path) -> str:
    """Return Django's secret key, made once for this installation."""
    file = data_dir / "secret_key"
    if not file.exists():
        folders.write_private(file, secrets.token_urlsafe(50))
    return file.read_text()


def module(name: str, *arguments: str) -> list[str]:
    """Return the command of a tool of this environment, whatever PATH says."""
    return [sys.executable, "-m", name, *arguments]


def manage(*arguments: str) -> list[str]:
    return [sys.executable, str(CHECKOUT / "manage.py"), *arguments]
