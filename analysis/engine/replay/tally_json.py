"""A tally as JSON, so that a long replay can be put down and taken up again."""

from collections import Counter
from typing import Any

from analysis.engine.codec import decode, encode
from analysis.engine.replay.rerun import COUNTERS, Replayed, Tally


def tally_to_json(tally: Tally) -> dict[str, Any]:
    """Counters become lists of [key, count]; a key of several parts is a list."""
    counters = {name: list(getattr(tally, name).items()) for name in COUNTERS}
    return {"replayed": tally.replayed, **counters, "changed": encode(tally.changed)}


def tally_from_json(document: dict[str, Any]) -> Tally:
    """The tally of a document that `tally_to_json` made. Raises KeyError for another."""
    counters: dict[str, Any] = {
        name: Counter({_key(key): n for key, n in document[name]}) for name in COUNTERS
    }
    changed = decode(list[Replayed], document["changed"])
    return Tally(replayed=document["replayed"], changed=changed, **counters)


def _key(data: Any) -> Any:
    return tuple(data) if isinstance(data, list) else data
