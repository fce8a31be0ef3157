from configparser import RawConfigParser
from pathlib import Path

from tools.launcher import environment, redis, supervise
from tools.launcher.supervise import Program, Supervisor, literal, render

SECRETS = {"SECRET_KEY": "django-secret", "DATABASE_URL": "postgres://u:pg-secret@h/d"}


def stack(data_dir, **variables):
    return environment.Stack(data_dir, None, None, {"WEB_PORT": "8000", **SECRETS, **variables})


def test_every_program_is_restarted_and_writes_its_own_log(tmp_path):
    some = supervise.product(stack(tmp_path))
    config = RawConfigParser(inline_comment_prefixes=(";", " #"))
    config.read_string(render(Supervisor(tmp_path, as_root=False), some))
    assert [each.name for each in some] == ["web", "worker", "beat"]
    for each in some:
        section = config[f"program:{each.name}"]
        assert section["autorestart"] == "true"
        assert section["stdout_logfile"] == f"{tmp_path}/logs/{each.name}.log"


def test_no_secret_is_written_down(tmp_path):
    text = render(Supervisor(tmp_path, as_root=True), supervise.product(stack(tmp_path)))
    assert "secret" not in text.replace(str(tmp_path), "")


def test_a_command_keeps_its_spaces_and_percent_signs():
    path = Path("/srv/a b/100%/python")
    section = render(
        Supervisor(Path("/srv/x"), as_root=False), [Program("web", [str(path), "-m"], path, 1)]
    )
    assert "command='/srv/a b/100%%/python' -m" in section
    assert literal("100%") == "100%%"


def test_a_long_path_gets_a_short_socket(tmp_path):
    supervisor = Supervisor(Path("/srv") / ("long-name-" * 12), as_root=False)
    assert len(str(supervisor.socket)) < 100


def test_servers_start_first_and_stop_last(tmp_path):
    server = redis.Server(tmp_path, 7001, "x")
    some = supervise.programs_of(environment.Stack(tmp_path, None, server, {"WEB_PORT": "8000"}))
    assert some[0].name == "redis"
    assert [each.priority for each in some] == sorted(each.priority for each in some)


def test_the_worker_takes_its_size_from_the_environment(tmp_path):
    assert supervise.worker_processes(stack(tmp_path, WORKER_PROCESSES="7")) == 7
    assert 1 <= supervise.worker_processes(stack(tmp_path)) <= 4
    assert 1 <= supervise.worker_processes(stack(tmp_path, WORKER_PROCESSES="none")) <= 4
