"""A tally as JSON, so that a long replay can be interrupted and resumed."""

from collections import Counter
from typing import Any

from analysis.engine.codec import decode, encode
from analysis.engine.replay.rerun import COUNTERS, Replayed, Tally


def tally_to_json(tally: Tally) -> dict[str, Any]:
    """Return counters as lists of [key, count]; a key of several parts is a list."""
    counters = {name: list(getattr(tally, name).items()) for name in COUNTERS}
    return {"replayed": tally.replayed, **counters, "changed": encode(tally.changed)}


def tally_from_json(document: dict[str, Any]) -> Tally:
    """Return the tally in a document of `tally_to_json`. Raises KeyError for another."""
    counters: dict[str, Any] = {
        name: Counter({_key(key): n for key, n in document[name]}) for name in COUNTERS
    }
    changed = decode(list[Replayed], document["changed"])
    return Tally(replayed=document["replayed"], changed=changed, **counters)


def _key(data: Any) -> Any:
    return tuple(data) if isinstance(data, list) else data
