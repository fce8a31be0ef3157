"""Benchmarks: the engine that is timed, the machine's speed, plans and their tables."""

import os

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.stats.bootstrap import percentile
from tools.evaluation.bench import engine, machine
from tools.evaluation.bench.desk import Scan, TableSize, scans_of
from tools.evaluation.bench.engine import latency, prose
from tools.evaluation.bench.proxy import ANSWER, Speed, StreamTimes, ask, figures, model, serving
from tools.evaluation.management.commands.bench_tables import _storage_cells


def test_each_length_is_timed() -> None:
    latencies = engine.measure_engine(seconds=0.02, with_sources=True)
    assert tuple(latencies) == engine.WORDS
    assert all(0 < item.p50 <= item.p95 for item in latencies.values())


def test_nearest_rank() -> None:
    values = [float(n) for n in range(1, 101)]
    assert percentile(values, 50) == 50
    assert percentile(values, 95) == 95
    assert percentile([7.0], 95) == 7


def test_latency_counts_by_wall_time() -> None:
    figures = latency([3.0, 1.0, 2.0], seconds=1.5)
    assert (figures.p50, figures.p95, figures.per_second, figures.count) == (2.0, 3.0, 2.0, 3)


def test_nothing_timed_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing"):
        latency([], seconds=1)


@given(st.lists(st.floats(0, 1e6), min_size=1), st.integers(1, 100))
def test_a_percentile_is_one_of_the_values(values, percent) -> None:
    assert percentile(sorted(values), percent) in values


@pytest.mark.parametrize("words", [50, 200, 500])
def test_prose_has_the_length_asked_for(words) -> None:
    text = prose(words)
    assert abs(len(text.split()) - words) <= words * 0.05
    sentences = text.replace("Dr. ", "Dr ").split(". ")
    assert len(set(sentences)) == len(sentences)


def test_the_speed_of_the_machine_is_told_in_words() -> None:
    words = str(machine.Speed(before=0.06, after=0.25))
    assert "0.060 s of processor right before, 0.250 s right after" in words


def test_the_loop_takes_processor_time() -> None:
    before = machine.processor(os.getpid())
    assert machine.loop_seconds() > 0
    after = machine.processor(os.getpid())
    assert after > before


def test_a_process_elsewhere_has_no_time() -> None:
    assert machine.processor(2**22 + 1) is None  # above the largest id that Linux gives


PLAN = {
    "Node Type": "Limit",
    "Actual Rows": 50,
    "Actual Loops": 1,
    "Plans": [
        {
            "Node Type": "Nested Loop",
            "Actual Rows": 50,
            "Actual Loops": 1,
            "Plans": [
                {
                    "Node Type": "Seq Scan",
                    "Relation Name": "analysis_review",
                    "Actual Rows": 50,
                    "Rows Removed by Filter": 9_950,
                    "Actual Loops": 1,
                },
                {
                    "Node Type": "Index Scan",
                    "Relation Name": "analysis_check",
                    "Actual Rows": 0.5,
                    "Rows Removed by Index Recheck": 1,
                    "Actual Loops": 50,
                },
            ],
        }
    ],
}


def test_every_scan_is_found_with_all_that_it_reads() -> None:
    assert list(scans_of(PLAN)) == [
        Scan("analysis_review", "Seq Scan", 10_000),
        Scan("analysis_check", "Index Scan", 75),
    ]


def test_a_plan_that_reads_no_table_has_no_scan() -> None:
    assert list(scans_of({"Node Type": "Result", "Actual Rows": 1, "Actual Loops": 1})) == []


def test_a_scan_is_told_in_words() -> None:
    words = str(Scan("analysis_review", "Index Only Scan", 12_345))
    assert words == "12,345 of review (index only scan)"


def test_storage_is_told_for_a_check() -> None:
    million = 1_000_000
    claims = TableSize("analysis_claim", 2 * million, 900 * million, 100 * million)
    assert list(_storage_cells([claims], million)) == [
        ("analysis_claim", "1,000", "100", "2.00", "1,000"),
        ("all", "1,000", "", "", "1,000"),
    ]


def test_the_model_streams_the_answer_as_openai_does() -> None:
    with serving(model(Speed(first=0.0, rate=1_000.0))) as url, httpx.Client() as client:
        times = ask(client, url, "k")
        assert 0 < times.first <= times.last
        body = {"model": "m", "stream": True, "messages": []}
        lines = client.post(f"{url}/chat/completions", json=body).text.split("\n\n")
    assert lines[-2] == "data: [DONE]"
    assert len(lines) == len(ANSWER.split()) + 3


def test_a_stream_without_text_is_no_measurement() -> None:
    with (
        serving(model(Speed(first=0.0, rate=1_000.0), answer="")) as url,
        httpx.Client() as client,
        pytest.raises(ValueError, match="no text"),
    ):
        ask(client, url, "k")


def test_figures_are_medians_in_milliseconds() -> None:
    direct = [StreamTimes(0.1, 1.0), StreamTimes(0.2, 1.1), StreamTimes(9.0, 9.0)]
    proxied = [StreamTimes(0.5, 1.2), StreamTimes(0.6, 1.5), StreamTimes(0.4, 1.4)]
    assert figures(direct, proxied) == {
        "requests": 3, "direct_first": 200, "proxy_first": 500, "added_first": 300,
        "direct_last": 1100, "proxy_last": 1400, "added_last": 300,
    }  # fmt: skip
