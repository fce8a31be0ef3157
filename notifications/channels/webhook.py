"""A POST to a URL that somebody else chose: limited in time and size, never to our network."""

import time
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import httpcore

from notifications import targets
from notifications.channels import Undelivered

MAX_RESPONSE_BYTES = 65_536
_EXCERPT = 200


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    allowed_hosts: Collection[str],
    seconds: float,
) -> int:
    """Deliver within `seconds`; return the response's status. Raises Undelivered unless it is 2xx.

    No redirects are followed, no proxy is used, and at most 64 KiB of the response are read.
    """
    deadline = time.monotonic() + seconds
    try:
        targets.check_url(url, allowed_hosts)
        backend = _GuardedBackend(allowed_hosts, deadline)
        # The public certificate authorities, and those that the machine trusts.
        context = httpcore.default_ssl_context()
        context.load_default_certs()
        with httpcore.ConnectionPool(
            ssl_context=context, network_backend=backend, http2=False, retries=0
        ) as pool:
            status, excerpt = _exchange(pool, url, body, headers)
    except targets.TargetRefused as error:
        raise Undelivered(str(error)) from error
    except (httpcore.TimeoutException, TimeoutError) as error:
        raise Undelivered(f"no answer within {seconds:g} seconds") from error
    except (httpcore.NetworkError, httpcore.ProtocolError, OSError) as error:
        raise Undelivered(f"{type(error).__name__}: {error}"[:_EXCERPT]) from error
    if not 200 <= status < 300:
        raise Undelivered(f"answered {status}: {excerpt[:_EXCERPT]}".rstrip(": "), status)
    return status


def _exchange(
    pool: httpcore.ConnectionPool, url: str, body: bytes, headers: Mapping[str, str]
) -> tuple[int, str]:
    all_headers = {"content-type": "application/json", "user-agent": "WATCHDOG", **headers}
    with pool.stream("POST", url, headers=list(all_headers.items()), content=body) as response:
        read = b""
        for part in response.iter_stream():
            read += part
            if len(read) > MAX_RESPONSE_BYTES:
                raise Undelivered(
                    f"answered {response.status} with more than 64 KiB", response.status
                )
        # The printable beginning of a response.
        text = read[: _EXCERPT * 4].decode("utf-8", "replace")
        return response.status, "".join(c if c.isprintable() else " " for c in text).strip()


class _GuardedBackend(httpcore.NetworkBackend):
    """Resolves the name once, connects only to an allowed address, and keeps the deadline."""

    def __init__(self, allowed_hosts: Collection[str], deadline: float) -> None:
        self._allowed_hosts, self._deadline = allowed_hosts, deadline
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first address that answers."""
        addresses = targets.addresses_of(host, port, self._allowed_hosts)
        for address in addresses[:-1]:
            try:
                return self._connected(address, port)
            except (httpcore.ConnectError, OSError):
                continue
        return self._connected(addresses[-1], port)

    def _connected(self, address: str, port: int) -> httpcore.NetworkStream:
        stream = self._inner.connect_tcp(address, port, timeout=_seconds_left(self._deadline))
        return _DeadlineStream(stream, self._deadline)


class _DeadlineStream(httpcore.NetworkStream):
    """A stream whose every step ends by one common deadline, so that slow drips end too."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: float) -> None:
        self._stream, self._deadline = stream, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _seconds_left(self._deadline))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _seconds_left(self._deadline))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        """Start TLS on the inner stream; the certificate must match the URL's name."""
        inner = self._stream.start_tls(ssl_context, server_hostname, _seconds_left(self._deadline))
        return _DeadlineStream(inner, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _seconds_left(deadline: float) -> float:
    remaining = deadline - time.monotonic()
    if remaining <= 0:
        raise httpcore.TimeoutException("the deadline is past")
    return remaining
