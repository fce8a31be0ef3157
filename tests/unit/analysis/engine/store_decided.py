"""Writes what this build decides of a few answers, for `test_versions.py`.

`python -m tests.unit.analysis.engine.store_decided`: run once for each new engine version; its
file is kept as long as `SAME_RULES` names it.
"""

import json
from pathlib import Path
from typing import Any

from analysis.engine import ENGINE_VERSION, Submission, measure
from analysis.engine.decision import decide
from analysis.engine.policy.presets import PRESETS
from analysis.engine.types import Source
from inference.nli.loading import load
from inference.nli.types import EntailmentModel

FOLDER = Path(__file__).parent / "stored"
MILL = Source("mill", "The old mill stands in Lyon. It was built in 1840 of grey stone.")
COLLEGE = Source("gazette", "SSN College closed in 2019. It did not merge with SNU.")
CAFE = Source("cafe", '{"hours": {"Monday": "8:0-16:0", "Tuesday": "8:0-16:0", "Friday": "8:0-22:0"}, "attributes": {"OutdoorSeating": false, "WiFi": "free"}}')  # fmt: skip # noqa: E501
SUBMISSIONS = (
    Submission("The old mill stands in Lyon [1]. It was built in 1840.", "Where?", (MILL,)),
    Submission("The old mill stands in Oslo [7].", "Where is the old mill?", (MILL,)),
    Submission("SSN College definitely closed in 2026 and merged with SNU.", "", (COLLEGE,)),
    Submission("SSN College closed in 2019. Bananas grow in Kenya.", "When?", (COLLEGE, MILL)),
    Submission("It definitely closed in 2010. It closed in 2015."),
    Submission("The inn closed in 2019.", "When did it close?", ()),
    Submission("Hello there!", sources=(MILL,)),
    Submission("The mill is in Lyon.", "Where?", (MILL,), ("The mill is in Rome.",)),
    Submission("It has outdoor seating and free Wi-Fi. It opens daily.", "Describe it.", (CAFE,)),
)


def cases() -> list[dict[str, Any]]:
    """Each answer under each preset, judged by rules alone and with the model that comes along."""
    ours = load("embedded", Path(), threads=1, build=False)
    return [
        _case(one, name, model)
        for model in (None, ours)
        for one in SUBMISSIONS
        for name in sorted(PRESETS)
    ]


def _case(submission: Submission, preset: str, model: EntailmentModel | None) -> dict[str, Any]:
    rules, measurement = PRESETS[preset], measure(submission, model)
    return {
        "answer": submission.answer,
        "rules": rules.to_json(),
        "measurement": measurement.to_json(),
        "decision": decide(submission.answer, measurement, rules).to_json(),
    }


def main() -> None:
    """Write the file of this build's version."""
    path = FOLDER / f"decided_{ENGINE_VERSION.replace('.', '_')}.json"
    path.write_text(json.dumps(cases(), ensure_ascii=False, separators=(",", ":")) + "\n")
    print(path)


if __name__ == "__main__":
    main()
