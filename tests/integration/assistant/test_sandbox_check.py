"""The operator's command: it reports the tier of this machine."""

from functools import partial
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from lib.sandbox import Tier, available
from lib.sandbox.choosing import NAMES
from tests.commands import run

check = partial(run, "sandbox_check")


def test_it_names_every_canary_and_the_tier_in_use():
    tier = available().tier
    if tier is None:
        pytest.skip(f"no sandbox here: {available().reason}")
    report = check()
    assert f"{tier}: usable" in report
    assert all(f"  {name:<12} refused" in report for name in NAMES)
    assert report.rstrip().splitlines()[-1].startswith(f"In use: {tier}. A script took")


def test_it_fails_without_a_tier(settings, monkeypatch):
    from assistant.management.commands import sandbox_check
    from lib.sandbox import TierReport
    from lib.sandbox.choosing import Canary

    spoke = Canary("socket", refused=False, detail="spoke to port 1")
    monkeypatch.setattr(
        sandbox_check, "report", lambda tier: TierReport(tier, "not refused: socket", (spoke,))
    )
    with pytest.raises(CommandError, match="No tier is usable"):
        check()
    settings.SANDBOX_TIERS = [Tier.LANDLOCK.value]
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("sandbox_check", stdout=out)
    assert "bubblewrap" not in out.getvalue()
    assert "NOT REFUSED: spoke to port 1" in out.getvalue()
