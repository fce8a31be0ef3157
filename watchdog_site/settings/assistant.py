"""The assistant and its weather tool."""

from django.core.exceptions import ImproperlyConfigured

from watchdog_site.settings.checks import CHECK_TIME_LIMIT_SECONDS
from watchdog_site.settings.environment import env

# --- The weather tool and its sandbox (docs/concepts/weather.md) -------------------------
# Open-Meteo, or a mirror of yours: then name its host in WEATHER_HOSTS too. Empty: switched off.
WEATHER_GEOCODING_URL = env.str(
    "WEATHER_GEOCODING_URL", default="https://geocoding-api.open-meteo.com/v1/search"
)
WEATHER_FORECAST_URL = env.str(
    "WEATHER_FORECAST_URL", default="https://api.open-meteo.com/v1/forecast"
)
WEATHER_ARCHIVE_URL = env.str(
    "WEATHER_ARCHIVE_URL", default="https://archive-api.open-meteo.com/v1/archive"
)
WEATHER_HOSTS = env.list(
    "WEATHER_HOSTS",
    default=["geocoding-api.open-meteo.com", "api.open-meteo.com", "archive-api.open-meteo.com"],
)
WEATHER_KEY = env.str("WEATHER_KEY", default="")
WEATHER_PROXY = env.str("WEATHER_PROXY", default="")
WEATHER_DEADLINE_SECONDS = env.float("WEATHER_DEADLINE_SECONDS", default=8.0)
WEATHER_CONNECT_SECONDS = env.float("WEATHER_CONNECT_SECONDS", default=3.0)
WEATHER_CACHE_SECONDS = env.int("WEATHER_CACHE_SECONDS", default=900)
WEATHER_MAX_BYTES = env.int("WEATHER_MAX_BYTES", default=2_000_000)

# --- The assistant (docs/concepts/assistant.md) ----------------------------------------
# Further generators beside LLM_…: a JSON list of {"url", "model", "key"}. With several, each
# answers, and a claim stays only where ASSISTANT_AGREEING of them (0: most of them) agree.
ASSISTANT_LLMS = env.json("ASSISTANT_LLMS", default=[])
ASSISTANT_AGREEING = env.int("ASSISTANT_AGREEING", default=0)
ASSISTANT_LLM_SECONDS = env.float("ASSISTANT_LLM_SECONDS", default=30.0)
# Tokens of language models an application may spend in a day (UTC); 0: no limit.
ASSISTANT_TOKENS_A_DAY = env.int("ASSISTANT_TOKENS_A_DAY", default=0)
ASSISTANT_PASSAGES = env.int("ASSISTANT_PASSAGES", default=8)
ASSISTANT_MEMORIES = env.int("ASSISTANT_MEMORIES", default=4)
# How long a source may take before the answer is written without it.
ASSISTANT_SOURCE_SECONDS = env.float("ASSISTANT_SOURCE_SECONDS", default=30.0)
_parts = ASSISTANT_SOURCE_SECONDS + ASSISTANT_LLM_SECONDS + CHECK_TIME_LIMIT_SECONDS
ASSISTANT_TIME_LIMIT_SECONDS = env.int("ASSISTANT_TIME_LIMIT_SECONDS", default=int(_parts) + 20)
ASSISTANT_LEASE_SECONDS = env.int(
    "ASSISTANT_LEASE_SECONDS", default=ASSISTANT_TIME_LIMIT_SECONDS + 10
)
ASSISTANT_MAX_ATTEMPTS = env.int("ASSISTANT_MAX_ATTEMPTS", default=5)
if not _parts < ASSISTANT_TIME_LIMIT_SECONDS < ASSISTANT_LEASE_SECONDS:
    raise ImproperlyConfigured(
        "Set ASSISTANT_SOURCE_SECONDS + ASSISTANT_LLM_SECONDS + CHECK_TIME_LIMIT_SECONDS < "
        "ASSISTANT_TIME_LIMIT_SECONDS < ASSISTANT_LEASE_SECONDS: a question is gathered for, "
        "written and checked within the limit, and taken over only after it."
    )

# The chat page: how long it waits for an answer without scripts; how many streams of progress a web
# process serves, each of which holds a thread, and for how long.
ASSISTANT_PAGE_WAIT_SECONDS = env.float("ASSISTANT_PAGE_WAIT_SECONDS", default=20.0)
ASSISTANT_OPEN_QUESTIONS = env.int("ASSISTANT_OPEN_QUESTIONS", default=10)
ASSISTANT_STREAMS = env.int("ASSISTANT_STREAMS", default=8)
ASSISTANT_STREAM_SECONDS = env.float("ASSISTANT_STREAM_SECONDS", default=60.0)
