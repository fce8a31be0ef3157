"""Permitted targets of a webhook."""

import socket
from ipaddress import ip_address
from threading import Event

import pytest

from notifications import targets
from notifications.targets import TargetRefused


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/hook",
        "ftp://example.com/",
        "https://",
        "example.com",
        "https://user:secret@example.com/",
        "https://example.com/a b",
        "https://example.com/\r\nX: y",
        "https://exämple.com/",
        "https://example.com:99999/",
        "https://[::1",
        "https://a..example.com/",
        f"https://{'a' * 64}.example.com/",
        f"https://{'a.' * 130}com/",
        "https://127.0.0.1/",
        "https://169.254.169.254/latest/meta-data/",
        "https://[fe80::1%25eth0]/",
        "https://[::ffff:10.0.0.1]/",
        "https://10.1.2.3/",
        "https://localhost/",
        "https://localhost./",
        "https://api.localhost/",
        "https://printer.local/",
        "https://db.internal/",
        "https://intranet/",
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f.0.0.1/",
        "https://0300.0250.1.1/",
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
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1:248:1893:25c8:1946", True),
        ("::ffff:93.184.216.34", True),
        ("64:ff9b::5db8:d822", True),  # 93.184.216.34 through NAT64
        ("127.0.0.1", False),
        ("0.0.0.0", False),
        ("10.0.0.1", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("100.64.0.1", False),
        ("169.254.169.254", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1", False),
        ("fd00::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("64:ff9b::a9fe:a9fe", False),  # 169.254.169.254 through NAT64
        ("::10.0.0.1", False),
        ("::93.184.216.34", False),  # IPv4-compatible addresses are deprecated
        ("::ffff:0:10.0.0.1", False),
        ("64:ff9b:1::5db8:d822", False),
        ("2002:7f00:1::", False),  # 127.0.0.1 through 6to4
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", False),  # Teredo
    ],
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
