"""The product's settings, with a migration of a later release."""

from watchdog_site.settings import *  # noqa: F403

MIGRATION_MODULES = {"accounts": "tests.integration.upgrade.later"}
