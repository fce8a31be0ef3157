"""Every page of the product with content: light, dark, on a tablet and on a phone.

Each is judged by axe-core, may not scroll sideways or shift, has the heads, fields and dates of all
others, and is saved as a picture where WATCHDOG_GALLERY names a folder: to be looked at one by one
before a release.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, ViewportSize, expect

from accounts.models import Application, Team
from analysis.models import Review
from analysis.services.policies import active_policy
from analysis.services.trends import count_waiting
from audit.models import TrailEntry
from documents.models import Document
from memory.models import Manager
from memory.services.managers import create_manager
from notifications.models import Subscription
from tests.browser.accessibility import grave_violations
from tests.browser.test_assistant import HEIGHT, OURS, ask, upload
from tests.browser.test_page_weight import MOST_SHIFT
from tests.browser.test_review_desk import submit_blocked

WIDE: ViewportSize = {"width": 1360, "height": 900}
TABLET: ViewportSize = {"width": 1024, "height": 768}
PHONE: ViewportSize = {"width": 390, "height": 844}
LOOKS = (
    ("light", WIDE, ()),
    ("dark", WIDE, ("color-contrast",)),
    ("tablet", TABLET, ("target-size",)),
    ("phone", PHONE, ("target-size",)),
)
SHIFT = """() => new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) sum += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(sum), 200);
})"""
"""The sum of all layout shifts since the page was opened."""
ODD = r"""() => {
  const shown = (element) =>
    element.getClientRects().length && !element.closest(".wd-unseen, .visually-hidden");
  const every = (query) => [...document.querySelectorAll(query)].filter(shown);
  const odd = [];
  const tell = (element, is) => odd.push(`${is}: ${element.outerHTML.slice(0, 120)}`);
  for (const head of every("main h1:not(.wd-verdict h1)")) {
    const { fontSize, fontWeight } = getComputedStyle(head);
    if (fontSize !== "22px" || fontWeight !== "600") tell(head, `${fontSize} ${fontWeight}`);
  }
  const none = ":not([type=checkbox], [type=radio], [type=file], [multiple], [size])";
  for (const field of every(`main :is(input, select)${none}`)) {
    const { height } = field.getBoundingClientRect(), { borderRadius } = getComputedStyle(field);
    // A site manager's fields are as high as a finger.
    const is = `${height} ${borderRadius}`;
    if (!["32 6px", "44 6px"].includes(is)) tell(field, is);
  }
  for (const label of every("main label:not(.wd-button)")) {
    const sizes = [label, label.parentElement].map((some) => getComputedStyle(some).fontSize);
    if (sizes[0] !== sizes[1]) tell(label, sizes.join(" in "));
  }
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (/\b20\d\d-\d\d-\d\d\b/.test(data) && shown(parentElement) && !parentElement.closest("pre"))
      tell(parentElement, data.trim());
  }
  return odd;
}"""
"""Heads, fields, labels and dates that look otherwise than those of the other pages."""
TOWER = {
    "id": "tower",
    "title": "City guide",
    "text": "The tower is 300 m high. It opened in 1889.",
}
TALK = (
    ("How high is the tower?", "The tower is 300 m high."),
    ("When did the tower open?", "The tower opened in 1895, and a lift was added in 1930."),
    ("Who designed the tower?", "It was certainly designed by Jean Martin."),
)


def faults(page: Page, name: str, path: str) -> list[str]:
    """Return the faults of one page in its looks; save each look where that is asked for."""
    wrong = []
    for look, size, rules in LOOKS:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme="dark" if look == "dark" else "light")
        if look == LOOKS[0][0]:
            page.goto(path)
            shift = page.evaluate(SHIFT)
            wrong += [f"{name}: shifts by {shift}"] if shift > MOST_SHIFT else []
        wrong += [f"{name} ({look}): {line}" for line in page.evaluate(ODD)]
        wrong += [f"{name} ({look}): {line}" for line in grave_violations(page, *rules)]
        excess = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        wrong += [f"{name} ({look}): {excess} px too wide"] if excess > 0 else []
        save(page, f"{name}-{look}.png")
    return wrong


def save(page: Page, name: str) -> None:
    folder = os.environ.get("WATCHDOG_GALLERY")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / name, full_page=True, animations="disabled")


@pytest.fixture
def kim(logged_in, token) -> Manager:
    """Make a site manager of the same application."""
    application = Application.objects.get(slug="help-desk")
    user = User.objects.get(username="root")
    return create_manager(application=application, name="Kim", user=user, by="test")


def fill(page: Page, submit: Callable[..., str], link_to: Callable[..., str]) -> dict[str, str]:
    """Make answers, a document, a turn, a fact and a review; return the pages that show them."""
    checks = [submit(query=query, answer=answer, sources=[TOWER]) for query, answer in TALK]
    blocked = submit_blocked(submit)
    count_waiting(wait=True)
    page.goto("/assistant/")
    upload(page, *OURS.files)
    ask(page, HEIGHT)
    turn = page.url
    page.goto("/memory/")
    page.get_by_label("In your own words").fill("The scaffold wind limit is 25 km/h.")
    page.get_by_role("button", name="Remember").click()
    expect(page.get_by_role("status")).to_contain_text("remembered.", timeout=60_000)
    memory = page.url
    page.goto("/admin/analysis/review/workbench/")
    page.locator("#decide").wait_for()
    return {
        "verdict-allow": f"/admin/analysis/check/{checks[0]}/change/",
        "verdict-warn": f"/admin/analysis/check/{checks[1]}/change/",
        "verdict-block": f"/admin/analysis/check/{blocked}/change/",
        "confidence": link_to(blocked),
        "playground-verdict": f"/playground/{blocked}/",
        "workbench-item": page.url,
        "assistant-turn": turn,
        "memory": memory,
    }


def lists_and_forms() -> dict[str, str]:
    """Return the pages that need nothing but an address."""
    application = Application.objects.get(slug="help-desk")
    document = Document.objects.latest("pk")
    policy = f"/admin/analysis/policy/{active_policy(application.pk).pk}"
    analysis = "/admin/analysis"
    return {
        "home": "/",
        "playground": "/playground/",
        "records": "/admin/",
        "checks": f"{analysis}/check/",
        "reviews": f"{analysis}/review/",
        "review": f"{analysis}/review/{Review.objects.latest('pk').pk}/change/",
        "agreement": f"{analysis}/review/agreement/",
        "oversight": f"{analysis}/review/oversight/",
        "workbench": f"{analysis}/review/workbench/",
        "policies": f"{analysis}/policy/",
        "policy": f"{policy}/change/",
        "policy-form": f"{policy}/new/",
        "policy-setting": f"{policy}/new/?setting=warn_at",
        "policy-search": f"{policy}/change/?q=risk",
        "settings": "/settings/",
        "people": "/admin/accounts/membership/",
        **{
            f"application-{tab}": f"/admin/accounts/application/{application.pk}/change/?tab={tab}"
            for tab in ("general", "hours", "deadlines", "review", "limits", "retention")
        },
        "policy-replay": f"{policy}/replay/?sample=10",
        "policy-replay-job": f"{policy}/replay/?sample=20000",
        "policy-trial": f"{policy}/trial/",
        "advice": "/admin/advice/",
        "jobs": f"{analysis}/job/",
        "dashboard": "/admin/dashboard/",
        "dashboard-reviews": "/admin/dashboard/reviews/",
        "dashboard-topics": "/admin/dashboard/topics/",
        "dashboard-drift": "/admin/dashboard/drift/",
        "dashboard-operation": "/admin/dashboard/operation/",
        "sampling": f"{analysis}/review/sampling/",
        "evaluation": f"{analysis}/review/evaluation/",
        "policy-fit": f"{policy}/fit/",
        "cases": f"{analysis}/case/",
        "case-form": f"{analysis}/case/add/",
        "instructions": f"{analysis}/queueinstructions/",
        "batches": f"{analysis}/batch/",
        "teams": "/admin/accounts/team/",
        "holidays": "/admin/accounts/holiday/",
        "holiday-form": "/admin/accounts/holiday/add/",
        "applications": "/admin/accounts/application/",
        "assistant": "/assistant/",
        "collections": "/admin/documents/collection/",
        "collection-new": "/admin/documents/collection/add/",
        "files": f"/admin/documents/document/?collection={document.collection_id}",
        "document": f"/admin/documents/document/{document.pk}/change/",
        "trail": "/admin/audit/trailentry/",
        "verification": "/admin/audit/trailentry/verification/",
        "trail-entry": f"/admin/audit/trailentry/{TrailEntry.objects.latest('pk').pk}/change/",
        "subscriptions": "/admin/notifications/subscription/",
        "notifications": "/admin/notifications/notification/",
        "subscription-form": "/admin/notifications/subscription/add/",
        "keys": "/admin/accounts/apikey/",
        "key-form": "/admin/accounts/apikey/add/",
        "usage": "/admin/usage/",
        "probes": "/admin/probes/",
        "probe-form": "/admin/analysis/probe/add/",
        "evidence": f"/admin/evidence/?application={application.pk}"
        "&first=2026-01-01&last=2026-12-31",
        "password": "/account/password",
        "second-factor": "/account/second-factor",
    }


@pytest.mark.timeout(1_800)  # sixty pages, each looked over four times, on whatever machine
def test_every_page_in_light_in_dark_and_on_a_phone(logged_in, kim, submit, link_to) -> None:
    logged_in.set_default_timeout(60_000)
    Team.objects.create(application=Application.objects.get(slug="help-desk"), name="Contracts")
    Subscription.objects.create(
        application=Application.objects.get(slug="help-desk"),
        channel="webhook", target="https://hooks.example.com/desk",
    )  # fmt: skip
    pages = fill(logged_in, submit, link_to) | lists_and_forms()
    wrong = [line for name, path in pages.items() for line in faults(logged_in, name, path)]
    assert not wrong, "\n".join(wrong)
