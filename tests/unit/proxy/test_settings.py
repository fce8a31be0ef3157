"""The settings of the proxy."""

import pytest

from proxy.settings import Settings, SettingsError


def test_settings_come_from_the_environment() -> None:
    read = Settings.read({"PROXY_MODEL_URL": "http://m/v1", "PROXY_PORT": "9", "PROXY_FAIL": ""})
    assert (read.model_url, read.port, read.fail) == ("http://m/v1", 9, "closed")


@pytest.mark.parametrize(
    ("environment", "variable"),
    [
        ({}, "PROXY_MODEL_URL"),
        ({"PROXY_MODEL_URL": "http://m", "PROXY_PORT": "x"}, "PROXY_PORT"),
        ({"PROXY_MODEL_URL": "http://m", "PROXY_ON_FAILURE": "x"}, "PROXY_ON_FAILURE"),
        ({"PROXY_MODEL_URL": "http://m", "PROXY_TOOL_CALLS": "x"}, "PROXY_TOOL_CALLS"),
        ({"PROXY_MODEL_URL": "api.example.com/v1"}, "PROXY_MODEL_URL"),
        ({"PROXY_MODEL_URL": "http://m", "PROXY_CONTEXT_ROLES": "system,usr"}, "CONTEXT_ROLES"),
        ({"PROXY_MODEL_URL": "http://m", "PROXY_CONTEXT_PATTERN": "("}, "CONTEXT_PATTERN"),
        ({"PROXY_MODEL_URL": "http://m", "PROXY_CONTEXT_PATTERN": "x"}, "CONTEXT_PATTERN"),
        ({"PROXY_MODEL_URL": "http://m", "PROXY_PASS_HEADERS": "X-Watchdog-Key"}, "PASS_HEADERS"),
        ({"PROXY_MODEL_URL": "http://m", "PROXY_WATCHDOG_URL": "http://w:x"}, "PROXY_WATCHDOG_URL"),
    ],
)
def test_a_wrong_setting_is_named(environment, variable) -> None:
    with pytest.raises(SettingsError, match=variable):
        Settings.read(environment)
