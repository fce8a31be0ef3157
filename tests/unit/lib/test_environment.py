"""Variables with their source; secrets are never shown."""

from pathlib import Path
from typing import Any

import pytest

from lib.environment import HIDDEN, READ, RecordingEnv, Setting


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("SECRET_KEY", "s", HIDDEN),
        ("SECRET_KEY_FALLBACKS", ["s"], HIDDEN),
        ("EMAIL_PASSWORD", "s", HIDDEN),
        ("OIDC_CLIENT_SECRET", "s", HIDDEN),
        ("METRICS_TOKEN", "s", HIDDEN),
        ("JUDGE_LLMS", [{"key": "s"}], HIDDEN),
        ("LLM_KEY", "", "(empty)"),
        ("ASSISTANT_TOKENS_A_DAY", 7, "7"),
        ("ALLOWED_HOSTS", ["a", "b"], "a,b"),
        ("DATABASE_URL", "postgres://me:s3@db:5432/w", f"postgres://me:{HIDDEN}@db:5432/w"),
        ("REDIS_URL", "redis://:s3@r:6379/0", f"redis://:{HIDDEN}@r:6379/0"),
        ("PUBLIC_URL", "https://w.example.com", "https://w.example.com"),
    ],
)
def test_a_secret_is_hidden_and_the_rest_is_shown(name: str, value: Any, text: str) -> None:
    assert Setting(name, value, "environment").text == text


def test_where_a_value_came_from(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("from a file\n")
    monkeypatch.setenv("ONE_TEST", "5")
    monkeypatch.setenv("TWO_TEST_FILE", str(file))
    monkeypatch.setenv("TWO_TEST", "not from the file")
    env = RecordingEnv()
    assert env.int("ONE_TEST", default=1) == 5
    assert env.str("TWO_TEST", default="") == "from a file", "without the end of its line"
    assert env.int("THREE_TEST", default=3) == 3
    sources = {name: READ.pop(name).source for name in ("ONE_TEST", "TWO_TEST", "THREE_TEST")}
    assert sources == {"ONE_TEST": "environment", "TWO_TEST": str(file), "THREE_TEST": "default"}


def test_a_file_that_is_missing_ends_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONE_TEST_FILE", "/nowhere")
    with pytest.raises(FileNotFoundError):
        RecordingEnv().str("ONE_TEST", default="")
