"""A replay as one plain document: what the API gives and the page shows."""

from collections import Counter
from typing import Any

from analysis.engine.replay.rerun import Outcome, Quality, Replayed, Tally
from analysis.engine.types import Action


def report(found: Tally) -> dict[str, Any]:
    """Counts and shares (0-1) before and after, and each check whose action is another one.

    Shares are of the checks that could be replayed, None where there were none.
    """
    return {
        "replayed": found.replayed,
        "cannot_be_replayed": {
            "count": found.cannot.total(),
            "reasons": [
                {"reason": why, "count": count} for why, count in found.cannot.most_common()
            ],
        },
        "changed": found.changes,
        "actions": _actions(found),
        "transitions": [
            {"before": was, "after": now, "count": count}
            for (was, now), count in found.transitions.most_common()
        ],
        "flagged_by_reason": _rates(found.reasons_before, found.reasons_after, found.replayed),
        "safety_rejections": _rates(
            found.rejections_before, found.rejections_after, found.replayed
        ),
        "reviewed": _agreement(found, sampled_only=False),
        "quality_sample": _agreement(found, sampled_only=True),
        "changes": [_change(one) for one in found.changed],
    }


def _actions(found: Tally) -> list[dict[str, Any]]:
    before, after = Counter[str](), Counter[str]()
    for (was, now), count in found.transitions.items():
        before[was] += count
        after[now] += count
    return _rates(before, after, found.replayed, [action.value for action in Action])


def _rates(
    before: Counter[str], after: Counter[str], whole: int, names: list[str] | None = None
) -> list[dict[str, Any]]:
    """Each name with its counts and shares; by default the most frequent first."""
    listed = names or [name for name, _ in (before + after).most_common()]
    return [
        {
            "name": name,
            "before": before[name],
            "after": after[name],
            "share_before": round(before[name] / whole, 4) if whole else None,
            "share_after": round(after[name] / whole, 4) if whole else None,
        }
        for name in listed
    ]


def _agreement(found: Tally, *, sampled_only: bool) -> dict[str, Any]:
    def told(*, after: bool) -> dict[str, Any]:
        return _quality(found.quality(after=after, sampled_only=sampled_only))

    return {"before": told(after=False), "after": told(after=True)}


def _quality(found: Quality) -> dict[str, Any]:
    return {
        "reviewed": found.reviewed,
        "true_positives": found.true_positives,
        "false_positives": found.false_positives,
        "false_negatives": found.false_negatives,
        "true_negatives": found.true_negatives,
        "precision": found.precision,
        "recall": found.recall,
    }


def _change(one: Replayed) -> dict[str, Any]:
    after = _outcome(one.after) if one.after else None
    return {
        "check_id": one.check_id,
        "before": _outcome(one.before),
        "after": after,
        "unsafe": one.unsafe,
    }


def _outcome(found: Outcome) -> dict[str, Any]:
    return {
        "action": found.action.value,
        "reason": found.code,
        "text": found.why,
        "safety_rejection": found.rejection or None,
        "risk_score": found.risk_score,
    }
