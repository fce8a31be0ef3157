"""Machines of one's own on this machine: network namespaces, joined by a bridge."""

import ctypes
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

HUB = "hub"
_NEWNET = 0x40000000  # CLONE_NEWNET of sched.h
_SLOW = ("tbf", "rate", "256kbit", "burst", "16kb", "latency", "500ms")


class NotPermitted(Exception):
    """Raised where this process may not make network namespaces; the text is the system's own."""


@dataclass
class Network:
    """Namespaces by the name of their machine; the hub holds the bridge, and has an address too."""

    prefix: str
    addresses: dict[str, str] = field(default_factory=dict)

    def add(self, machine: str) -> str:
        """Add a machine, linked to all others; return its address."""
        number = len(self.addresses) + 1
        space, address = self.space(machine), f"10.77.0.{number}"
        _ip("netns", "add", space)
        self.addresses[machine] = address
        inside = ("-n", space)
        if machine == HUB:
            _ip(*inside, "link", "add", "eth0", "type", "bridge")
        else:
            hub = ("-n", self.space(HUB))
            outer = f"to{number}"
            _ip(*hub, "link", "add", outer, "type", "veth", "peer", "name", "eth0", "netns", space)
            _ip(*hub, "link", "set", outer, "master", "eth0", "up")
        _ip(*inside, "address", "add", f"{address}/24", "dev", "eth0")
        _ip(*inside, "link", "set", "lo", "up")
        _ip(*inside, "link", "set", "eth0", "up")
        return address

    def space(self, machine: str) -> str:
        """Return the name of its namespace."""
        return f"{self.prefix}-{machine}"

    def command(self, machine: str) -> list[str]:
        """Return the prefix that runs a command on that machine; the process stays the same one."""
        return ["ip", "netns", "exec", self.space(machine)]

    def enter(self, machine: str) -> None:
        """Move the calling thread there: the sockets that it opens from now on are that machine's.

        Raises OSError.
        """
        libc = ctypes.CDLL(None, use_errno=True)
        with open(f"/run/netns/{self.space(machine)}") as space:
            if libc.setns(space.fileno(), _NEWNET) != 0:
                number = ctypes.get_errno()
                raise OSError(number, os.strerror(number))

    @contextmanager
    def cut(self, machine: str) -> Iterator[None]:
        """Cut its link for the block: nothing is refused, nothing arrives."""
        link = ("-n", self.space(machine), "link", "set", "eth0")
        _ip(*link, "down")
        try:
            yield
        finally:
            _ip(*link, "up")

    @contextmanager
    def slow(self, machine: str) -> Iterator[None]:
        """Slow its link to 32 kilobytes a second for the block; it drops what waits longer."""
        queue = ("-n", self.space(machine), "qdisc")
        device = ("dev", "eth0", "root")
        _run("tc", *queue, "add", *device, *_SLOW)
        try:
            yield
        finally:
            _run("tc", *queue, "delete", *device)

    def remove(self) -> None:
        """Remove every namespace; what still runs in one keeps running without a name."""
        for machine in self.addresses:
            _ip("netns", "delete", self.space(machine))


@contextmanager
def network(prefix: str) -> Iterator[Network]:
    """Yield a network with a hub. Raises NotPermitted where there can be none."""
    net = Network(prefix)
    try:
        try:
            net.add(HUB)
        except (OSError, subprocess.CalledProcessError) as error:
            raise NotPermitted(getattr(error, "stderr", "") or str(error)) from error
        yield net
    finally:
        net.remove()


def _ip(*arguments: str) -> None:
    _run("ip", *arguments)


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=30)
