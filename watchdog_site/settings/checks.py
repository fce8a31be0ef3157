"""The life of a check, work queues, and the trail that is sealed behind them."""

from django.core.exceptions import ImproperlyConfigured

from watchdog_site.settings.environment import env

# --- The life of a check ----------------------------------------------------
CHECK_TIME_LIMIT_SECONDS = env.int("CHECK_TIME_LIMIT_SECONDS", default=20)
# After this the signals that have not ended are truncated, which warns; the rest of the time is for
# deciding and writing down what there is.
CHECK_SOFT_LIMIT_SECONDS = 0.75 * CHECK_TIME_LIMIT_SECONDS
# The same by the work that a check has done on its core, whatever else the machine does meanwhile;
# it stays below ten seconds with deciding and writing (integration/analysis/test_worst_inputs.py).
CHECK_CPU_SECONDS = 9.0
SUGGESTION_SECONDS = 2.0
if CHECK_TIME_LIMIT_SECONDS < 1:
    raise ImproperlyConfigured("Set CHECK_TIME_LIMIT_SECONDS to a number of seconds from 1.")
# A worker is stopped before another may take its check; Celery sends the message again after that.
CHECK_LEASE_SECONDS = 1.5 * CHECK_TIME_LIMIT_SECONDS
CHECK_VISIBILITY_TIMEOUT_SECONDS = 6 * CHECK_TIME_LIMIT_SECONDS

# --- Every work queue (lib/workqueue/queue.py) -----------------------------------
QUEUE_SWEEP_SECONDS = env.int("QUEUE_SWEEP_SECONDS", default=5)
QUEUE_OVERDUE_SECONDS = 3 * QUEUE_SWEEP_SECONDS
# Of a check, a document or a question, which then fails.
QUEUE_MAX_ATTEMPTS = env.int("QUEUE_MAX_ATTEMPTS", default=5)

# --- The sealed trail (docs/concepts/trail.md) -----------------------------------------
RETENTION_HOUR = env.int("RETENTION_HOUR", default=3)
# 32 bytes in base64; without one the key is derived from SECRET_KEY.
TRAIL_SIGNING_KEY = env.str("TRAIL_SIGNING_KEY", default="")
# Public keys of earlier signing keys, so that what they signed still verifies.
TRAIL_PUBLIC_KEYS = env.list("TRAIL_PUBLIC_KEYS", default=[])
