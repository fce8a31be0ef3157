"""E-mail and webhooks (docs/how-to/notifications.md)."""

from watchdog_site.settings.environment import env

EMAIL_HOST = env.str("EMAIL_HOST", default="")
EMAIL_PORT = env.int("EMAIL_PORT", default=587)
EMAIL_HOST_USER = env.str("EMAIL_USER", default="")
EMAIL_HOST_PASSWORD = env.str("EMAIL_PASSWORD", default="")
EMAIL_USE_TLS = env.bool("EMAIL_STARTTLS", default=True)
EMAIL_USE_SSL = env.bool("EMAIL_TLS", default=False)
if EMAIL_USE_SSL:
    EMAIL_USE_TLS = False
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default="watchdog@localhost")
# Domains that managers may send briefings to, besides the address of their own log-in.
BRIEFING_DOMAINS = [domain.lower() for domain in env.list("BRIEFING_DOMAINS", default=[])]
# Hosts inside one's own network that webhooks may go to, also over plain http.
WEBHOOK_ALLOWED_HOSTS = env.list("WEBHOOK_ALLOWED_HOSTS", default=[])
WEBHOOK_SECONDS = 5.0
# What the secrets of webhooks are derived from; SECRET_KEY where none is set.
WEBHOOK_KEY = env.str("WEBHOOK_KEY", default="")
# How long what arrived is listed.
NOTIFICATIONS_KEEP_DAYS = env.int("NOTIFICATIONS_KEEP_DAYS", default=30)
