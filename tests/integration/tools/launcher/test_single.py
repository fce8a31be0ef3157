import os
import threading
from contextlib import ExitStack

import pytest

from tools.launcher import environment, run, services, single
from tools.launcher.errors import LauncherError
from tools.launcher.supervise import ProgramState


def test_a_second_run_is_told_who_runs(tmp_path):
    with single.only_one(tmp_path):
        assert single.holder(tmp_path) == os.getpid()
        with (
            pytest.raises(LauncherError, match=f"process {os.getpid()}"),
            single.only_one(tmp_path),
        ):
            pytest.fail("two at once")
    assert single.holder(tmp_path) is None


def test_the_lock_of_a_killed_run_is_free(tmp_path):
    child = os.fork()
    if child == 0:
        with single.only_one(tmp_path):
            os.kill(os.getpid(), 9)
    os.waitpid(child, 0)
    assert single.holder(tmp_path) is None
    with single.only_one(tmp_path):
        pass


def test_a_run_waits_for_the_commands_beside_it_and_they_for_its_servers(tmp_path):
    order = []

    def start_servers():
        with single.no_command(tmp_path):
            order.append("servers")

    with single.command(tmp_path), single.command(tmp_path):
        thread = threading.Thread(target=start_servers)
        thread.start()
        thread.join(0.3)
        order.append("commands")
    thread.join(10)
    assert order == ["commands", "servers"]


def test_a_command_that_started_the_servers_leaves_them_to_the_command_beside_it(
    data_dir, monkeypatch
):
    """The first ends first; the second goes on with its servers, which then stop."""
    monkeypatch.delenv("DATABASE_URL")
    monkeypatch.delenv("REDIS_URL")
    with ExitStack() as second:
        ended = threading.Event()

        def first():
            with services.django_variables(data_dir):
                second.enter_context(services.django_variables(data_dir))
            ended.set()

        thread = threading.Thread(target=first)
        thread.start()
        assert not ended.wait(20), "it waits until nobody uses them"
        assert postgres_pid(data_dir) is not None
    thread.join(60)
    assert ended.is_set()
    assert postgres_pid(data_dir) is None


def postgres_pid(data_dir):
    return environment.build(data_dir).postgres.pid


class Manager:
    """A process manager whose programs run, or keep ending."""

    def __init__(self, *, ends):
        self.pid, self.ends = 1, ends

    def fail_if_given_up(self):
        pass

    def states(self):
        self.pid += self.ends
        return [ProgramState("worker", "RUNNING", self.pid)]

    def tail(self, name):
        return name


def test_what_comes_up_slowly_is_waited_for_and_named(monkeypatch, capsys):
    monkeypatch.setattr(run, "SAY_EVERY_S", 0.2)
    answers = iter(["workers: no sweep"] * 8)
    run.wait(Manager(ends=False), lambda: next(answers, ""))
    assert "Still waiting for: workers: no sweep" in capsys.readouterr().out


def test_what_keeps_ending_is_not_waited_for():
    with pytest.raises(LauncherError, match="worker keeps ending"):
        run.wait(Manager(ends=True), lambda: "workers: no sweep")
