"""Client for WATCHDOG: check an LLM's answer before a user reads it."""

from watchdog_client.async_client import AsyncWatchdog
from watchdog_client.client import Watchdog
from watchdog_client.errors import (
    ApiError,
    CheckFailedError,
    ConfigurationError,
    GuardTimeoutError,
    InvalidResponseError,
    NotConnectedError,
    PendingError,
    WatchdogError,
)
from watchdog_client.guard import (
    AsyncGuard,
    CircuitBreaker,
    Draft,
    Guard,
    GuardedAnswer,
    GuardSettings,
)
from watchdog_client.models import (
    Action,
    Batch,
    BatchItem,
    Check,
    CheckSummary,
    Claim,
    Collection,
    Confidence,
    Document,
    Feedback,
    Key,
    Link,
    Page,
    Passage,
)
from watchdog_client.stream import CheckEvent
from watchdog_client.transport import RetryPolicy
from watchdog_client.webhooks import WebhookError, WebhookEvent, verify

__all__ = [
    "Action",
    "ApiError",
    "AsyncGuard",
    "AsyncWatchdog",
    "Batch",
    "BatchItem",
    "Check",
    "CheckEvent",
    "CheckFailedError",
    "CheckSummary",
    "CircuitBreaker",
    "Claim",
    "Collection",
    "Confidence",
    "ConfigurationError",
    "Document",
    "Draft",
    "Feedback",
    "Guard",
    "GuardSettings",
    "GuardTimeoutError",
    "GuardedAnswer",
    "InvalidResponseError",
    "Key",
    "Link",
    "NotConnectedError",
    "Page",
    "Passage",
    "PendingError",
    "RetryPolicy",
    "Watchdog",
    "WatchdogError",
    "WebhookError",
    "WebhookEvent",
    "verify",
]
