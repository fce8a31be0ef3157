"""The requests that `make bench` sends."""

import json
from itertools import islice

from api.inputs import CheckInput
from tools.evaluation.bench.service import distinct_bodies


def test_a_thousand_requests_are_accepted_and_no_two_alike(db: None) -> None:
    bodies = list(islice(distinct_bodies(), 1000))
    assert len(set(bodies)) == 1000
    inputs = [CheckInput(data=json.loads(body)) for body in bodies]
    assert [each.errors for each in inputs if not each.is_valid()] == []
