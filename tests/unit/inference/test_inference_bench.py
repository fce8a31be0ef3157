from inference import bench


def test_chunks_and_queries_are_what_the_figures_say():
    assert {len(chunk) for chunk in bench.chunks(20)} == {500}
    assert len(set(bench.chunks(20))) == len(set(bench.queries(20))) == 20


def test_the_best_round_counts():
    clock, processors = bench._best(lambda: sum(range(1000)))
    assert 0 <= clock < 1
    assert 0 <= processors < 1
