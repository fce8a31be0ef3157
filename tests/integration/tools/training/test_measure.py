"""The content of a row of the learning curve."""

import json

from tools.training.answers import trains


class FromText:
    """A judge that reads how doubtful a claim is from its text."""

    def unsupported(self, block):
        return [float(claim.text) for claim in block.claims]


def test_a_row_has_the_ranking_of_each_set():
    from tools.training.judge.data import CONTRADICT, ENTAIL, NEUTRAL
    from tools.training.judge.measure import CURVE, KINDS, CurveRows, figures, head, line

    everyday = [
        block((0.2, ENTAIL), (0.1, CONTRADICT)),
        block((0.4, ENTAIL), (0.9, NEUTRAL), (0.3, CONTRADICT)),
    ]
    written = [block((0.1, ENTAIL), (0.5, CONTRADICT))]
    answers = [(block((0.1, 0), (0.8, 0)), 1), (block((0.2, 0), (0.3, 0)), 0)]
    public = dict.fromkeys(CURVE, answers) | {CURVE[-1]: answers[:1]}
    rows = CurveRows(everyday, written, written, dict.fromkeys(KINDS, everyday), public)
    values = figures(FromText(), rows)
    of_answers = [*[1.0] * (len(CURVE) - 1), None]
    assert values == [0.5, 0.25, 1.0, 1.0, 1.0, *[0.5] * len(KINDS), *of_answers]
    row = line("b1", 38_000, values)
    assert row.startswith("| b1 | 38,000 | 0.500 | 0.250 | 1.000 | 1.000 | 1.000 | 0.500 |")
    assert row.endswith("| – |")
    titles, rule = head(rows).splitlines()
    assert titles.startswith(
        "| weights | claims seen | everyday (5) | contradicted (2) | not in the sources (1) "
        "| written (2) |"
    )
    assert titles.count("|") == rule.count("|") == row.count("|")


def test_answers_are_spare_rows_of_the_tune_half(tmp_path):
    from desk.scoring.split import split_of
    from tools.training.judge.measure import answers

    rows = [
        {"id": at, "context": [f"Source {at}."], "query": None, "response": "One. Two.", "label": 1}
        for at in range(60)
    ]
    path = tmp_path / "f.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    spare = {f"Source {row['id']}." for row in rows if split_of(row) == "tune" and not trains(row)}
    assert 3 < len(spare) < 20
    pairs = list(answers(path, 60))
    assert {text for block, _ in pairs for text in block.texts} == spare
    assert {len(block.claims) for block, _ in pairs} == {2}
    assert list(answers(path, 3)) == pairs[:3]


def block(*claims):
    from tools.training.judge.data import Block, LabelledClaim

    return Block(("x",), "", tuple(LabelledClaim(str(p), None, target) for p, target in claims))
