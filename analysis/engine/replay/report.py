"""A replay as one plain document for the API and the page, and its tally as JSON to resume it."""

from collections import Counter
from typing import Any

from analysis.engine.codec import decode, encode
from analysis.engine.replay.rerun import COUNTERS, Replayed, Tally
from analysis.engine.types import Action


def report(tally: Tally) -> dict[str, Any]:
    """Return counts and shares (0-1) before and after, and each check whose action changes.

    Shares are of the checks that could be replayed, None if there were none.
    """
    return {
        "replayed": tally.replayed,
        "cannot_be_replayed": {
            "count": tally.cannot.total(),
            "reasons": [
                {"reason": why, "count": count} for why, count in tally.cannot.most_common()
            ],
        },
        "changed": tally.changes,
        "actions": _actions(tally),
        "transitions": [
            {"before": was, "after": now, "count": count}
            for (was, now), count in tally.transitions.most_common()
        ],
        "flagged_by_reason": _rates(tally.reasons_before, tally.reasons_after, tally.replayed),
        "safety_rejections": _rates(
            tally.rejections_before, tally.rejections_after, tally.replayed
        ),
        "reviewed": _agreement(tally, sampled_only=False),
        "quality_sample": _agreement(tally, sampled_only=True),
        "changes": [
            {
                "check_id": replayed.check_id,
                "before": encode(replayed.before),
                "after": encode(replayed.after),
                "unsafe": replayed.unsafe,
            }
            for replayed in tally.changed
        ],
    }


def _actions(tally: Tally) -> list[dict[str, Any]]:
    before, after = Counter[str](), Counter[str]()
    for (was, now), count in tally.transitions.items():
        before[was] += count
        after[now] += count
    return _rates(before, after, tally.replayed, [action.value for action in Action])


def _rates(
    before: Counter[str], after: Counter[str], whole: int, names: list[str] | None = None
) -> list[dict[str, Any]]:
    """Return each name with its counts and shares; by default the most frequent first."""
    names_listed = names or [name for name, _ in (before + after).most_common()]
    return [
        {
            "name": name,
            "before": before[name],
            "after": after[name],
            "share_before": round(before[name] / whole, 4) if whole else None,
            "share_after": round(after[name] / whole, 4) if whole else None,
        }
        for name in names_listed
    ]


def _agreement(tally: Tally, *, sampled_only: bool) -> dict[str, Any]:
    return {
        "before": encode(tally.quality(after=False, sampled_only=sampled_only)),
        "after": encode(tally.quality(after=True, sampled_only=sampled_only)),
    }


def tally_to_json(tally: Tally) -> dict[str, Any]:
    """Return counters as lists of [key, count]; a key of several parts is a list."""
    counters = {name: list(getattr(tally, name).items()) for name in COUNTERS}
    return {"replayed": tally.replayed, **counters, "changed": encode(tally.changed)}


def tally_from_json(document: dict[str, Any]) -> Tally:
    """Return the tally in a document of `tally_to_json`. Raises KeyError for another."""
    counters: dict[str, Any] = {
        name: Counter({tuple(k) if isinstance(k, list) else k: n for k, n in document[name]})
        for name in COUNTERS
    }
    changed = decode(list[Replayed], document["changed"])
    return Tally(replayed=document["replayed"], changed=changed, **counters)
