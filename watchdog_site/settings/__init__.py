"""Settings of WATCHDOG. Every value comes from the environment, with a type and a default.

A secret has no default: when it is missing, the start fails and says what to set.
"""

from watchdog_site.settings.api import *
from watchdog_site.settings.assistant import *
from watchdog_site.settings.base import *
from watchdog_site.settings.checks import *
from watchdog_site.settings.database import *
from watchdog_site.settings.documents import *
from watchdog_site.settings.login import *
from watchdog_site.settings.models import *
from watchdog_site.settings.monitoring import *
from watchdog_site.settings.notifications import *
from watchdog_site.settings.security import *
