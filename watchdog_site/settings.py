"""Settings of WATCHDOG. Every value comes from the environment, with a type and a default.

A secret has no default: when it is missing, the start fails and says what to set.
"""

from datetime import timedelta
from pathlib import Path

import django_stubs_ext
import environ
import structlog
from corsheaders.defaults import default_headers
from django.core.exceptions import ImproperlyConfigured

from watchdog_site.logs import logging_config, shared_processors

# Lets `ModelAdmin[Check]` and the like be written where the code runs, not only for mypy.
django_stubs_ext.monkeypatch()

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent


def _required(name: str, fix: str) -> str:
    value = env.str(name, default="")
    if not value:
        raise ImproperlyConfigured(f"{name} is not set. {fix}")
    return str(value)


# --- Django -----------------------------------------------------------------
SECRET_KEY = _required(
    "SECRET_KEY",
    "`make run` makes one for you; elsewhere set 50 random characters, for example "
    "`python -c 'import secrets; print(secrets.token_urlsafe(50))'`.",
)
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
ROOT_URLCONF = "watchdog_site.urls"
WSGI_APPLICATION = "watchdog_site.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
# A further language is one file, locale/LANGUAGE/LC_MESSAGES/django.po, and a line here.
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["watchdog_site.formats"]
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
TIME_ZONE = env.str("TIME_ZONE", default="UTC")
USE_TZ = True

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "corsheaders",
    "csp",
    "django_structlog",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "audit",
    "accounts",
    "documents",
    "memory",
    "notifications",
    "analysis",
    "reviews",
    "dashboard",
    "policies",
    "scoring",
    "api",
    "assistant",
    "operations",
    # Development only: the product image does not contain it.
    *(["evaluation"] if (BASE_DIR / "evaluation").is_dir() else []),
]

