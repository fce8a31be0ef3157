"""A tally put down and taken up again is the same tally."""

import json
from collections import Counter

from analysis.engine.replay.report import report, tally_from_json, tally_to_json
from analysis.engine.replay.rerun import DecisionOutcome, Replayed, Tally, together
from analysis.engine.types import Action

WARN = DecisionOutcome(Action.WARN, "no_sources", "There are none", None, 15)
BLOCK = DecisionOutcome(Action.BLOCK, "risk_score", "80 points", "off_topic", 80)
ALLOW = DecisionOutcome(Action.ALLOW, "all_supported", "All is", None, 0)
ONES = [
    Replayed("a", WARN, BLOCK, unsafe=True, sampled=True),
    Replayed("b", ALLOW, ALLOW, unsafe=False),
    Replayed("c", BLOCK, WARN),
    Replayed("d", BLOCK, None, cannot="never measured: nli"),
]


def tally(*ones: Replayed) -> Tally:
    tally = Tally()
    for item in ones:
        tally.add(item)
    return tally


def test_a_tally_comes_back_from_json_as_it_was() -> None:
    counts = tally(*ONES)
    assert tally_from_json(json.loads(json.dumps(tally_to_json(counts)))) == counts
    assert tally_from_json(json.loads(json.dumps(tally_to_json(Tally())))) == Tally()


def test_parts_come_to_the_whole() -> None:
    payload = json.loads(json.dumps(tally_to_json(tally(*ONES[:2]))))
    whole = together([tally_from_json(payload), tally(*ONES[2:])])
    assert report(whole) == report(tally(*ONES))
    assert whole.cannot == Counter({"never measured: nli": 1})
