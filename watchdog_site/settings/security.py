"""HTTPS, cookies, and what pages of other origins may do."""

from corsheaders.defaults import default_headers

from watchdog_site.settings.environment import env

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
# HttpsMiddleware is a SecurityMiddleware; the check knows only the name of the original.
SILENCED_SYSTEM_CHECKS = ["security.W001"]
