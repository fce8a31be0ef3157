"""Commands in the pages: `manage.py` understands its own, and pip finds its folders."""

import re
import shlex
from pathlib import Path

import pytest
from django.core.management import CommandError, get_commands, load_command_class

PAGES = [
    path
    for path in (Path("README.md"), Path("CONTRIBUTING.md"), *sorted(Path("docs").rglob("*.md")))
    if path.parent.name != "decisions"
]
_BLOCK = re.compile(r"^( *)```[^\n]*\n(.*?)^\1```", re.DOTALL | re.MULTILINE)
_LINE = re.compile(r"manage\.py ([a-z_]+[^\n]*)|make manage ARGS=(\"[^\"\n]*\"|'[^'\n]*'|\w+)")
_INTERACTIVE = {"changepassword", "createsuperuser", "makemessages", "compilemessages"}
"""Django's own, and what asks at the terminal."""


def documented(page: Path) -> list[str]:
    """Return the commands in the code blocks of a page, without what a shell makes of the rest."""
    found = []
    for _, block in _BLOCK.findall(page.read_text()):
        joined = re.sub(r"\\\n\s*", " ", block)
        for plain, quoted in _LINE.findall(joined):
            found.append(plain or (quoted[1:-1] if quoted[0] in "\"'" else quoted))
    return found


def understood(command: str) -> None:
    """Parse it. Raises CommandError where an option is unknown, missing or wrong."""
    words = shlex.split(command.replace("…", "x"), comments=True)
    stops = [at for at, word in enumerate(words) if word in (";", "&&", "|", ">", "\\")]
    name, *arguments = words[: stops[0]] if stops else words
    if name in _INTERACTIVE:
        return
    app = get_commands().get(name)
    if app is None:
        raise CommandError(f"there is no command {name}")
    load_command_class(str(app), name).create_parser("manage.py", name).parse_args(arguments)


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_documented_commands_are_understood(page) -> None:
    wrong = {}
    for command in documented(page):
        try:
            understood(command)
        except (CommandError, SystemExit) as problem:
            wrong[command] = str(problem)
    assert wrong == {}


def test_folders_to_install_from_exist() -> None:
    pages = [*PAGES, *Path("clients").glob("*/README.md")]
    folders = {path: re.findall(r"pip install \"?(\./[\w/]+)", path.read_text()) for path in pages}
    assert sum(map(len, folders.values())) >= 4
    absent = {
        path: [name for name in names if not Path(name).is_dir()] for path, names in folders.items()
    }
    assert not any(absent.values()), absent


def test_commands_are_found_in_blocks() -> None:
    assert sum(len(documented(page)) for page in PAGES) > 40


@pytest.mark.parametrize(
    "command", ["backup", "backup x.tar --keys", "bakup x.tar", "retention --dryrun"]
)
def test_what_is_wrong_is_noticed(command) -> None:
    with pytest.raises((CommandError, SystemExit)):
        understood(command)
