"""Log-in of people: passwords, sessions, a second factor, an OpenID Connect provider."""

from datetime import timedelta

from django.core.exceptions import ImproperlyConfigured

from accounts.oidc.rights import is_safe_issuer, read_grants
from watchdog_site.settings.environment import env

# Managers log in here; reviewers and leads in the admin.
LOGIN_URL = LOGOUT_REDIRECT_URL = "login"
LOGIN_REDIRECT_URL = "home"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# --- Log-in (docs/operations/security.md) -------------------------------------------------
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "accounts.backends.LocalAccounts",
    "accounts.backends.ProviderAccounts",
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
SESSION_ENGINE = "accounts.session_store"
SESSION_IDLE_SECONDS = env.int("SESSION_IDLE_SECONDS", default=3_600)
SESSION_COOKIE_AGE = env.int("SESSION_SECONDS", default=43_200)
if not 0 < SESSION_IDLE_SECONDS <= SESSION_COOKIE_AGE:
    raise ImproperlyConfigured("Set 0 < SESSION_IDLE_SECONDS <= SESSION_SECONDS.")

# --- Sign-in at an OpenID Connect provider (docs/how-to/sign-in.md) -------------
OIDC_ISSUER = env.str("OIDC_ISSUER", default="")  # exactly as the provider writes it
OIDC_CLIENT_ID = env.str("OIDC_CLIENT_ID", default="")
OIDC_CLIENT_SECRET = env.str("OIDC_CLIENT_SECRET", default="")
OIDC_SCOPES = env.list("OIDC_SCOPES", default=["openid", "profile", "email"])
OIDC_NAME_CLAIM = env.str("OIDC_NAME_CLAIM", default="preferred_username")
OIDC_GROUPS_CLAIM = env.str("OIDC_GROUPS_CLAIM", default="groups")
# What a sign-in must have taken (a second factor), in the provider's own words; empty: anything.
OIDC_ACR_VALUES = env.list("OIDC_ACR_VALUES", default=[])
OIDC_LABEL = env.str("OIDC_LABEL", default="")
try:
    OIDC_GROUPS = read_grants(env.json("OIDC_GROUPS", default={}))
except ValueError as _error:
    raise ImproperlyConfigured(f"OIDC_GROUPS: {_error}.") from _error
LOCAL_LOGIN = env.bool("LOCAL_LOGIN", default=True)
BREAK_GLASS_USER = env.str("BREAK_GLASS_USER", default="")
if OIDC_ISSUER and not OIDC_CLIENT_ID:
    raise ImproperlyConfigured("Set OIDC_CLIENT_ID: the provider knows us by it.")
if OIDC_ISSUER and not is_safe_issuer(OIDC_ISSUER):
    raise ImproperlyConfigured("OIDC_ISSUER begins with https:// (http:// on this machine alone).")
if not LOCAL_LOGIN and not OIDC_ISSUER:
    raise ImproperlyConfigured("LOCAL_LOGIN=false needs OIDC_ISSUER: nobody could log in.")

# --- What `manage.py initialize` creates, so that a first start needs no shell ---
INIT_APPLICATION = env.str("WATCHDOG_INIT_APPLICATION", default="")
INIT_KEY = env.str("WATCHDOG_INIT_KEY", default="")
INIT_ADMIN_EMAIL = env.str("WATCHDOG_INIT_ADMIN_EMAIL", default="")
INIT_ADMIN_PASSWORD = env.str("WATCHDOG_INIT_ADMIN_PASSWORD", default="")
