import socket

import pytest

from tools.launcher import environment, ports
from tools.launcher.errors import LauncherError


@pytest.fixture
def taken_port():
    with socket.socket() as server:
        server.bind((ports.HOST, 0))
        server.listen()
        yield server.getsockname()[1]


def test_a_taken_port_is_passed_over(taken_port):
    assert not ports.is_free(taken_port)
    assert ports.next_free(taken_port) > taken_port


def test_a_free_port_is_kept():
    port = ports.any_free()
    assert ports.next_free(port) == port


def test_when_all_are_taken_it_says_what_to_do(monkeypatch):
    monkeypatch.setattr(ports, "is_free", lambda port: False)
    with pytest.raises(LauncherError, match="WEB_PORT=9000"):
        ports.next_free(8000)


@pytest.mark.parametrize("text", ["eighty", "0", "70000", "-1"])
def test_a_port_that_is_none_is_refused(text):
    with pytest.raises(LauncherError, match="WEB_PORT"):
        environment.wanted_port({"WEB_PORT": text})


@pytest.mark.parametrize(("variables", "port"), [({}, 8000), ({"WEB_PORT": "9000"}, 9000)])
def test_the_wanted_port(variables, port):
    assert environment.wanted_port(variables) == port


def test_the_chosen_port_is_said_and_handed_on(tmp_path, taken_port, capsys):
    stack = environment.Stack(tmp_path, None, None, {"WEB_PORT": str(taken_port)})
    moved = environment.with_free_port(stack)
    assert int(moved.variables["WEB_PORT"]) > taken_port
    assert f"Port {taken_port} is taken" in capsys.readouterr().out
