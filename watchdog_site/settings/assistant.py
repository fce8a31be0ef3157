"""The assistant and its weather tool."""

from watchdog_site.settings.checks import CHECK_TIME_LIMIT_SECONDS
from watchdog_site.settings.environment import env

# --- The weather tool and its sandbox (docs/concepts/weather.md) -------------------------
# Open-Meteo, or a mirror of yours. Empty: switched off. No other hosts are asked.
WEATHER_GEOCODING_URL = env.str(
    "WEATHER_GEOCODING_URL", default="https://geocoding-api.open-meteo.com/v1/search"
)
WEATHER_FORECAST_URL = env.str(
    "WEATHER_FORECAST_URL", default="https://api.open-meteo.com/v1/forecast"
)
WEATHER_ARCHIVE_URL = env.str(
    "WEATHER_ARCHIVE_URL", default="https://archive-api.open-meteo.com/v1/archive"
)
WEATHER_KEY = env.str("WEATHER_KEY", default="")
WEATHER_PROXY = env.str("WEATHER_PROXY", default="")
WEATHER_DEADLINE_SECONDS = 8.0
WEATHER_CACHE_SECONDS = 900
WEATHER_MAX_BYTES = 2_000_000

# --- The assistant (docs/concepts/assistant.md) ----------------------------------------
# Further generators beside LLM_…: a JSON list of {"url", "model", "key"}. With several, each
# answers, and a claim stays only where ASSISTANT_AGREEING of them (0: most of them) agree.
ASSISTANT_LLMS = env.json("ASSISTANT_LLMS", default=[])
ASSISTANT_AGREEING = env.int("ASSISTANT_AGREEING", default=0)
ASSISTANT_LLM_SECONDS = env.float("ASSISTANT_LLM_SECONDS", default=30.0)
# Tokens of language models an application may spend in a day (UTC); 0: no limit.
ASSISTANT_TOKENS_A_DAY = env.int("ASSISTANT_TOKENS_A_DAY", default=0)
ASSISTANT_PASSAGES = 8
# A second embedding model, by name or folder, that reads the best sentences again; "" for none.
ASSISTANT_SECOND_MODEL = env.str("ASSISTANT_SECOND_MODEL", default="")
# How long a source may take before the answer is written without it.
ASSISTANT_SOURCE_SECONDS = 30.0
# A question is gathered for, written and checked within the limit, and taken over only after it.
ASSISTANT_TIME_LIMIT_SECONDS = 20 + int(
    ASSISTANT_SOURCE_SECONDS + ASSISTANT_LLM_SECONDS + CHECK_TIME_LIMIT_SECONDS
)
ASSISTANT_LEASE_SECONDS = ASSISTANT_TIME_LIMIT_SECONDS + 10

# How long the chat page waits for an answer without scripts, and how many questions of a manager
# may wait at once.
ASSISTANT_PAGE_WAIT_SECONDS = 20.0
ASSISTANT_OPEN_QUESTIONS = 10
