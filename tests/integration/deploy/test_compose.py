"""The real web process with the variables of docker-compose.yml, and behind the real Caddy."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests import compose
from tests.stack import Stack
from tools.launcher.ports import any_free

PUBLIC = "watchdog.example.com"
DOTENV = {
    "ALLOWED_HOSTS": PUBLIC,
    "SECRET_KEY": "k" * 50,
    "POSTGRES_PASSWORD": "p",
    "REDIS_PASSWORD": "r",
    "METRICS_TOKEN": "m" * 20,
}
OURS = ("DATABASE_URL", "REDIS_URL", "WEB_BIND")
"""Settings that the tests replace with their own servers."""
BODY = {"answer": "The bridge has 3 arches.", "sources": ["The bridge has 3 arches."]}
CADDY = shutil.which("caddy")


@pytest.fixture
def web(transactional_db, empty_redis) -> Iterator[Stack]:
    variables = compose.variables("web", DOTENV)
    started = Stack.start("web", **{k: v for k, v in variables.items() if k not in OURS})
    yield started
    started.stop()


def post(web: Stack, token: str, **headers: str) -> httpx.Response:
    sent = {"Prefer": "respond-async", "Authorization": f"Bearer {token}", **headers}
    return httpx.post(f"{web.url}/api/v1/checks", json=BODY, headers=sent, timeout=30)


def test_who_reaches_web_and_how(web, api_key) -> None:
    token = api_key[1]
    proxy = urlsplit(compose.variables("proxy", DOTENV)["PROXY_WATCHDOG_URL"])
    assert proxy.scheme == "http"
    assert post(web, token, Host=proxy.netloc).status_code == 202, "the proxy, without HTTPS"
    secure = {"X-Forwarded-Proto": "https"}
    assert post(web, token, Host=PUBLIC, **secure).status_code == 202
    plain = post(web, token, Host=PUBLIC)
    assert plain.status_code == 301
    assert plain.headers["Location"].startswith(f"https://{PUBLIC}/")
    assert post(web, token, Host="elsewhere.example.com", **secure).status_code == 400
    page = httpx.get(f"{web.url}/accounts/login/", headers={"Host": proxy.netloc}, timeout=30)
    assert page.status_code == 301, "pages are served over HTTPS alone"
    scrape = {"Host": "web:8000", "Authorization": f"Bearer {DOTENV['METRICS_TOKEN']}"}
    figures = httpx.get(f"{web.url}/metrics", headers=scrape, timeout=30)
    assert figures.status_code == 200, "Prometheus, without HTTPS"


@pytest.fixture
def caddy(web, tmp_path) -> Iterator[int]:
    """The port on which the real Caddy serves the site `localhost`, with its own authority."""
    http, https, admin = any_free(), any_free(), any_free()
    file = tmp_path / "Caddyfile"
    ports = f"{{\n\thttp_port {http}\n\thttps_port {https}\n\tadmin 127.0.0.1:{admin}\n"
    ours = Path("deploy/caddy/Caddyfile").read_text()
    # A public name would be certified by an authority of the internet.
    ours = ours.replace("{$SITE} {\n", "{$SITE} {\n\ttls internal\n")
    file.write_text(f"{ports}\tskip_install_trust\n}}\n{ours}")
    variables = {
        **os.environ,
        "SITE": PUBLIC,
        "UPSTREAM": urlsplit(web.url).netloc,
        "XDG_DATA_HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
    }
    log = (tmp_path / "log").open("w")
    command = [str(CADDY), "run", "--config", str(file), "--adapter", "caddyfile"]
    process = subprocess.Popen(command, env=variables, stdout=log, stderr=log)
    yield https
    process.terminate()
    process.wait(30)


@pytest.mark.skipif(CADDY is None, reason="caddy is not installed")
def test_behind_caddy_people_have_their_own_address(web, caddy, api_key) -> None:
    def curl(path: str, *options: str) -> str:
        where = ["--resolve", f"{PUBLIC}:{caddy}:127.0.0.1", f"https://{PUBLIC}:{caddy}{path}"]
        retry = ["--retry", "20", "--retry-delay", "1", "--retry-all-errors", "--max-time", "60"]
        command = ["curl", "-sSk", *retry, "-w", "\\n%{http_code}", *options, *where]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert curl("/healthz").endswith("200")
    key = ["-H", f"Authorization: Bearer {api_key[1]}", "-H", "Prefer: respond-async"]
    said = curl("/api/v1/checks", *key, "--json", '{"answer": "a", "sources": ["a"]}')
    assert said.endswith("202"), said
    assert curl("/metrics").endswith("404"), "metrics stay inside"
    for attempt in range(11):
        # Whoever claims another address is counted by their own.
        claim = ["-H", f"X-Forwarded-For: 198.51.100.{attempt}"]
        form = ["-d", "username=nobody&password=x", "-H", f"Referer: https://{PUBLIC}:{caddy}/"]
        curl("/accounts/login/", *claim, *form)
    log = (web.folder / "web.log").read_text()
    assert '"ip": "127.0.0.1"' in log
    assert "198.51.100" not in log
