"""For Python applications: check an LLM's answer before it goes on (seed 1, "Middleware").

from watchdog_client import BlockResponseException, RiskCheckMiddleware

guard = RiskCheckMiddleware()                              # in this process, rules only
guard = RiskCheckMiddleware(HttpCheck(url, api_key))       # by a WATCHDOG server, on record
try:
    text = guard.process_llm_response(prompt, response, rag)
except BlockResponseException as blocked:
    text = blocked.assessment["explanation"]
"""

from watchdog_client.http import HttpCheck, NotCheckedError
from watchdog_client.middleware import BlockResponseException, RiskCheckMiddleware
from watchdog_client.webhooks import WebhookError, verified

__all__ = [
    "BlockResponseException",
    "HttpCheck",
    "NotCheckedError",
    "RiskCheckMiddleware",
    "WebhookError",
    "verified",
]
