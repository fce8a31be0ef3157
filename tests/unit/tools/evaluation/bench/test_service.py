from itertools import islice

from tools.evaluation.bench.service import distinct_bodies


def test_no_two_of_a_thousand_requests_are_alike():
    bodies = list(islice(distinct_bodies(), 1000))
    assert len(set(bodies)) == 1000
