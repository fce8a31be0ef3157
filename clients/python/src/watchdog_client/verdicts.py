"""Verdicts as headers and as a member of a response. Pure functions."""

from collections.abc import Sequence
from typing import Any

from watchdog_client.guard import GuardedAnswer

NOT_CHECKED = "NOT_CHECKED"
ACTION_HEADER, CHECK_HEADER = "X-Watchdog-Action", "X-Watchdog-Check"
HOLD_HEADER = "X-Watchdog-Hold"
MODE_HEADER, OBSERVE = "X-Watchdog-Mode", "observe"
_SEVERITY = {"ALLOW": 0, "WARN": 1, NOT_CHECKED: 2, "BLOCK": 3}


def verdict_of(result: GuardedAnswer) -> dict[str, Any]:
    """Return the decision about one text, without the text itself."""
    check, mode = result.check, {"mode": OBSERVE} if result.observed else {}
    if check is None:
        return {"action": NOT_CHECKED, "error": str(result.error), **mode}
    hold = {"hold": check.hold.model_dump(mode="json")} if check.hold else {}
    return {
        **mode,
        **hold,
        "action": result.action or NOT_CHECKED,
        "check_id": check.id,
        "risk_score": check.risk_score,
        "explanation": check.explanation,
        "reasons": [reason.code for reason in check.reasons],
    }


def summary(results: Sequence[GuardedAnswer]) -> dict[str, Any]:
    """Return the most severe action and every verdict."""
    verdicts = [verdict_of(result) for result in results]
    actions = [str(verdict["action"]) for verdict in verdicts]
    return {"action": max(actions, key=_SEVERITY.__getitem__, default=None), "checks": verdicts}


def headers(results: Sequence[GuardedAnswer]) -> dict[str, str]:
    """Return the most severe action and the ids of the checks; nothing if no text was checked."""
    if not results:
        return {}
    ids = ",".join(result.check.id for result in results if result.check)
    mode = {MODE_HEADER: OBSERVE} if any(result.observed for result in results) else {}
    checks = {CHECK_HEADER: ids} if ids else {}
    holds = [result.check.hold for result in results if result.check and result.check.hold]
    hold = {HOLD_HEADER: holds[0].state} if holds else {}
    return {ACTION_HEADER: str(summary(results)["action"]), **mode, **hold, **checks}
