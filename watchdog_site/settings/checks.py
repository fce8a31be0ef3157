"""The life of a check, work queues, the trail that is sealed behind them, and the review desk."""

from django.core.exceptions import ImproperlyConfigured

from watchdog_site.settings.environment import env

# --- The life of a check ----------------------------------------------------
CHECK_TIME_LIMIT_SECONDS = env.int("CHECK_TIME_LIMIT_SECONDS", default=20)
# After this the signals that have not ended are truncated, which warns; the rest of the time is for
# deciding and writing down what there is.
CHECK_SOFT_LIMIT_SECONDS = env.float(
    "CHECK_SOFT_LIMIT_SECONDS", default=0.75 * CHECK_TIME_LIMIT_SECONDS
)
if not 0 < CHECK_SOFT_LIMIT_SECONDS < CHECK_TIME_LIMIT_SECONDS:
    raise ImproperlyConfigured("Set CHECK_SOFT_LIMIT_SECONDS below CHECK_TIME_LIMIT_SECONDS.")
# The same by the work that a check has done on its core, whatever else the machine does meanwhile;
# with deciding and writing it stays below ten seconds (tests/integration/analysis/worst_inputs.py).
CHECK_CPU_SECONDS = env.float("CHECK_CPU_SECONDS", default=9.0)
SUGGESTION_SECONDS = env.float("SUGGESTION_SECONDS", default=2.0)
CHECK_LEASE_SECONDS = env.int("CHECK_LEASE_SECONDS", default=30)
CHECK_VISIBILITY_TIMEOUT_SECONDS = env.int("CHECK_VISIBILITY_TIMEOUT_SECONDS", default=120)
CHECK_MAX_ATTEMPTS = env.int("CHECK_MAX_ATTEMPTS", default=5)
if not (0 < CHECK_TIME_LIMIT_SECONDS < CHECK_LEASE_SECONDS < CHECK_VISIBILITY_TIMEOUT_SECONDS):
    raise ImproperlyConfigured(
        "Set CHECK_TIME_LIMIT_SECONDS < CHECK_LEASE_SECONDS < CHECK_VISIBILITY_TIMEOUT_SECONDS: "
        "a worker must be stopped before another may take its check."
    )

# --- Every work queue (lib/workqueue/queue.py) -----------------------------------
QUEUE_OVERDUE_SECONDS = env.int("QUEUE_OVERDUE_SECONDS", default=15)
QUEUE_SWEEP_SECONDS = env.int("QUEUE_SWEEP_SECONDS", default=5)

# --- The sealed trail (docs/concepts/trail.md) -----------------------------------------
RETENTION_HOUR = env.int("RETENTION_HOUR", default=3)
TRAIL_SEAL_SECONDS = env.int("TRAIL_SEAL_SECONDS", default=10)
# 32 bytes in base64; without one the key is derived from SECRET_KEY.
TRAIL_SIGNING_KEY = env.str("TRAIL_SIGNING_KEY", default="")
# Public keys of earlier signing keys, so that what they signed still verifies.
TRAIL_PUBLIC_KEYS = env.list("TRAIL_PUBLIC_KEYS", default=[])
# --- The review desk ----------------------------------------------------------
# A reviewer's page renews the lease each minute; who closes it loses the item after this time.
REVIEW_LEASE_SECONDS = env.int("REVIEW_LEASE_SECONDS", default=300)
