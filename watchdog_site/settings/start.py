"""What `manage.py initialize` creates, so that a first start needs no shell."""

from watchdog_site.settings.environment import env

INIT_APPLICATION = env.str("WATCHDOG_INIT_APPLICATION", default="")
INIT_KEY = env.str("WATCHDOG_INIT_KEY", default="")
INIT_ADMIN_EMAIL = env.str("WATCHDOG_INIT_ADMIN_EMAIL", default="")
INIT_ADMIN_PASSWORD = env.str("WATCHDOG_INIT_ADMIN_PASSWORD", default="")
