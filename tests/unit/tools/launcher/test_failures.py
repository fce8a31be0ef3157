import pytest

from tools.launcher import environment, redis, run
from tools.launcher.commands import CommandResult
from tools.launcher.errors import LauncherError

TRACEBACK = """\
Traceback (most recent call last):
  File "/srv/manage.py", line 11, in <module>
    main()
    ^^^^^^
  File "/srv/base.py", line 332, in get_new_connection
    connection = self.Database.connect(**conn_params)
                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
django.db.utils.OperationalError: connection to server failed: No such file
\tIs the server running locally?
"""


def test_a_traceback_is_told_by_its_last_exception():
    message = run.last_exception(TRACEBACK)
    assert message.startswith("django.db.utils.OperationalError")
    assert message.endswith("running locally?")
    assert run.last_exception("CommandError: no") == "CommandError: no"


def test_a_real_server_that_does_not_answer_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(run.commands, "run", lambda *_, **__: CommandResult(1, TRACEBACK))
    (tmp_path / "logs").mkdir()
    stack = environment.Stack(tmp_path, None, None, {})
    with pytest.raises(LauncherError, match="server of DATABASE_URL running"):
        run.django(stack, "the preparation", ["python"])
    assert (tmp_path / "logs" / "django.log").read_text() == TRACEBACK


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "not a url"])
def test_a_real_redis_that_does_not_answer_is_named(url):
    with pytest.raises(LauncherError, match="The Redis of REDIS_URL does not answer"):
        redis.check(url)
