"""`manage.py evaluate_presets` on small sets of our own."""

import json
from pathlib import Path

from desk.policies.admin.presets import Rates
from desk.scoring.split import split_of
from tests.commands import run
from tools.evaluation.management.commands.evaluate_presets import lines

BLOCK = """P: The mill closed in 1951. It had opened in 1902.
+ figure: The mill closed in 1951.
- figure: The mill closed in {{1961}}.
"""


def test_everyday_and_public_answers_are_counted_apart(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "a.txt").write_text(BLOCK)
    sources = [f"The mill number {at} closed in 1951." for at in range(20)]
    rows = [{"response": text, "context": [text], "label": 0} for text in sources]
    file = tmp_path / "public.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    reported = sum(split_of(row) == "report" for row in rows)
    assert 0 < reported < len(rows)
    _, _, *printed = run("evaluate_presets", str(file), str(folder)).splitlines()
    names = ("conservative", "balanced", "exploratory")
    public = lines("public sets", reported, dict.fromkeys(names, Rates(0.0, 0.0, 0.0, 0.0)))
    assert "\n".join(printed[3:]) == public
    assert printed[0] == "| conservative | everyday (2) | 0.0 % | 0.0 % | 100.0 % | 100.0 % |"
    assert printed[2].startswith("| exploratory | everyday (2) | 0.0 % | 0.0 % | 100.0 % |")
