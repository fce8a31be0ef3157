"""The choice of the tier, and that without one nothing runs."""

import pytest

from lib.sandbox import SandboxFailed, SandboxUnavailable, Tier, choosing, running
from lib.sandbox.choosing import NAMES, Canary
from lib.sandbox.running import command

REFUSED = tuple(Canary(name, True, "") for name in NAMES)
SPOKE = (Canary("socket", False, "spoke to port 1"), *REFUSED[1:])


@pytest.fixture
def machine(monkeypatch):
    """Return a function that sets the canaries' results in each tier and counts their runs."""
    attempts = []

    def set_up(**fates):
        def try_all(tier, limits):
            attempts.append(tier)
            fate = fates[tier.value]
            if isinstance(fate, Exception):
                raise fate
            return fate

        monkeypatch.setattr(choosing, "try_all", try_all)
        monkeypatch.setattr(choosing.sys, "platform", "linux")
        choosing._sandboxes.clear()
        return attempts

    yield set_up
    choosing._sandboxes.clear()


def test_the_first_that_holds_is_taken_and_remembered(machine):
    attempts = machine(bubblewrap=REFUSED, landlock=REFUSED)
    assert [choosing.available().tier for _ in range(3)] == [Tier.BUBBLEWRAP] * 3
    assert attempts == [Tier.BUBBLEWRAP]


@pytest.mark.parametrize(
    "fate",
    [SPOKE, SandboxFailed("no user namespaces"), SandboxUnavailable("bwrap is missing"), OSError()],
)
def test_one_canary_that_gets_through_leads_to_the_second_tier(machine, fate):
    machine(bubblewrap=fate, landlock=REFUSED)
    assert choosing.available().tier is Tier.LANDLOCK


def test_without_any_tier_there_is_a_reason_and_no_sandbox(machine):
    machine(bubblewrap=SandboxUnavailable("bwrap is missing"), landlock=SPOKE)
    sandbox = choosing.available()
    assert sandbox.tier is None
    assert sandbox.reason == "bubblewrap: bwrap is missing; landlock: not refused: socket"


def test_a_machine_without_any_is_asked_again(machine):
    attempts = machine(bubblewrap=SandboxFailed("it took too long"), landlock=SPOKE)
    assert choosing.available().tier is None
    machine(bubblewrap=REFUSED, landlock=SPOKE)
    assert choosing.available().tier is Tier.BUBBLEWRAP
    assert attempts == [Tier.BUBBLEWRAP, Tier.LANDLOCK, Tier.BUBBLEWRAP]


def test_other_systems_have_none(machine, monkeypatch):
    machine()
    monkeypatch.setattr(choosing.sys, "platform", "darwin")
    assert choosing.available().tier is None


def test_a_missing_program_is_named(monkeypatch):
    monkeypatch.setattr("lib.sandbox.running.shutil.which", lambda *_, **__: None)
    with pytest.raises(SandboxUnavailable, match="package bubblewrap"):
        command(Tier.BUBBLEWRAP)


def test_the_first_tier_asks_for_every_wall(monkeypatch):
    monkeypatch.setattr("lib.sandbox.running.shutil.which", lambda name, **_: name)
    text = " ".join(command(Tier.BUBBLEWRAP))
    for part in (
        *("--unshare-all", "--unshare-user", "--uid 65534", "--gid 65534", "--disable-userns"),
        *("--cap-drop ALL", "--die-with-parent", "--new-session", "--clearenv"),
    ):
        assert part in text
    assert not {"--bind", "--dev-bind", "--share-net", "--proc", "--dev"} & set(text.split())


def test_the_filter_lets_nothing_through_that_reaches_out():
    calls = set(running.ALLOWED)
    assert not calls & {"socket", "clone", "clone3", "fork", "vfork", "execve", "execveat", "ioctl"}
    assert not calls & {"ptrace", "kill", "tgkill", "mount", "unshare", "setns", "prlimit64", "bpf"}
    assert len(running.compiled_filter()) % 8 == 0
