"""Permitted targets of a webhook."""

import socket
from ipaddress import ip_address
from threading import Event

import pytest

from notifications import targets
from notifications.targets import TargetRefused
from tests.tables import tables

TABLES = tables(__file__)


@pytest.mark.parametrize(
    "url",
    [
        *TABLES["refused by its letters"],
        f"https://{'a' * 64}.example.com/",
        f"https://{'a.' * 130}com/",
    ],
)
def test_refused_by_its_letters(url) -> None:
    with pytest.raises(TargetRefused):
        targets.check_url(url, allowed_hosts=())


def test_a_stored_name_that_no_resolver_takes_is_refused_too() -> None:
    with pytest.raises(TargetRefused):
        targets.addresses_of("a..example.com", 443, ())


def test_what_the_operator_allows_by_name() -> None:
    assert targets.check_url("https://example.com/hook?k=1", ()).hostname == "example.com"
    assert targets.check_url("http://hooks.corp:8080/", {"hooks.corp"}).port == 8080
    assert targets.check_url("http://10.1.2.3/", {"10.1.2.3"})
    with pytest.raises(TargetRefused):
        targets.check_url("http://hooks.corp.evil.example/", {"hooks.corp"})


@pytest.mark.parametrize(
    ("address", "public"),
    [(item, name == "public") for name in ("public", "private") for item in TABLES[name]],
)
def test_the_public_internet(address, public) -> None:
    assert targets.is_public(ip_address(address)) is public


@pytest.fixture
def resolver(monkeypatch) -> Event:
    """Know three names; the last is answered when the event is set."""
    addresses = {
        "evil.example": ["127.0.0.1"], "both.example": ["10.0.0.1", "93.184.216.34"],
        "slow.example": ["93.184.216.34"],
    }  # fmt: skip
    answered = Event()

    def looked_up(host: str, port: int, **_: object) -> list[object]:
        if host not in addresses:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        if host == "slow.example":
            answered.wait(60)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in addresses[host]]

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    return answered


def why_refused(host: str, *allowed_hosts: str, seconds: float = 30) -> str:
    with pytest.raises(TargetRefused) as refused:
        targets.check_new(f"https://{host}/hook", allowed_hosts, seconds)
    return str(refused.value).replace(host, "HOST")


def test_a_new_target_has_an_address_now(resolver) -> None:
    targets.check_new("https://both.example/hook", (), 30)
    targets.check_new("https://evil.example/hook", {"evil.example"}, 30)
    inside = why_refused("evil.example")
    assert "WEBHOOK_ALLOWED_HOSTS" in inside
    # Nobody learns from the words which names exist inside, or are slow.
    assert why_refused("unknown.example") == inside
    assert why_refused("slow.example", seconds=0.01) == inside
    resolver.set()
    assert why_refused("127.0.0.1") == inside
    assert "looked up" in why_refused("unknown.example", "unknown.example")


def test_a_name_that_leads_inside_is_refused_when_it_is_connected(resolver) -> None:
    with pytest.raises(TargetRefused):
        targets.addresses_of("evil.example", 443, ())
    with pytest.raises(TargetRefused):
        targets.addresses_of("unknown.example", 443, ())
    assert targets.addresses_of("evil.example", 443, {"evil.example"}) == ["127.0.0.1"]
    assert targets.addresses_of("both.example", 443, ()) == ["93.184.216.34"]
