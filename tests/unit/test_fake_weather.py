"""The fake weather service, as any client sees it."""

import httpx
import pytest

from tests.fake_weather import (
    dripping,
    error,
    honest,
    oversized,
    packed,
    page,
    redirect,
    serving,
    silence,
    truncated,
)

HOURLY = "hourly=wind_gusts_10m,precipitation&start_date=2026-11-22&end_date=2026-11-23"


def get(fake, path, **more):
    return httpx.get(f"{fake.url}{path}", **{"timeout": 30} | more)


def test_places_as_open_meteo_gives_them():
    with serving() as fake:
        found = get(fake, "/v1/search?name=springfield&count=10").json()["results"]
        assert [item["admin1"] for item in found] == ["Missouri", "Illinois"]
        assert len(get(fake, "/v1/search?name=Springfield&count=1").json()["results"]) == 1
        assert "results" not in get(fake, "/v1/search?name=Atlantis").json()
        assert fake.requests[0] == "/v1/search?name=springfield&count=10"


@pytest.mark.parametrize("path", ["/v1/forecast", "/v1/archive"])
def test_hours_as_open_meteo_gives_them(path):
    with serving() as fake:
        query = f"latitude=51.9&longitude=4.5&timezone=Europe/Amsterdam&{HOURLY}"
        body = get(fake, f"{path}?{query}").json()
    assert len(body["hourly"]["time"]) == len(body["hourly"]["wind_gusts_10m"]) == 48
    assert body["hourly"]["time"][-1] == "2026-11-23T23:00"
    assert body["hourly_units"]["wind_gusts_10m"] == "km/h"
    assert body["utc_offset_seconds"] == 3600


def test_errors_as_open_meteo_words_them():
    with serving() as fake:
        response = get(fake, f"/v1/forecast?hourly=nonsense&{HOURLY[30:]}")
        assert (response.status_code, response.json()["error"]) == (400, True)
        assert "nonsense" in response.json()["reason"]
    with serving([error("Daily limit", 429), page(502), honest()]) as fake:
        assert get(fake, "/v1/search?name=x").json()["reason"] == "Daily limit"
        assert get(fake, "/v1/search?name=x").status_code == 502
        assert get(fake, "/v1/search?name=x").status_code == 200
        assert get(fake, "/v1/search?name=x").status_code == 200


def test_what_goes_wrong_on_the_way():
    with serving([redirect("http://127.0.0.1:1/"), truncated(), oversized(9), packed()]) as fake:
        assert get(fake, "/").is_redirect
        with pytest.raises(httpx.RemoteProtocolError):
            get(fake, "/")
        assert len(get(fake, "/").content) == 11
        with pytest.raises(httpx.DecodingError):
            get(fake, "/")


def test_silence_and_dripping_hold_nobody_else_up():
    with serving([silence(), dripping(), honest()]) as fake:
        with pytest.raises(httpx.ReadTimeout):
            get(fake, "/", timeout=0.3)
        with httpx.stream("GET", f"{fake.url}/", timeout=30) as response:
            assert next(response.iter_raw()) == b" "
        assert get(fake, "/v1/search?name=Utrecht").status_code == 200
