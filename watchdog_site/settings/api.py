"""The API: its limits, the links that it hands out, its framework and its schema."""

from django.core.exceptions import ImproperlyConfigured

from watchdog_site.settings.environment import env

# --- Limits of the API (stated in docs/reference/limits.md and the OpenAPI schema)
MAX_WAIT_SECONDS = 60
DEFAULT_WAIT_SECONDS = env.int("DEFAULT_WAIT_SECONDS", default=10)
# Streams of the progress of a check that a web process serves at a time, and how long one lasts.
# Each stream holds a thread, and as many more may show questions to the assistant.
CHECK_STREAMS = max(1, env.int("WEB_THREADS", default=48) // 6)
STREAM_SECONDS = 60.0
MAX_ANSWER_CHARACTERS = 200_000
MAX_CLAIMS = 1_000
MAX_QUERY_CHARACTERS = 20_000
MAX_SOURCES_BYTES = 2_000_000
MAX_SOURCES = 1_000
MAX_BATCH_ITEMS = 1_000
MAX_BODY_BYTES = 16_000_000
MAX_BATCH_BODY_BYTES = 64_000_000
# Of every other view, whose inputs are a line or two.
MAX_SMALL_BODY_BYTES = 1_000_000
# Read by Django before a parser sees the body; the parsers then hold each view to its own limit.
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BATCH_BODY_BYTES
IDEMPOTENCY_KEEP_HOURS = 24

# --- Links to the verdict page ---------------------------------------------
# Where users reach this server, where that differs from how applications reach its API.
PUBLIC_URL = env.str("PUBLIC_URL", default="").rstrip("/")
VIEW_LINK_SECONDS = env.int("VIEW_LINK_SECONDS", default=86_400)
VIEW_LINK_MAX_SECONDS = 30 * 86_400
if not 0 < VIEW_LINK_SECONDS <= VIEW_LINK_MAX_SECONDS:
    raise ImproperlyConfigured("Set VIEW_LINK_SECONDS between 1 and 2592000 (30 days).")

# --- The framework and the schema -------------------------------------------
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
        "ClaimStatus": "api.outputs.CLAIM_STATUSES",
        "LowConfidenceReason": "api.outputs.REASONS",
        "RejectionReason": "api.outputs.REJECTION_REASONS",
        "SafetyCheck": "api.outputs.SAFETY_CHECKS",
        "SignalStatus": "api.outputs.SIGNAL_STATUSES",
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
