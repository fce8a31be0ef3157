import hashlib
import subprocess
import sys
import threading
import venv
import zipfile

import pytest

from tools.launcher import bootstrap
from tools.launcher.errors import LauncherError


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """Make a checkout whose virtual environment is complete but holds no packages."""
    monkeypatch.setattr(bootstrap, "CHECKOUT", tmp_path)
    monkeypatch.setattr(bootstrap, "VENV", tmp_path / ".venv")
    monkeypatch.delenv("REQUIRE_HASHES", raising=False)
    for name in bootstrap.DEVELOP:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("one==1\n")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").touch()
    return tmp_path


@pytest.fixture
def calls(monkeypatch):
    """Return every command that would have been run; all of them succeed."""
    commands = []
    monkeypatch.setattr(bootstrap, "call", lambda command, **_: commands.append(command) or 0)
    return commands


def installs(calls):
    """Return the lists that were installed, each with whether its hashes are required."""
    return [
        (command[-1].removeprefix(f"{bootstrap.CHECKOUT}/"), "--require-hashes" in command)
        for command in calls
        if "install" in command
    ]


HASHED = (".venv/hashed.txt", True)
CUDA = ("requirements/cuda-hashed.txt", True)
DEVELOPMENT = ("requirements/dev.txt", False)


def test_packages_are_installed_once_and_by_their_hashes(checkout, calls):
    bootstrap.prepare(bootstrap.RUN)
    bootstrap.prepare(bootstrap.RUN)
    assert installs(calls) == [HASHED, CUDA]


def test_another_build_of_pytorch_needs_no_cuda(checkout, monkeypatch):
    commands = []

    def call(command, **_):
        commands.append(command)
        return int(command[1] == "-c")

    monkeypatch.setattr(bootstrap, "call", call)
    bootstrap.prepare(bootstrap.RUN)
    assert installs(commands) == [HASHED]


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the list's hash is of Python 3.11")
@pytest.mark.parametrize(("is_reached", "installed"), [(True, "2.13.0+cpu"), (False, "")])
def test_pytorch_for_cpus_is_taken_from_its_index(tmp_path, monkeypatch, is_reached, installed):
    environment, index = tmp_path / ".venv", tmp_path / "index"
    venv.create(environment, with_pip=True)
    wheel = index / "torch" / "torch-2.13.0+cpu-py3-none-any.whl"
    wheel.parent.mkdir(parents=True)
    with zipfile.ZipFile(wheel, "w") as file:
        folder = "torch-2.13.0+cpu.dist-info"
        file.writestr(
            f"{folder}/METADATA", "Metadata-Version: 2.1\nName: torch\nVersion: 2.13.0+cpu\n"
        )
        file.writestr(
            f"{folder}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        file.writestr(f"{folder}/RECORD", "")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    (wheel.parent / "index.html").write_text(f'<a href="{wheel.name}#sha256={digest}">it</a>')
    pins = environment / "hashed.txt"
    pins.write_text(
        f"six==1 \\\n    --hash=sha256:00\ntorch==2.13.0 \\\n    --hash=sha256:{digest}\n"
    )
    monkeypatch.setattr(bootstrap, "VENV", environment)
    monkeypatch.setattr(
        bootstrap, "TORCH_INDEX", index.as_uri() if is_reached else "http://127.0.0.1:9"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    bootstrap.prefer_torch_for_cpus(pins)
    version = (
        "import importlib.metadata as m; print(*(d.version for d in m.distributions(name='torch')))"
    )
    python = str(environment / "bin" / "python")
    assert subprocess.check_output([python, "-c", version], text=True).strip() == installed


def test_hashes_are_left_aside_where_somebody_says_so(checkout, calls, monkeypatch, capsys):
    bootstrap.prepare(bootstrap.RUN)
    monkeypatch.setenv("REQUIRE_HASHES", "false")
    bootstrap.prepare(bootstrap.RUN)
    assert installs(calls) == [HASHED, CUDA, ("requirements.txt", False)]
    assert "whatever their files' hashes are" in capsys.readouterr().out


def test_changed_pins_are_installed(checkout, calls):
    bootstrap.prepare(bootstrap.DEVELOP)
    (checkout / "requirements/hashed.txt").write_text("one==2\n")
    bootstrap.prepare(bootstrap.DEVELOP)
    assert installs(calls) == 2 * [HASHED, CUDA, DEVELOPMENT]


def test_an_install_that_broke_off_is_repeated(checkout, monkeypatch):
    monkeypatch.setattr(bootstrap, "call", lambda command, **_: "install" in command)
    with pytest.raises(LauncherError, match="pip could not install"):
        bootstrap.prepare(bootstrap.RUN)
    commands = []
    monkeypatch.setattr(bootstrap, "call", lambda command, **_: commands.append(command) or 0)
    bootstrap.prepare(bootstrap.RUN)
    assert installs(commands) == [HASHED, CUDA]


def test_a_broken_environment_is_made_anew(checkout, monkeypatch):
    commands = []

    def call(command, **_):
        commands.append(command)
        return 1 if command[-1] == "--version" else 0

    monkeypatch.setattr(bootstrap, "call", call)
    bootstrap.make_venv()
    assert commands[-1][1:4] == ["-m", "venv", "--clear"]


def test_an_old_python_is_told_what_to_install(monkeypatch):
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 9, 2, "final", 0))
    with pytest.raises(LauncherError, match=r"this is 3\.9"):
        bootstrap.check_python()


