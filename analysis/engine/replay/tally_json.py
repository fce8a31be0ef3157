"""A tally as JSON, so that a long replay can be put down and taken up again."""

from collections import Counter
from dataclasses import asdict
from typing import Any

from analysis.engine.replay.rerun import COUNTERS, DecisionOutcome, Replayed, Tally
from analysis.engine.types import Action


def tally_to_json(tally: Tally) -> dict[str, Any]:
    """Counters become lists of [key, count]; a key of several parts is a list."""
    counters = {name: list(getattr(tally, name).items()) for name in COUNTERS}
    return {
        "replayed": tally.replayed,
        **{name: [[_key_json(key), n] for key, n in items] for name, items in counters.items()},
        "changed": [asdict(replayed) for replayed in tally.changed],
    }


def tally_from_json(document: dict[str, Any]) -> Tally:
    """The tally of a document that `tally_to_json` made. Raises KeyError for another."""
    counters: dict[str, Any] = {
        name: Counter({_key(key): n for key, n in document[name]}) for name in COUNTERS
    }
    return Tally(
        replayed=document["replayed"],
        changed=[_replayed(item) for item in document["changed"]],
        **counters,
    )


def _replayed(data: dict[str, Any]) -> Replayed:
    after = data["after"]
    return Replayed(
        **data | {"before": _outcome(data["before"]), "after": after and _outcome(after)}
    )


def _outcome(data: dict[str, Any]) -> DecisionOutcome:
    return DecisionOutcome(**data | {"action": Action(data["action"])})


def _key_json(key: Any) -> Any:
    return list(key) if isinstance(key, tuple) else key


def _key(data: Any) -> Any:
    return tuple(data) if isinstance(data, list) else data
