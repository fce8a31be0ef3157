from pathlib import Path

import environ
import psycopg2.extensions
import pytest

from tools.launcher import environment, postgres, redis


@pytest.mark.parametrize("folder", ["/srv/watchdog/socket", "/srv/with space/süd%/socket"])
def test_django_and_libpq_read_the_same_socket_from_the_url(folder):
    url = postgres.database_url(Path(folder))
    django = environ.Env.db_url_config(url)
    assert (django["NAME"], django["USER"]) == ("watchdog", "postgres")
    assert django["OPTIONS"]["host"] == folder
    assert psycopg2.extensions.parse_dsn(url)["host"] == folder


def test_a_long_path_gets_a_short_socket_folder():
    home = Path("/srv") / ("very-long-name-" * 8)
    folder = postgres.socket_folder(home)
    assert folder != home / "socket"
    assert len(str(folder / postgres.SOCKET_FILE)) <= postgres.LONGEST_SOCKET_PATH
    assert postgres.socket_folder(home) == folder
    assert postgres.socket_folder(home / "other") != folder


def test_the_length_of_a_socket_path_is_counted_in_bytes():
    home = Path("/srv") / ("ä" * 43)
    assert postgres.socket_folder(home) != home / "socket"


def test_postgres_takes_memory_by_the_size_of_the_machine():
    laptop, server = postgres.memory_mb(4096), postgres.memory_mb(1 << 20)
    assert laptop["shared_buffers"] == 512
    assert postgres.memory_mb(512)["shared_buffers"] == 128
    assert server["shared_buffers"] == 8192
    assert all(value < 4096 for value in laptop.values())


def test_a_container_has_no_more_memory_than_it_is_allowed(tmp_path):
    limit = tmp_path / "memory.max"
    memory = postgres.machine_memory_mb(limit)
    limit.write_text("max\n")
    assert postgres.machine_memory_mb(limit) == memory
    limit.write_text(f"{100 << 20}\n")
    assert postgres.machine_memory_mb(limit) == 100


def test_what_was_accepted_survives_a_power_cut():
    lines = postgres.SETTINGS.splitlines()
    assert "fsync = on" in lines
    assert "synchronous_commit = on" in lines


def test_redis_keeps_its_password_and_a_free_port(tmp_path):
    first = redis.prepare(tmp_path)
    assert redis.prepare(tmp_path) == first
    assert redis.locate(tmp_path) == first
    assert first.config.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("own", "hosts"),
    [
        ({}, "localhost,127.0.0.1"),
        ({"WEBHOOK_ALLOWED_HOSTS": "hooks"}, "hooks"),
        ({"ALLOWED_HOSTS": "watchdog.example"}, None),
    ],
)
def test_webhooks_reach_this_machine_while_only_this_machine_reaches_us(
    own, hosts, tmp_path, monkeypatch
):
    servers = {"DATABASE_URL": "postgres://x@127.0.0.1:1/x", "REDIS_URL": "redis://127.0.0.1:1/0"}
    monkeypatch.setattr(environment.os, "environ", servers | own)
    assert environment.build(tmp_path).variables.get("WEBHOOK_ALLOWED_HOSTS") == hosts