def test_a_missing_system_package_is_installed_by_root_who_agrees(monkeypatch, calls):
    monkeypatch.setenv("SYSTEM_PACKAGES", "install")
    monkeypatch.setattr(bootstrap.os, "geteuid", lambda: 0)
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: f"/usr/bin/{name}")
    bootstrap.apt_install("chromium", "No Chromium.")
    assert [command[2] for command in calls] == ["update", "install"]


@pytest.mark.parametrize("answer", ["", "n", None])
def test_root_is_asked_before_a_package_is_installed(answer, monkeypatch, calls):
    monkeypatch.delenv("SYSTEM_PACKAGES", raising=False)
    monkeypatch.setattr(bootstrap.os, "geteuid", lambda: 0)
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(bootstrap.sys.stdin, "isatty", lambda: answer is not None, raising=False)
    monkeypatch.setattr("builtins.input", lambda _question: answer)
    with pytest.raises(LauncherError, match="apt-get install -y chromium"):
        bootstrap.apt_install("chromium", "No Chromium.")
    assert calls == []


def test_a_second_installation_waits_for_the_first(checkout):
    order = []

    def second():
        with bootstrap.one_at_a_time():
            order.append("second")

    with bootstrap.one_at_a_time():
        thread = threading.Thread(target=second)
        thread.start()
        thread.join(0.3)
        order.append("first")
    thread.join(10)
    assert order == ["first", "second"]


def test_anybody_else_is_told_the_command(monkeypatch, calls):
    monkeypatch.setattr(bootstrap.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: f"/usr/bin/{name}")
    with pytest.raises(LauncherError, match="sudo apt-get install -y chromium"):
        bootstrap.apt_install("chromium", "No Chromium.")
    assert calls == []


def test_without_bubblewrap_root_installs_it_once(checkout, monkeypatch, calls):
    monkeypatch.setenv("SYSTEM_PACKAGES", "install")
    monkeypatch.setattr(bootstrap.os, "geteuid", lambda: 0)
    there = {"apt-get": "/usr/bin/apt-get"}
    monkeypatch.setattr(bootstrap.shutil, "which", there.get)
    bootstrap.provide_sandbox()
    bootstrap.provide_sandbox()
    assert [command[-1] for command in calls] == ["update", "bubblewrap"]


def test_without_bubblewrap_anybody_else_goes_on_with_the_second_tier(
    checkout, monkeypatch, calls, capsys
):
    monkeypatch.setattr(bootstrap.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(bootstrap.shutil, "which", {"apt-get": "/usr/bin/apt-get"}.get)
    bootstrap.provide_sandbox()
    output = capsys.readouterr().out
    assert "sudo apt-get install -y bubblewrap" in output
    assert "Landlock" in output
    assert calls == []


def test_python_without_venv_is_told_or_given_its_package(monkeypatch, calls):
    monkeypatch.setenv("SYSTEM_PACKAGES", "install")
    monkeypatch.setattr(bootstrap.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(bootstrap.os, "geteuid", lambda: 1000)
    with pytest.raises(LauncherError, match=r"python3\.\d+-venv"):
        bootstrap.provide_ensurepip()
