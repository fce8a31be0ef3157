"""docker-compose.yml: every documented setting reaches the containers."""

import re
from pathlib import Path

import pytest

from proxy.settings import Settings
from tests import compose
from tests.unit.watchdog_site.test_settings import named

OWN = {"WEB_BIND", "WEB_PORT", "HTTPS", "INTERNAL_HOSTS", "ALLOWED_HOSTS"}
"""Compose adds to these, or they mean the port of the host."""
NEEDED = {"SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD", "ALLOWED_HOSTS"}
PRODUCT = ["migrate", "web", "worker", "beat"]
DOTENV = {name: f"value of {name}" for name in named() | NEEDED}


@pytest.mark.parametrize("service", PRODUCT)
def test_each_setting_reaches_each_process(service: str) -> None:
    variables = compose.variables(service, DOTENV)
    assert {name for name in named() - OWN if variables.get(name) != DOTENV[name]} == set()
    assert variables["ALLOWED_HOSTS"] == f"{DOTENV['ALLOWED_HOSTS']},localhost"
    assert variables["INTERNAL_HOSTS"] == f"web,{DOTENV['INTERNAL_HOSTS']}"


def test_without_more_than_what_is_needed() -> None:
    variables = compose.variables("web", dict.fromkeys(NEEDED, "x"))
    assert variables["DATABASE_URL"] == "postgres://watchdog:x@postgres:5432/watchdog"
    assert variables["REDIS_URL"] == "redis://:x@redis:6379/0"
    assert (variables["HTTPS"], variables["TRUSTED_PROXIES"]) == ("true", "1")


@pytest.mark.parametrize("name", sorted(NEEDED))
def test_what_is_needed_is_asked_for(name: str) -> None:
    with pytest.raises(KeyError, match=name):
        compose.variables("web", dict.fromkeys(NEEDED - {name}, "x"))


def test_the_proxy_gets_all_its_settings_and_no_secret_of_the_product() -> None:
    own = {f"PROXY_{name.upper()}" for name in Settings.model_fields}
    dotenv = {**DOTENV, **{name: f"value of {name}" for name in own}}
    variables = compose.variables("proxy", dotenv)
    # The container's address is its own; PROXY_PORT is the host's.
    assert {name for name in own if variables.get(name) != dotenv[name]} == {
        "PROXY_HOST",
        "PROXY_PORT",
    }
    assert not {"SECRET_KEY", "DATABASE_URL", "POSTGRES_PASSWORD"} & set(variables)


@pytest.mark.parametrize("service", sorted(compose.SERVICES))
def test_each_service_is_bounded(service: str) -> None:
    definition = compose.SERVICES[service]
    assert definition["mem_limit"]
    assert definition["logging"]["options"]["max-size"] == "10m"
    assert definition["security_opt"] == ["no-new-privileges:true"]


def test_files_that_are_mounted_are_there() -> None:
    for definition in compose.SERVICES.values():
        for volume in definition.get("volumes", []):
            source = volume.split(":")[0]
            assert source in compose.FILE["volumes"] or Path(source).exists(), volume


def test_each_image_that_is_built_is_a_target_of_the_dockerfile() -> None:
    stages = re.findall(r"(?m)^FROM \w+ AS ([\w-]+)$", Path("Dockerfile").read_text())
    built = {d["build"]["target"] for d in compose.SERVICES.values() if "build" in d}
    assert built == {"web", "worker", "proxy"}
    assert built <= set(stages)
