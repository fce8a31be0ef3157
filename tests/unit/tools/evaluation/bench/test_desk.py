"""Rows that a plan reads: rows passed on and rows dropped, over all loops."""

from tools.evaluation.bench.desk import Scan, scans_of

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
