"""Real receivers for the tests of notifications: an HTTP server and an SMTP server on sockets."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller

from tests.sockets import Quiet, listening
from tools.launcher.ports import any_free


@dataclass(slots=True)
class Hooks:
    """The requests that came, and the codes to answer with in order, the last one for ever."""

    codes: list[int]
    host: str = "127.0.0.1"
    port: int = 0
    location: str = ""
    body: Callable[[Any], None] | None = None
    requests: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        """The address at which it listens."""
        return f"http://{self.host}:{self.port}/hook"


@contextmanager
def hooks(*codes: int, **rest: Any) -> Iterator[Hooks]:
    receiver = Hooks(list(codes) or [204], **rest)

    class Handler(Quiet):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.requests.append((dict(self.headers), body))
            code = receiver.codes.pop(0) if len(receiver.codes) > 1 else receiver.codes[0]
            self.send_response(code)
            if receiver.location:
                self.send_header("Location", receiver.location)
            self.end_headers()
            if receiver.body:
                receiver.body(self)

    with listening(Handler, receiver.host) as receiver.port:
        try:
            yield receiver
        finally:
            receiver.over.set()


@dataclass(slots=True)
class Mailbox:
    """An SMTP server and the mails that it took."""

    port: int = 0
    refuse: str = ""
    mails: list[Message] = field(default_factory=list)
    to: list[list[str]] = field(default_factory=list)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        """Store a mail; called by aiosmtpd with each one."""
        if self.refuse:
            return self.refuse
        self.mails.append(message_from_bytes(envelope.content, policy=default))
        self.to.append(envelope.rcpt_tos)
        return "250 taken"


@contextmanager
def mailbox() -> Iterator[Mailbox]:
    """Start an SMTP server on a free port."""
    box = Mailbox()
    controller = Controller(box, hostname="127.0.0.1", port=any_free(), ready_timeout=60)
    controller.start()
    box.port = controller.port
    try:
        yield box
    finally:
        controller.stop()
