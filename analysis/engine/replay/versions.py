"""Engine versions whose rules this build has: only their decisions can be made again."""

from collections.abc import Mapping

SAME_RULES: Mapping[str, str] = {
    "1.3.0": "the safety checks of seed 3; it measured no scope, and without one they say the same",
    "1.4.0": "its reasons told all that is not supported as one, and still do; no partial answers",
    "1.5.0": "it held claims against records by words alone; without fields they decide the same",
    "1.6.0": "it looked for no figures and names everywhere; its signals keep its weights",
    "1.7.0": "its decisions carried no response score; its policies set no limit for one",
    "1.8.0": "it did not say which model judged a claim; its signals keep the weights of then",
    "1.9.0": "it read other windows by another form of the model, whose name its weights go by",
    "1.10.0": "it did not say which claims its model spared; its signals keep the words' weights",
    "1.11.0": "this build",
}
"""Each with why its rules are those here. A version is on the list where every decision that it
stored comes out of this build bit for bit: tests/unit/analysis/engine/stored holds one file for
each (`decided_*.json`), which is decided again in `test_versions.py`. 1.0.0 to 1.2.0 are not: they
knew no safety checks, and their final responses were made by other rules."""


def has_rules_of(engine_version: str) -> bool:
    """Whether this build decides as that version did."""
    return engine_version in SAME_RULES
