import os
os.environ["WATCHDOG_GALLERY"] = "/tmp/hs-gal2"
from tests.browser import test_gallery as g
from tests.browser.test_gallery import *  # noqa
from tests.browser.test_gallery import kim  # noqa
g.WIDE = {"width": 1440, "height": 900}
g.LOOKS = (("light", g.WIDE, ()), ("dark", g.WIDE, ("color-contrast",)),
           ("tablet", {"width": 768, "height": 1024}, ()), ("phone", g.PHONE, ("target-size",)))
ONLY = ("collections", "collection-new", "files", "document", "application-", "trail-entry", "assistant-turn",
        "workbench-item", "verdict-block", "settings", "team-add", "key-add", "sub-add", "holiday-add", "checks", "dashboard", "reviews", "notification", "policies")

del test_every_page_in_light_in_dark_and_on_a_phone

@pytest.mark.timeout(1_200)
def test_walk(logged_in, kim, submit, link_to):
    logged_in.set_default_timeout(60_000)
    pages = fill(logged_in, submit, link_to) | lists_and_forms()
    pages |= {"team-add": "/admin/accounts/team/add/", "key-add": "/admin/accounts/apikey/add/", "sub-add": "/admin/notifications/subscription/add/", "holiday-add": "/admin/accounts/holiday/add/"}
    wrong = [line for name, path in pages.items() if name.startswith(ONLY) for line in g.faults(logged_in, name, path)]
    assert not wrong, "\n".join(wrong)
