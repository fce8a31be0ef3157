import os
import signal
import sys

import pytest

from tests.sockets import wait_until
from tools.launcher import environment, leftovers, postgres, redis, run, supervise
from tools.launcher.errors import LauncherError
from tools.launcher.supervise import Program, Supervisor


@pytest.fixture
def stack(shared_dir, monkeypatch):
    """Prepare PostgreSQL and Redis of this test's own, without starting them."""
    monkeypatch.delenv("DATABASE_URL")
    monkeypatch.delenv("REDIS_URL")
    return environment.build(shared_dir)


@pytest.fixture
def bare_stack(data_dir):
    """Return a stack on the servers of the whole test run, without servers of its own."""
    return environment.build(data_dir)


def supervised(stack, some):
    manager = Supervisor(stack.data_dir, as_root=os.geteuid() == 0).start(some, stack.variables)
    manager.start(*(each.name for each in some))
    return manager


def test_killed_servers_come_back_and_stop_cleanly(stack):
    manager = supervised(stack, supervise.embedded_servers(stack))
    postgres.wait_until_ready(stack.postgres)
    postgres.create_database(stack.postgres)
    redis.wait_until_ready(stack.redis)
    for server, module in ((stack.postgres, postgres), (stack.redis, redis)):
        before = server.pid
        os.kill(before, signal.SIGKILL)
        wait_until(lambda server=server, before=before: server.pid not in (None, before))
        module.wait_until_ready(server)
    assert manager.stop(60)
    assert stack.postgres.pid is None
    assert stack.redis.pid is None


def sleeper(stack, name="sleeper"):
    return Program(name, [sys.executable, "-c", "import time; time.sleep(600)"], stack.data_dir, 1)


def running(manager):
    """Return the first program's process once it runs, else None: a signal could be lost before."""
    (state, *_) = manager.states()
    return state.pid if state.state == "RUNNING" else None


def test_a_killed_child_is_restarted(bare_stack):
    manager = supervised(bare_stack, [sleeper(bare_stack)])
    before = wait_until(lambda: running(manager))
    os.kill(before, signal.SIGKILL)
    wait_until(lambda: running(manager) not in (None, before))
    assert manager.stop(30)


def test_what_a_killed_process_manager_leaves_behind_is_found_and_stopped(stack):
    manager = supervised(stack, [*supervise.embedded_servers(stack), sleeper(stack)])
    postgres.wait_until_ready(stack.postgres)
    os.kill(manager.process.pid, signal.SIGKILL)
    manager.process.wait()
    assert len(leftovers.own_processes(stack.data_dir)) == 1
    leftovers.stop_all(stack.data_dir)
    assert leftovers.own_processes(stack.data_dir) == {}
    assert stack.postgres.pid is None
    assert stack.redis.pid is None


def test_a_program_that_cannot_start_is_reported_with_its_log(bare_stack, monkeypatch):
    once = supervise.PROGRAM.replace("startretries=30", "startretries=0")
    monkeypatch.setattr(supervise, "PROGRAM", once)
    command = [sys.executable, "-c", "print('the reason'); raise SystemExit(1)"]
    manager = supervised(bare_stack, [Program("broken", command, bare_stack.data_dir, 1)])
    wait_until(lambda: manager.states()[0].state == "FATAL")
    with pytest.raises(LauncherError, match=r"broken does not start(.|\n)*the reason"):
        manager.fail_if_given_up()
    assert manager.stop(30)


def test_a_full_disk_ends_nothing(bare_stack):
    """Every log is /dev/full, whose writes fail as those of a full disk do."""
    logs = bare_stack.data_dir / "logs"
    for name in ("supervisord.log", "supervisord.out", "chatter.log"):
        (logs / name).symlink_to("/dev/full")
    script = bare_stack.data_dir / "chatter.py"
    script.write_text("import time\nwhile True:\n    print('x' * 9000)\n    time.sleep(0.05)\n")
    command = [sys.executable, "-u", str(script)]
    manager = supervised(bare_stack, [Program("chatter", command, bare_stack.data_dir, 1)])
    for _ in range(3):
        wait_until(lambda: manager.states()[0].state == "RUNNING")
        before = manager.states()[0].pid
        os.kill(before, signal.SIGKILL)
        wait_until(lambda before=before: manager.states()[0].pid not in (0, before))
    assert manager.is_alive()
    assert manager.stop(30)


def test_what_was_given_up_is_started_again(bare_stack, monkeypatch):
    once = supervise.PROGRAM.replace("startretries=30", "startretries=0")
    monkeypatch.setattr(supervise, "PROGRAM", once)
    space = bare_stack.data_dir / "space"
    code = f"import os, time; os.stat({str(space)!r}); time.sleep(600)"
    program = Program("needy", [sys.executable, "-c", code], bare_stack.data_dir, 1)
    manager = supervised(bare_stack, [program])
    wait_until(lambda: manager.states()[0].state == "FATAL")
    space.touch()
    assert manager.revive() == ["needy"]
    wait_until(lambda: manager.states()[0].state == "RUNNING")
    assert manager.stop(30)


def test_a_killed_process_manager_is_started_again(stack, monkeypatch):
    product = [sleeper(stack, name) for name in ("web", "worker", "beat")]
    everything = [*supervise.embedded_servers(stack), *product]
    monkeypatch.setattr(run, "programs_of", lambda _: everything)
    monkeypatch.setattr(run, "LOOK_EVERY_S", 0.1)
    supervisor = Supervisor(stack.data_dir, as_root=os.geteuid() == 0)
    manager = supervised(stack, everything)
    postgres.wait_until_ready(stack.postgres)
    os.kill(manager.process.pid, signal.SIGKILL)
    run.watch(manager)
    again = run.restart(stack, supervisor)
    wait_until(lambda: {each.state for each in again.states()} == {"RUNNING"})
    assert len(again.states()) == 5
    assert again.stop(60)


def test_a_restart_goes_on_until_there_is_space(stack, monkeypatch):
    names = ("web", "worker", "beat")
    failures = [OSError(28, "No space left on device")] * 2
    supervisor = Supervisor(stack.data_dir, as_root=os.geteuid() == 0)
    real = Supervisor.start

    def start(self, *arguments):
        if failures:
            raise failures.pop()
        return real(self, *arguments)

    monkeypatch.setattr(Supervisor, "start", start)
    monkeypatch.setattr(run, "RESTART_AFTER_S", 0.01)
    monkeypatch.setattr(run, "programs_of", lambda _: [sleeper(stack, n) for n in names])
    monkeypatch.setattr(run, "start_servers", lambda *_: None)
    again = run.restart(stack, supervisor)
    assert not failures
    assert {each.name for each in again.states()} == set(names)
    assert again.stop(30)
