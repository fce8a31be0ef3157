"""A tally as JSON, so that a long replay can be put down and taken up again."""

from collections import Counter
from dataclasses import asdict
from typing import Any

from analysis.engine.replay.rerun import COUNTERS, Outcome, Replayed, Tally
from analysis.engine.types import Action


def tally_to_json(found: Tally) -> dict[str, Any]:
    """Counters become lists of [key, count]; a key of several parts is a list."""
    counters = {name: list(getattr(found, name).items()) for name in COUNTERS}
    return {
        "replayed": found.replayed,
        **{name: [[_listed(key), n] for key, n in items] for name, items in counters.items()},
        "changed": [asdict(one) for one in found.changed],
    }


def tally_from_json(document: dict[str, Any]) -> Tally:
    """The tally of a document that `tally_to_json` made. Raises KeyError for another."""
    counters: dict[str, Any] = {
        name: Counter({_key(key): n for key, n in document[name]}) for name in COUNTERS
    }
    return Tally(
        replayed=document["replayed"],
        changed=[_replayed(one) for one in document["changed"]],
        **counters,
    )


def _replayed(held: dict[str, Any]) -> Replayed:
    after = held["after"]
    return Replayed(
        **held | {"before": _outcome(held["before"]), "after": after and _outcome(after)}
    )


def _outcome(held: dict[str, Any]) -> Outcome:
    return Outcome(**held | {"action": Action(held["action"])})


def _listed(key: Any) -> Any:
    return list(key) if isinstance(key, tuple) else key


def _key(held: Any) -> Any:
    return tuple(held) if isinstance(held, list) else held
