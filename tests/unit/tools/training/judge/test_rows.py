"""The answers in pairs that were written for training."""

import pytest

from tools.training.judge.data import CONTRADICT, ENTAIL, NEUTRAL, ROWS, claims_of, read_rows

FILES = sorted(ROWS.glob("*.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_right_and_wrong_answers_differ_where_they_are_marked(path) -> None:
    rows = list(read_rows(path))
    assert rows
    for right, wrong in zip(rows[::2], rows[1::2], strict=True):
        assert (right["label"], wrong["label"]) == (0, 1)
        assert (right["context"], right["query"]) == (wrong["context"], wrong["query"])
        assert right["response"] != wrong["response"]
        assert not right["spans"]
        assert all(0 <= a < b <= len(wrong["response"]) for a, b, _ in wrong["spans"])
        assert {claim.target for claim in claims_of(right)} == {ENTAIL}
        assert {CONTRADICT, NEUTRAL} & {claim.target for claim in claims_of(wrong)}
