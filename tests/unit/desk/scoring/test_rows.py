"""Lines of a file: their permitted forms, and the messages for others."""

import json

import pytest

from analysis.engine.types import Source
from desk.scoring.rows import BadLine, Row, parse, read_rows


def row(**fields: object) -> Row | BadLine:
    return parse(7, json.dumps(fields).encode())


def test_a_line_with_an_answer_alone() -> None:
    parsed_row = row(response="Paris.")
    assert (parsed_row.row_id, parsed_row.submission.query, parsed_row.submission.sources) == (
        "line-7",
        "",
        None,
    )


@pytest.mark.parametrize(
    ("context", "texts"),
    [
        (["one", "two"], ["one", "two"]),
        ("one", ["one"]),
        ([], []),
        (["", " \n"], []),
        (None, None),
        ('{"a": 1}', ['{"a": 1}']),
        ({"a": "ü"}, ['{"a": "ü"}']),
        ([{"a": [1, 2]}, ["x"]], ['{"a": [1, 2]}', '["x"]']),
    ],
)
def test_every_kind_of_context(context, texts) -> None:
    parsed_row = row(id="a", response="x", context=context)
    sources = parsed_row.submission.sources
    assert (None if sources is None else [source.text for source in sources]) == texts


def test_a_source_with_a_text_keeps_its_name() -> None:
    parsed_row = row(response="x", context=["a", {"id": 5, "text": "b", "title": "T", "uri": 3}])
    assert parsed_row.submission.sources == (Source("source_1", "a"), Source("5", "b", "T"))


def test_a_source_with_a_record_is_read_as_the_api_reads_it() -> None:
    source = {"id": "inn", "title": "T", "record": {"a": 1}}
    parsed_row = row(response="x", context=[source, {"record": {"a": 1}, "stars": 5}])
    plain = Source("source_2", '{"record": {"a": 1}, "stars": 5}')
    assert parsed_row.submission.sources == (Source("inn", '{"a": 1}', "T"), plain)


@pytest.mark.parametrize("row_id", ["a", 5, 1.5, 0])
def test_an_id_comes_back_as_it_was_given(row_id) -> None:
    parsed_row = row(id=row_id, response="x")
    assert parsed_row.row_id == row_id


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"response": "x"', "is not JSON: Expecting ',' delimiter (character 17)"),
        (b'{"response": "\xff"}', "is not UTF-8 text (byte 15)"),
        (b"[1]", "must hold an object, not a list"),
        (b'"x"', "must hold an object, not a string"),
        (b"{}", "`response` must be a string, not null or absent"),
        (b'{"response": 5}', "`response` must be a string, not a number"),
        (b'{"response": "x", "query": ["q"]}', "`query` must be a string, not a list"),
        (b'{"response": "x", "context": 5}', "`context` must hold texts or objects, not a number"),
        (b'{"response": "x", "context": [null]}', "not null or absent"),
        (b'{"response": "x", "id": {}}', "`id` must be a string or a number, not an object"),
        (b"[" * 100_000, "is not JSON: nested too deeply"),
    ],
)
def test_a_bad_line_says_what_is_wrong(line, message) -> None:
    parsed_row = parse(7, line)
    assert isinstance(parsed_row, BadLine)
    assert parsed_row.line == 7
    assert message in parsed_row.reason


def test_a_file_is_read_line_by_line_blank_ones_left_out(tmp_path) -> None:
    file = tmp_path / "f.jsonl"
    file.write_bytes(b'\xef\xbb\xbf{"response": "a"}\r\n\n{bad\n{"response": "b"}')
    rows = list(read_rows(file))
    assert [item.line for item in rows] == [1, 3, 4]
    assert [type(item) for item in rows] == [Row, BadLine, Row]