MIDDLEWARE = [
    "watchdog_site.health.HealthMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
    "watchdog_site.request_id.RequestIdMiddleware",
    "watchdog_site.tracing.TraceMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "watchdog_site.language.PageLanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.sessions.IdleSessionMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "accounts.second_factor.SecondFactorMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Managers log in here; reviewers and leads in the admin.
LOGIN_URL = LOGOUT_REDIRECT_URL = "login"
LOGIN_REDIRECT_URL = "assistant_page"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# --- Log-in (docs/security.md) -------------------------------------------------
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AXES_FAILURE_LIMIT = env.int("LOGIN_FAILURE_LIMIT", default=10)
AXES_COOLOFF_TIME = timedelta(seconds=env.int("LOGIN_LOCKOUT_SECONDS", default=900))
AXES_LOCKOUT_PARAMETERS = ["username", "ip_address"]  # either of them is enough
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_USERNAME_CALLABLE = "accounts.login_attempts.attempted_name"
AXES_CLIENT_IP_CALLABLE = "accounts.login_attempts.client_address"
AXES_LOCKOUT_TEMPLATE = "accounts/locked.html"
AXES_DISABLE_ACCESS_LOG = True  # the trail has the log-ins
AXES_ENABLE_ADMIN = AXES_VERBOSE = False
# Proxies in front of this server that append to X-Forwarded-For; 0: the header is ignored.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)
SECOND_FACTOR_REQUIRED = env.bool("SECOND_FACTOR_REQUIRED", default=False)  # of staff
OTP_TOTP_ISSUER = "WATCHDOG"
SESSION_IDLE_SECONDS = env.int("SESSION_IDLE_SECONDS", default=3_600)
SESSION_COOKIE_AGE = env.int("SESSION_SECONDS", default=43_200)
if not 0 < SESSION_IDLE_SECONDS <= SESSION_COOKIE_AGE:
    raise ImproperlyConfigured("Set 0 < SESSION_IDLE_SECONDS <= SESSION_SECONDS.")

# --- Database and Redis -----------------------------------------------------
# psycopg2 has no pool in Django: each thread keeps one connection, so a web process holds at most
# WEB_THREADS of them and a worker one for each of its processes.
# 0: no limit. watchdog_site/gunicorn_conf.py sets it; tasks have time limits of their own.
_STATEMENT_MILLISECONDS = int(1_000 * env.float("DATABASE_STATEMENT_SECONDS", default=0.0))
DATABASES = {"default": env.db_url("DATABASE_URL", default="postgres:///watchdog")}
DATABASES["default"] |= {
    "ATOMIC_REQUESTS": False,
    "CONN_MAX_AGE": env.int("DATABASE_CONNECTION_MAX_AGE", default=300),
    "CONN_HEALTH_CHECKS": True,  # one statement more, and no errors after a restart
    # With the iterative scan off, a filter of 1 % was seen to return 1 row of 100.
    "OPTIONS": {
        **DATABASES["default"].get("OPTIONS", {}),
        "connect_timeout": env.int("DATABASE_CONNECT_SECONDS", default=5),
        "options": f"-c statement_timeout={_STATEMENT_MILLISECONDS} "
        f"-c hnsw.ef_search={env.int('HNSW_EF_SEARCH', default=300)} "
        "-c hnsw.iterative_scan=relaxed_order -c jit=off",
    },
}
REDIS_URL = env.str("REDIS_URL", default="redis://127.0.0.1:6379/0")
REDIS_TIMEOUT_SECONDS = env.float("REDIS_TIMEOUT_SECONDS", default=2.0)

# --- The life of a check ----------------------------------------------------
CHECK_TIME_LIMIT_SECONDS = env.int("CHECK_TIME_LIMIT_SECONDS", default=20)
# After this the signals that have not ended are truncated, which warns; the rest of the time is for
# deciding and writing down what there is.
CHECK_SOFT_LIMIT_SECONDS = env.float(
    "CHECK_SOFT_LIMIT_SECONDS", default=0.75 * CHECK_TIME_LIMIT_SECONDS
)
if not 0 < CHECK_SOFT_LIMIT_SECONDS < CHECK_TIME_LIMIT_SECONDS:
    raise ImproperlyConfigured("Set CHECK_SOFT_LIMIT_SECONDS below CHECK_TIME_LIMIT_SECONDS.")
SUGGESTION_SECONDS = env.float("SUGGESTION_SECONDS", default=2.0)
CHECK_LEASE_SECONDS = env.int("CHECK_LEASE_SECONDS", default=30)
CHECK_VISIBILITY_TIMEOUT_SECONDS = env.int("CHECK_VISIBILITY_TIMEOUT_SECONDS", default=120)
CHECK_RING_AGAIN_SECONDS = env.int("CHECK_RING_AGAIN_SECONDS", default=15)
CHECK_SWEEP_SECONDS = env.int("CHECK_SWEEP_SECONDS", default=5)
CHECK_MAX_ATTEMPTS = env.int("CHECK_MAX_ATTEMPTS", default=5)
if not (0 < CHECK_TIME_LIMIT_SECONDS < CHECK_LEASE_SECONDS < CHECK_VISIBILITY_TIMEOUT_SECONDS):
    raise ImproperlyConfigured(
        "Set CHECK_TIME_LIMIT_SECONDS < CHECK_LEASE_SECONDS < CHECK_VISIBILITY_TIMEOUT_SECONDS: "
        "a worker must be stopped before another may take its check."
    )

# --- The sealed trail (docs/trail.md) -----------------------------------------
RETENTION_HOUR = env.int("RETENTION_HOUR", default=3)
TRAIL_SEAL_SECONDS = env.int("TRAIL_SEAL_SECONDS", default=10)
# 32 bytes in base64; without one the key is derived from SECRET_KEY.
TRAIL_SIGNING_KEY = env.str("TRAIL_SIGNING_KEY", default="")
# Public keys of earlier signing keys, so that what they signed still verifies.
TRAIL_PUBLIC_KEYS = env.list("TRAIL_PUBLIC_KEYS", default=[])
# --- The review desk ----------------------------------------------------------
# A reviewer's page renews the lease each minute; who closes it loses the item after this time.
REVIEW_LEASE_SECONDS = env.int("REVIEW_LEASE_SECONDS", default=300)

# --- Documents and their retrieval --------------------------------------------
EMBEDDING_MODEL = env.str("EMBEDDING_MODEL", default="all-MiniLM-L6-v2")
MODEL_DIR = Path(env.str("MODEL_DIR", default=str(BASE_DIR / ".data" / "models")))
EMBEDDING_THREADS = env.int("EMBEDDING_THREADS", default=1)
# "base" (the embedded model where it is not prepared), "embedded", "lexical" (no model: the scores
# by rules stand), a folder, or a name on the hub.
NLI_MODEL = env.str("NLI_MODEL", default="base")
# Pairs read side by side, each on one processor (docs/decisions/0524).
NLI_THREADS = env.int("NLI_THREADS", default=2)
# A judge of your own: minicheck:FOLDER, hhem:FOLDER or lettucedetect:FOLDER.
JUDGE_MODEL = env.str("JUDGE_MODEL", default="")
JUDGE_EVIDENCE_TOKENS = env.int("JUDGE_EVIDENCE_TOKENS", default=600)
# Keys and values of passages that the judge has read; in each worker process.
JUDGE_CACHE_MB = env.int("JUDGE_CACHE_MB", default=128)
NLI_CACHE_PAIRS = env.int("NLI_CACHE_PAIRS", default=4096)

# --- The generator (any OpenAI-compatible endpoint); none is needed ------------
LLM_URL = env.str("LLM_URL", default="")
LLM_MODEL = env.str("LLM_MODEL", default="")
LLM_KEY = env.str("LLM_KEY", default="")
LLM_MAX_TOKENS = env.int("LLM_MAX_TOKENS", default=1024)
LLM_DEADLINE_SECONDS = env.float("LLM_DEADLINE_SECONDS", default=0.4 * CHECK_TIME_LIMIT_SECONDS)
if not 0 < LLM_DEADLINE_SECONDS < CHECK_TIME_LIMIT_SECONDS:
    raise ImproperlyConfigured(
        "Set LLM_DEADLINE_SECONDS below CHECK_TIME_LIMIT_SECONDS: a check waits for its samples."
    )
# A language model as judge: asked about claims that the embedded judge is unsure of, or about all.
JUDGE_LLM_URL = env.str("JUDGE_LLM_URL", default="")
JUDGE_LLM_MODEL = env.str("JUDGE_LLM_MODEL", default="")
JUDGE_LLM_KEY = env.str("JUDGE_LLM_KEY", default="")
# Further endpoints that vote with it: a JSON list of {"url", "model", "key"}.
JUDGE_LLMS = env.json("JUDGE_LLMS", default=[])
JUDGE_LLM_ASK = env.str("JUDGE_LLM_ASK", default="unsure")
if JUDGE_LLM_ASK not in ("unsure", "all"):
    raise ImproperlyConfigured('Set JUDGE_LLM_ASK to "unsure" or "all".')
JUDGE_LLM_SECONDS = env.float("JUDGE_LLM_SECONDS", default=0.4 * CHECK_TIME_LIMIT_SECONDS)
if not 0 < JUDGE_LLM_SECONDS < CHECK_TIME_LIMIT_SECONDS:
    raise ImproperlyConfigured(
        "Set JUDGE_LLM_SECONDS below CHECK_TIME_LIMIT_SECONDS: a check waits for the judge."
    )
JUDGE_LLM_MAX_TOKENS = env.int("JUDGE_LLM_MAX_TOKENS", default=4096)
# Tokens that all checks together may spend in a day (UTC); 0: no limit.
JUDGE_LLM_TOKENS_A_DAY = env.int("JUDGE_LLM_TOKENS_A_DAY", default=0)
# --- The weather tool and its sandbox (docs/weather.md) -------------------------
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

# --- The assistant (docs/assistant.md) ----------------------------------------
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

# Where untrusted data is read: uploaded files, the weather analysis. Files are refused where no
# tier is usable, unless they may be read without (docs/security.md).
SANDBOX_TIERS = env.list("SANDBOX_TIERS", default=["bubblewrap", "landlock"])
DOCUMENTS_WITHOUT_SANDBOX = env.bool("DOCUMENTS_WITHOUT_SANDBOX", default=False)

DOCUMENT_TIME_LIMIT_SECONDS = env.int("DOCUMENT_TIME_LIMIT_SECONDS", default=900)
DOCUMENT_LEASE_SECONDS = env.int("DOCUMENT_LEASE_SECONDS", default=1_000)
MAX_DOCUMENT_BYTES = env.int("MAX_DOCUMENT_BYTES", default=50_000_000)
CHUNK_SIZE = env.int("CHUNK_SIZE", default=500)
CHUNK_OVERLAP = env.int("CHUNK_OVERLAP", default=80)
# Up to this many chunks a search compares all of them; above, it follows the HNSW graph.
EXACT_SCAN_CHUNKS = env.int("EXACT_SCAN_CHUNKS", default=20_000)
LEXICAL_CANDIDATES = env.int("LEXICAL_CANDIDATES", default=8_000)
# A sentence-transformers cross-encoder, by name or folder; empty: no reranking.
RERANKER_MODEL = env.str("RERANKER_MODEL", default="")
RERANK_DEPTH = env.int("RERANK_DEPTH", default=20)
# How two rankings become one, and when nothing was found (documents/retrieval.py).
RETRIEVAL_DEPTH = env.int("RETRIEVAL_DEPTH", default=100)
RETRIEVAL_DENSE_WEIGHT = env.float("RETRIEVAL_DENSE_WEIGHT", default=0.8)
RETRIEVAL_LEXICAL_WEIGHT = env.float("RETRIEVAL_LEXICAL_WEIGHT", default=1.0)
RETRIEVAL_RANK_CONSTANT = env.int("RETRIEVAL_RANK_CONSTANT", default=20)
RETRIEVAL_SCORE_FLOOR = env.float("RETRIEVAL_SCORE_FLOOR", default=0.005)
RETRIEVAL_COSINE_FLOOR = env.float("RETRIEVAL_COSINE_FLOOR", default=0.35)
RETRIEVAL_MOST_PER_DOCUMENT = env.int("RETRIEVAL_MOST_PER_DOCUMENT", default=2)
if not 1 <= RETRIEVAL_DEPTH <= 1_000:
    raise ImproperlyConfigured("Set RETRIEVAL_DEPTH to a number from 1 to 1000.")
if min(RETRIEVAL_DENSE_WEIGHT, RETRIEVAL_LEXICAL_WEIGHT) < 0:
    raise ImproperlyConfigured("RETRIEVAL_DENSE_WEIGHT and RETRIEVAL_LEXICAL_WEIGHT are 0 or more.")
if min(RETRIEVAL_RANK_CONSTANT, RETRIEVAL_MOST_PER_DOCUMENT) < 1:
    raise ImproperlyConfigured(
        "RETRIEVAL_RANK_CONSTANT, RETRIEVAL_MOST_PER_DOCUMENT are 1 or more."
    )

# --- Limits of the API (stated in docs/reference/limits.md and the OpenAPI schema)
MAX_WAIT_SECONDS = env.int("MAX_WAIT_SECONDS", default=60)
DEFAULT_WAIT_SECONDS = env.int("DEFAULT_WAIT_SECONDS", default=10)
# Streams of the progress of a check that a web process serves at a time, and how long one lasts.
CHECK_STREAMS = env.int("CHECK_STREAMS", default=8)
CHECK_STREAM_SECONDS = env.float("CHECK_STREAM_SECONDS", default=60.0)
MAX_ANSWER_CHARACTERS = 200_000
MAX_CLAIMS = env.int("MAX_CLAIMS", default=1_000)
MAX_QUERY_CHARACTERS = 20_000
MAX_SOURCES_BYTES = 2_000_000
MAX_SOURCES = 1_000
MAX_BATCH_ITEMS = 1_000
MAX_BODY_BYTES = env.int("MAX_BODY_BYTES", default=16_000_000)
MAX_BATCH_BODY_BYTES = env.int("MAX_BATCH_BODY_BYTES", default=64_000_000)
# Read by Django before a parser sees the body; the parsers then hold each view to its own limit.
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BATCH_BODY_BYTES
IDEMPOTENCY_KEEP_HOURS = env.int("IDEMPOTENCY_KEEP_HOURS", default=24)
QUALITY_SAMPLE_RATE = env.float("QUALITY_SAMPLE_RATE", default=0.02)
DEFAULT_RATE_LIMIT_PER_MINUTE = env.int("DEFAULT_RATE_LIMIT_PER_MINUTE", default=6_000)

# --- Links to the confidence view ---------------------------------------------
# Where users reach this server, where that differs from how applications reach its API.
PUBLIC_URL = env.str("PUBLIC_URL", default="").rstrip("/")
VIEW_LINK_SECONDS = env.int("VIEW_LINK_SECONDS", default=86_400)
VIEW_LINK_MAX_SECONDS = env.int("VIEW_LINK_MAX_SECONDS", default=2_592_000)
if not (0 < VIEW_LINK_SECONDS <= VIEW_LINK_MAX_SECONDS <= 3_153_600_000):
    raise ImproperlyConfigured("Set 0 < VIEW_LINK_SECONDS <= VIEW_LINK_MAX_SECONDS.")

# --- Notifications (docs/notifications.md) --------------------------------------
EMAIL_HOST = env.str("EMAIL_HOST", default="")
EMAIL_PORT = env.int("EMAIL_PORT", default=587)
EMAIL_HOST_USER = env.str("EMAIL_USER", default="")
EMAIL_HOST_PASSWORD = env.str("EMAIL_PASSWORD", default="")
EMAIL_USE_TLS = env.bool("EMAIL_STARTTLS", default=True)
EMAIL_USE_SSL = env.bool("EMAIL_TLS", default=False)
if EMAIL_USE_SSL:
    EMAIL_USE_TLS = False
EMAIL_TIMEOUT = env.int("EMAIL_SECONDS", default=10)
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default="watchdog@localhost")
# Domains that managers may send briefings to, besides the address of their own log-in.
BRIEFING_DOMAINS = [domain.lower() for domain in env.list("BRIEFING_DOMAINS", default=[])]
# Hosts inside one's own network that webhooks may go to, also over plain http.
WEBHOOK_ALLOWED_HOSTS = env.list("WEBHOOK_ALLOWED_HOSTS", default=[])
WEBHOOK_SECONDS = env.float("WEBHOOK_SECONDS", default=5.0)
# What the secrets of webhooks are derived from; SECRET_KEY where none is set.
WEBHOOK_KEY = env.str("WEBHOOK_KEY", default="")
# How long what arrived is listed.
NOTIFICATIONS_KEEP_DAYS = env.int("NOTIFICATIONS_KEEP_DAYS", default=30)

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["accounts.authentication.ApiKeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["accounts.permissions.HasScope"],
    "DEFAULT_THROTTLE_CLASSES": ["accounts.throttling.ApplicationRateThrottle"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["watchdog_site.parsers.BoundedJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "watchdog_site.problems.exception_handler",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "WATCHDOG",
    "DESCRIPTION": "Checks what an AI says before a user reads it.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": [],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "watchdog_site.openapi_document.complete",
    ],
    "ENUM_NAME_OVERRIDES": {
        "ClaimStatus": "api.payloads.CLAIM_STATUSES",
        "LowConfidenceReason": "api.payloads.REASONS",
        "RejectionReason": "api.payloads.REJECTION_REASONS",
        "SafetyCheck": "api.payloads.SAFETY_CHECKS",
        "SignalStatus": "api.payloads.SIGNAL_STATUSES",
        "CheckState": "analysis.models.CheckState",
        "ReviewState": "api.reviews.STATES",
        "ReviewReason": "analysis.models.ReviewReason",
        "ReviewDecision": "analysis.models.ReviewDecision",
        "ReviewersDecision": "api.reviews.DECISIONS",
        "DocumentState": "documents.models.DocumentState",
        "EvidenceKind": "assistant.api.schema.KINDS",
        "EvidenceStatus": "assistant.api.schema.STATUSES",
        "TurnStep": "assistant.models.Step",
    },
}

# --- Static files -----------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = env.path("STATIC_ROOT", default=str(BASE_DIR / "staticfiles"))()
STATICFILES_DIRS = [BASE_DIR / "static"]
# Serve straight from the apps' folders, without `collectstatic` (tests, development).
WHITENOISE_USE_FINDERS = env.bool("STATIC_FROM_SOURCE", default=DEBUG)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": env.str(
            "STATICFILES_BACKEND", default="whitenoise.storage.CompressedManifestStaticFilesStorage"
        )
    },
}

