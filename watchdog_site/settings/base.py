"""Django's own settings: hosts, languages, apps, middleware, templates, static files."""

import django_stubs_ext

from watchdog_site.settings.environment import BASE_DIR as ROOT
from watchdog_site.settings.environment import env, required

# Assigned, not only imported: mypy's plugin for Django does not see an imported setting.
BASE_DIR = ROOT

# Lets `ModelAdmin[Check]` and the like be written where the code runs, not only for mypy.
django_stubs_ext.monkeypatch()

SECRET_KEY = required(
    "SECRET_KEY",
    "`make run` makes one for you; elsewhere set 50 random characters, for example "
    "`python -c 'import secrets; print(secrets.token_urlsafe(50))'`.",
)
# Former ones: what they signed or encrypted is still accepted.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
DEBUG = env.bool("DEBUG", default=False)
# Names under which our own nodes call the API over plain HTTP, inside a private network.
INTERNAL_HOSTS = env.list("INTERNAL_HOSTS", default=[])
ALLOWED_HOSTS = [
    *env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"]),
    *INTERNAL_HOSTS,
]
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
    "desk.reviews",
    "desk.verdict_page",
    "desk.dashboard",
    "desk.policies",
    "desk.scoring",
    "api",
    "assistant",
    "operations",
    # Development only: the product image does not contain it.
    *(["tools.evaluation"] if (BASE_DIR / "tools" / "evaluation").is_dir() else []),
]

MIDDLEWARE = [
    "watchdog_site.health.HealthMiddleware",
    "watchdog_site.metrics.HttpMetricsMiddleware",
    "watchdog_site.middleware.HttpsMiddleware",
    # Before all that may answer by itself: static files, and errors of what comes later.
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "watchdog_site.middleware.RequestLogMiddleware",
    "watchdog_site.middleware.RequestIdMiddleware",
    "watchdog_site.tracing.TraceMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "watchdog_site.middleware.PageLanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.sessions.IdleSessionMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "accounts.second_factor.SecondFactorMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
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
            ]
        },
    }
]

# --- Static files -----------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = env.path("STATIC_ROOT", default=str(BASE_DIR / "staticfiles"))()
STATICFILES_DIRS = [BASE_DIR / "static"]
# Serve straight from the apps' folders, without `collectstatic` (tests, development).
WHITENOISE_USE_FINDERS = env.bool("STATIC_FROM_SOURCE", default=DEBUG)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if WHITENOISE_USE_FINDERS
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
