"""The one door: a question in, evidence out. It never raises for what the world does."""

from datetime import datetime
from time import perf_counter

from assistant.weather import places
from assistant.weather.asking import asks
from assistant.weather.types import Trouble, WeatherEvidence, WeatherStatus, WeatherUnavailable
from text.tokens import tokenize


def gather(question: str, remembered_location: str | None, *, now: datetime) -> WeatherEvidence:
    """The weather that a question needs, as statements that can be cited.

    `now` is aware of its time zone. Ends within WEATHER_DEADLINE_SECONDS and the wall limit of
    the sandbox, whatever the network does.
    """
    started = perf_counter()
    tokens = tokenize(question)
    if not asks(tokens):
        reason = "The question does not ask about the weather."
        return WeatherEvidence(WeatherStatus.NOT_ASKED, reason, Trouble.NOT_ASKED)
    try:
        for wanted in places.wanted(question, remembered_location):
            places.checked(wanted.text)
        raise WeatherUnavailable(Trouble.SERVICE_ERROR, "The weather service is not set up.")
    except WeatherUnavailable as error:
        timings = {"total": perf_counter() - started}
        return WeatherEvidence(
            WeatherStatus.UNAVAILABLE, error.sentence, error.trouble, timings=timings
        )