# --- Security ---------------------------------------------------------------
# HTTPS ends at the proxy in production; without one (a laptop) cookies must work over HTTP.
HTTPS = env.bool("HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
X_FRAME_OPTIONS = "DENY"
# Pages of other origins that may call the API from a browser; none, unless they are named.
CORS_ALLOWED_ORIGINS = env.list("CORS_ALLOWED_ORIGINS", default=[])
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_HEADERS = (
    *default_headers, "x-api-key", "idempotency-key", "prefer", "last-event-id", "traceparent",
)  # fmt: skip
CORS_EXPOSE_HEADERS = [
    "Location", "Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset",
    "Preference-Applied", "Idempotent-Replayed", "X-Request-ID",
]  # fmt: skip
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}
SILENCED_SYSTEM_CHECKS: list[str] = []

# --- Logs -------------------------------------------------------------------
LOGGING = logging_config(level=env.str("LOG_LEVEL", default="INFO"))
DJANGO_STRUCTLOG_CELERY_ENABLED = True
# Traces (docs/operations.md#traces); OpenTelemetry reads the OTEL_… variables itself.
OTEL_ENDPOINT = env.str("OTEL_EXPORTER_OTLP_ENDPOINT", default="") or env.str(
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", default=""
)
TRACE_CONTENT = env.bool("TRACE_CONTENT", default=False)
# Prometheus reads /metrics with this bearer token; without one the address does not exist.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
structlog.configure(
    processors=[*shared_processors(), structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
