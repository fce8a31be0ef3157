"""The forecast beside the handbook's limit, each cited, in one answer."""

from analysis.models import Check
from assistant.evidence import EvidenceKind, bundle_of
from assistant.presenting import INCOMPLETE, UNRULED
from tests.fake_weather import error, serving, stormy


def point_at(settings, fake):
    for name, value in fake.settings().items():
        setattr(settings, name, value)


def test_the_forecast_stands_beside_the_limit_and_memory_knows_the_place(
    put, asks, settings, sandboxed
):
    put()
    asks("I am the site safety manager, and our site is in Rotterdam.")
    with serving([], sky=stormy) as fake:
        point_at(settings, fake)
        turn = asks("May we run the tower crane tomorrow?")
    weather = {each.kind: each for each in bundle_of(turn.evidence.contents).sources}[
        EvidenceKind.WEATHER
    ]
    assert (weather.status, weather.reason) == ("ok", "")
    assert weather.details["location"]["name"] == "Rotterdam"
    assert "From the weather service:" in turn.answer
    assert "71 km/h" in turn.answer
    compared = [item["text"] for item in turn.writing["side_by_side"]]
    assert any("is more than 38 km/h ([1])." in item for item in compared)
    check = Check.objects.get(pk=turn.check_record_id)
    assert check.action == "ALLOW"
    assert any(source["uri"].startswith(fake.url) for source in check.sources)


def test_without_the_weather_the_handbook_still_serves_and_that_is_said(put, asks, settings):
    put()
    with serving([error("out of order", 500)]) as fake:
        point_at(settings, fake)
        turn = asks("May we run the tower crane in Rotterdam tomorrow?")
    assert {each.kind: each for each in bundle_of(turn.evidence.contents).sources}[
        EvidenceKind.WEATHER
    ].status == "unavailable"
    assert "38 km/h" in turn.answer
    assert "The weather service could not be used for this answer: " in turn.answer
    check = Check.objects.get(pk=turn.check_record_id)
    assert (check.action, check.metadata["cautions"]) == ("WARN", [INCOMPLETE])


def test_the_weather_without_a_limit_that_was_asked_for_warns(put, asks, settings, sandboxed):
    put("Lunch is served from 11:30 to 14:00 in the canteen.", "canteen.txt")
    with serving([], sky=stormy) as fake:
        point_at(settings, fake)
        turn = asks("Which wind limits apply to the crane in Rotterdam tomorrow?")
    assert "From the weather service:" in turn.answer
    check = Check.objects.get(pk=turn.check_record_id)
    assert (check.action, check.metadata["cautions"]) == ("WARN", [UNRULED])
    assert [item["code"] for item in turn.writing["beside"]["cautions"]] == ["limit_missing"]
    assert f"Note: {UNRULED}" in turn.answer
