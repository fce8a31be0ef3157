"""Open-Meteo on a real socket, for tests: geocoding, forecast and archive, and its errors.

    with serving() as fake: ...                       # honest: PLACES, hours by `sky`
    with serving([honest(), redirect("http://…")]) as fake: ...

Each request takes the next reply, the last one is repeated. `fake.requests` holds the addresses.
Without a list every request is answered honestly. Field names, units and error bodies are those
of https://open-meteo.com/en/docs.
"""

import json
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.sockets import Quiet, listening

PLACES = [
    ("Rotterdam", "South Holland", "Netherlands", "NL", 51.9225, 4.47917, "Europe/Amsterdam"),
    ("Utrecht", "Utrecht", "Netherlands", "NL", 52.09083, 5.12222, "Europe/Amsterdam"),
    ("Springfield", "Missouri", "United States", "US", 37.21533, -93.29824, "America/Chicago"),
    ("Springfield", "Illinois", "United States", "US", 39.80172, -89.64371, "America/Chicago"),
    ("Auckland", "Auckland", "New Zealand", "NZ", -36.84853, 174.76349, "Pacific/Auckland"),
]
UNITS = {
    "time": "iso8601",
    "temperature_2m": "°C",
    "precipitation": "mm",
    "wind_speed_10m": "km/h",
    "wind_gusts_10m": "km/h",
    "weather_code": "wmo code",
}
OFFSETS = {"Europe/Amsterdam": 3600, "America/Chicago": -21600, "Pacific/Auckland": 46800}
Hour = dict[str, float | int | None]


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to one request; with None as body, the correct answer."""

    code: int = 200
    body: bytes | None = None
    kind: str = "application/json; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()
    missing: int = 0
    """Bytes promised by Content-Length that never come."""
    stall: str = ""
    """ "before": no byte is sent; "drip": a byte at a time, for as long as the client waits."""


def honest() -> Reply:
    """Return the reply of the real Open-Meteo."""
    return Reply()


def error(reason: str, code: int = 400) -> Reply:
    """Return an error as Open-Meteo words it."""
    return Reply(code, json.dumps({"error": True, "reason": reason}).encode())


def reply_with(body: Any) -> Reply:
    return Reply(body=json.dumps(body).encode())


def page(code: int = 200) -> Reply:
    """Return a reply that is not JSON, as a gateway answers."""
    return Reply(code, b"<html>busy</html>", kind="text/html")


def redirect(url: str) -> Reply:
    return Reply(302, b"", headers=(("Location", url),))


def truncated() -> Reply:
    """Return half of an answer, then the end of the connection."""
    return Reply(body=b'{"results": [', missing=1000)


def oversized(size: int) -> Reply:
    """Return an endless list of blanks."""
    return Reply(body=b"[" + b" " * size + b"]")


def packed() -> Reply:
    """Return a compressed reply, though nobody asked for compression."""
    return Reply(body=b"not gzip", headers=(("Content-Encoding", "gzip"),))


def silence() -> Reply:
    """Return a reply that sends not a byte for as long as the client waits."""
    return Reply(stall="before")


def dripping() -> Reply:
    """Return a reply that sends a byte from time to time, without end."""
    return Reply(stall="drip")


def calm(time: datetime) -> Hour:
    """Return a quiet day: wind 8 to 16 km/h, gusts half as much again, 4 to 10 °C, dry."""
    wave = math.sin(math.pi * time.hour / 24)
    return {
        "temperature_2m": round(4 + 6 * wave, 1),
        "precipitation": 0.0,
        "wind_speed_10m": round(8 + 8 * wave, 1),
        "wind_gusts_10m": round(12 + 12 * wave, 1),
        "weather_code": 3,
    }


def stormy(time: datetime) -> Hour:
    """Return a calm day with gusts of 62, 71 and 64 km/h, rain and thunder from 13:00 to 16:00."""
    gusts = {13: 62.0, 14: 71.0, 15: 64.0}.get(time.hour)
    hour = calm(time)
    if gusts:
        hour |= {"wind_gusts_10m": gusts, "wind_speed_10m": 41.0}
        hour |= {"precipitation": 2.5, "weather_code": 95}
    return hour


def gale(time: datetime) -> Hour:
    """Return gusts of 71 km/h in every hour: whenever a test runs, some of them lie ahead."""
    return calm(time) | {"wind_gusts_10m": 71.0, "wind_speed_10m": 41.0}


@dataclass(slots=True)
class Fake:
    """A running service."""

    url: str
    replies: Sequence[Reply]
    sky: Callable[[datetime], Hour]
    requests: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def settings(self, **more: Any) -> dict[str, Any]:
        """Return Django settings that lead the weather tool here."""
        return {
            "WEATHER_GEOCODING_URL": f"{self.url}/v1/search",
            "WEATHER_FORECAST_URL": f"{self.url}/v1/forecast",
            "WEATHER_ARCHIVE_URL": f"{self.url}/v1/archive",
            "WEATHER_DEADLINE_SECONDS": 30.0,
            "WEATHER_CACHE_SECONDS": 0,
        } | more

    def take(self, path: str) -> Reply:
        """Return the reply for this request."""
        with self.lock:
            at = min(len(self.requests), len(self.replies) - 1)
            self.requests.append(path)
        return self.replies[at]


def answer(path: str, sky: Callable[[datetime], Hour]) -> tuple[int, Any]:
    """Return the correct answer to an address: status and body."""
    parts = urlsplit(path)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    if parts.path == "/v1/search":
        return 200, _search(query)
    if parts.path in ("/v1/forecast", "/v1/archive"):
        return _weather(query, sky)
    return 404, {"error": True, "reason": "Not Found"}


def _search(query: dict[str, str]) -> dict[str, Any]:
    name = query["name"].casefold()
    names = ("name", "admin1", "country", "country_code", "latitude", "longitude", "timezone")
    places = [dict(zip(names, row, strict=True)) for row in PLACES if row[0].casefold() == name]
    first_places = places[: int(query.get("count", "10"))]
    # As the real one: no list at all where nothing was found.
    return {"generationtime_ms": 0.5} | ({"results": first_places} if first_places else {})


def _weather(query: dict[str, str], sky: Callable[[datetime], Hour]) -> tuple[int, Any]:
    names = query["hourly"].split(",")
    unknown = [name for name in names if name not in UNITS]
    if unknown:
        reason = f"Cannot initialize variable from invalid String value {unknown[0]}"
        return 400, {"error": True, "reason": reason}
    first, last = (date.fromisoformat(query[name]) for name in ("start_date", "end_date"))
    hours = [
        datetime.combine(first, datetime.min.time()) + timedelta(hours=at)
        for at in range(24 * ((last - first).days + 1))
    ]
    columns = {name: [sky(hour)[name] for hour in hours] for name in names}
    zone = query["timezone"]
    return 200, {
        "latitude": round(float(query["latitude"]), 2),
        "longitude": round(float(query["longitude"]), 2),
        "generationtime_ms": 0.1,
        "utc_offset_seconds": OFFSETS.get(zone, 0),
        "timezone": "GMT" if zone == "auto" else zone,
        "timezone_abbreviation": "GMT",
        "elevation": 0.0,
        "hourly_units": UNITS,
        "hourly": {"time": [f"{hour:%Y-%m-%dT%H:%M}" for hour in hours]} | columns,
    }


@contextmanager
def serving(
    replies: Sequence[Reply] = (), *, sky: Callable[[datetime], Hour] = calm
) -> Iterator[Fake]:
    """Serve until the block ends; release requests that still wait."""

    class Handler(Quiet):
        def do_GET(self) -> None:
            reply = fake.take(self.path)
            if reply.stall == "before":
                fake.over.wait(60)
                return
            code, body = reply.code, reply.body
            if body is None:
                code, payload = answer(self.path, fake.sky)
                body = json.dumps(payload).encode()
            self.send_response(code)
            self.send_header("Content-Type", reply.kind)
            for name, value in reply.headers:
                self.send_header(name, value)
            promised = 10**6 if reply.stall else len(body) + reply.missing
            self.send_header("Content-Length", str(promised))
            self.end_headers()
            self._send(body, reply)

        def _send(self, body: bytes, reply: Reply) -> None:
            try:
                while reply.stall == "drip" and not fake.over.wait(0.05):
                    self.wfile.write(b" ")
                self.wfile.write(body)
            except OSError:
                """The client has seen enough."""

    with listening(Handler) as port:
        fake = Fake(f"http://127.0.0.1:{port}", list(replies) or [honest()], sky)
        try:
            yield fake
        finally:
            fake.over.set()
