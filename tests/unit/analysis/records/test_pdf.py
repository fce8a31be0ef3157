"""Pages of records that are long, empty or strange."""

from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader

from analysis.records import pdf
from analysis.records.glyphs import markup

LABELS = {"old-source": "The source is outdated"}


def a_record(**more: Any) -> dict[str, Any]:
    submission = {"created_at": "then", "submitted_by": "me", "query": "", "answer": "Yes."} | more
    return {
        "made_at": "now",
        "application": {"name": "A & B", "slug": "ab"},
        "check": {"id": "1", "state": "queued", "reviews_withheld": 0},
        "input": submission,
        "result": None,
        "policy": None,
        "reviews": [],
        "trail": [],
        "sha256": {"question": "0", "answer": "1", "evidence": {}, "parts": {"input": "2"}},
        "public_key": "key",
    }


def pages(record: dict[str, Any]) -> list[str]:
    return [page.extract_text() for page in PdfReader(BytesIO(pdf.render(record, LABELS))).pages]


@pytest.mark.parametrize(
    "answer",
    ["word " * 8_000, "x" * 30_000, "line\n" * 2_000, "\n" * 500, "<b>&amp;</i>", "\x00\x1b"],
)
def test_any_answer_is_laid_out(answer) -> None:
    page_texts = pages(a_record(answer=answer))
    assert "Decision record" in page_texts[0]
    last = len(page_texts)
    assert all(f"page {n} of {last}" in text for n, text in enumerate(page_texts, 1))


def test_markup_is_text_and_controls_are_named() -> None:
    assert markup("a<b>&") == "a&lt;b&gt;&amp;"
    assert markup("\u202ex") == "⟨U+202E⟩x"
    assert markup("\x00") == "⟨U+0000⟩"
    assert markup("漢") == '<font name="STSong-Light">漢</font>'
    assert markup("한") == '<font name="HYSMyeongJo-Medium">한</font>'


def test_reasons_are_told_by_their_labels() -> None:
    review = {
        "decision": "overturned", "decided_by": "anna", "decided_at": "then", "stage": "first",
        "reason": "block", "note": "", "reason_codes": ["old-source"], "claims": {},
        "corrected_text": "",
    }  # fmt: skip
    text = " ".join(pages(a_record() | {"reviews": [review]}))
    assert "The source is outdated" in text
    assert "old-source" not in text
