"""The verifier API's nine payloads: the schema files, its own examples, and real results."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from analysis.selectors.payloads import check_payloads
from api.management.commands.export_schemas import payload_schemas
from lib.text.citations import marks
from tests.conftest import SSN_ANSWER

LINES = map(json.loads, Path(__file__).with_suffix(".jsonl").read_text().splitlines())
EXAMPLES = {line["payload"]: line["example"] for line in LINES}
FOLDER = Path("docs/schemas")
SOURCES = [
    {"id": "enwiki_12345", "title": "FEVER", "text": "The FEVER dataset was introduced in 2018."},
    {"id": "enwiki_77889", "text": "The FEVER dataset holds 185,445 claims."},
    '{"authors": {"seat": "Oslo", "count": 4}}',
]
ANSWERS: dict[str, dict[str, Any]] = {
    "supported, contradicted and unknown": {
        "query": "What is FEVER?",
        "answer": "The FEVER dataset was introduced in 2018 and holds 99 claims. Bananas grow.",
        "sources": SOURCES,
    },
    "citations of its own": {
        "query": "What is FEVER?",
        "answer": "The FEVER dataset was introduced in 2018 [1]. It holds 185,445 claims [7].",
        "sources": SOURCES,
    },
    "no sources": {"answer": SSN_ANSWER},
    "searched, nothing found": {"answer": SSN_ANSWER, "sources": []},
    "overconfident and against itself": {
        "answer": "The inn is definitely open. The inn is closed. 😀 It opened in 1990.",
        "samples": ["The inn is closed."],
    },
    "nothing claimed": {"query": "Hi", "answer": "Hello! How can I help?", "sources": ["x"]},
}


def schema(name: str) -> dict[str, Any]:
    return json.loads((FOLDER / f"{name}.schema.json").read_text())


def assert_fits(name: str, value: object) -> None:
    jsonschema.validate(value, schema(name), cls=jsonschema.Draft202012Validator)


def undocumented(value: Any, schema: dict[str, Any], root: dict[str, Any]) -> Iterator[str]:
    """Yield members of the value that its schema does not name."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    if "oneOf" in schema and value is not None:
        yield from undocumented(value, schema["oneOf"][0], root)
    elif isinstance(value, list) and "items" in schema:
        for item in value:
            yield from undocumented(item, schema["items"], root)
    elif isinstance(value, dict) and "properties" in schema:
        for key, inner in value.items():
            if key not in schema["properties"]:
                yield key
            else:
                yield from undocumented(inner, schema["properties"][key], root)


@pytest.fixture
def decided(application, checked, empty_redis) -> Callable[..., dict[str, Any]]:
    """Return a function that runs an answer through the pipeline and returns JSON payloads."""

    def run(**body: Any) -> dict[str, Any]:
        check = checked(**body)
        payloads = check_payloads(application.pk, check.pk)
        return json.loads(json.dumps(payloads, default=str))

    return run


def each_payload(payloads: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "Query", payloads["query"]
    yield "CitationFormatterOutput", payloads["citations"]
    yield "CiteEvalSystemExample", payloads["citeeval"]
    yield "AnnotatedAnswer", payloads["annotated_answer"]
    lists = {
        "EvidenceChunk": payloads["evidence"],
        "Claim": payloads["claims"],
        "ClaimEvidencePair": payloads["claim_evidence_pairs"],
        "VerifierSignal": payloads["signals"],
        "ClaimDecision": payloads["annotated_answer"]["claims"],
    }
    for name, items in lists.items():
        for item in items:
            yield name, item


def test_the_files_are_what_the_command_makes(tmp_path) -> None:
    call_command("export_schemas", out=tmp_path, verbosity=0)
    exported = {file.name: file.read_text() for file in tmp_path.iterdir()}
    committed = {file.name: file.read_text() for file in FOLDER.iterdir()}
    assert committed == exported, "The payloads changed. If on purpose: make api-docs"
    assert set(payload_schemas()) == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_seeds_examples_fit_and_hold_every_required_member(name) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))
    assert_fits(name, EXAMPLES[name])
    required = set(schema(name)["required"])
    assert required <= set(EXAMPLES[name])
    assert set(EXAMPLES[name]) - required <= {"notes"}, "what the seed names is required"
    wrong = {key: value for key, value in EXAMPLES[name].items() if key != min(required)}
    with pytest.raises(jsonschema.ValidationError):
        assert_fits(name, wrong)


@pytest.mark.parametrize("body", ANSWERS.values(), ids=ANSWERS)
def test_real_results_fit(decided, body) -> None:
    for name, payload in each_payload(decided(**body)):
        assert_fits(name, payload)
        assert not list(undocumented(payload, schema(name), schema(name))), name


def test_the_payloads_refer_to_one_another(decided) -> None:
    payloads = decided(**ANSWERS["supported, contradicted and unknown"])
    answer = payloads["annotated_answer"]
    assert answer["version"].startswith("pipeline_v")
    assert [c["status"] for c in answer["claims"]] == [
        "Supported", "Contradictory", "Low Confidence",
    ]  # fmt: skip
    assert answer["summary_stats"]["claims_total"] == 3
    ids = [claim["claim_id"] for claim in payloads["claims"]]
    for parts in (payloads["claim_evidence_pairs"], payloads["signals"], answer["claims"]):
        assert [part["claim_id"] for part in parts] == ids
    signals = {signal["signal_id"] for signal in payloads["signals"]}
    assert {ref for decision in answer["claims"] for ref in decision["signals_ref"]} == signals
    refs = {f"{chunk['doc_id']}#{chunk['sent_id']}" for chunk in payloads["evidence"]}
    for pair, decision in zip(payloads["claim_evidence_pairs"], answer["claims"], strict=True):
        assert decision["primary_evidence"] is None or decision["primary_evidence"] in refs
        assert pair["top_evidence"] in (*pair["evidence_candidates"], None)
    for claim in payloads["claims"]:
        assert claim["answer_id"] == answer["answer_id"]
        start, end = claim["answer_char_span"]
        assert answer["raw_answer"][start:end] == claim["text"]
    example = payloads["citeeval"]
    assert example["pred"] == (
        "The FEVER dataset was introduced in 2018 [1] and holds 99 claims. Bananas grow."
    )
    assert example["passages"][0] == {"text": SOURCES[0]["text"], "title": "FEVER"}
    assert payloads["citations"]["citation_map"] == {"c_0001": [1]}


def test_a_check_carries_its_citations_and_where_claims_stand(api, checked, empty_redis) -> None:
    check = checked(**ANSWERS["citations of its own"])
    body = api.get(f"/api/v1/checks/{check.pk}").json()
    assert_fits("CitationFormatterOutput", body["citations"])
    [removed] = body["citations"]["notes"]["removed"]
    assert (removed["text"], removed["reason"]) == ("[7]", "no_such_source")
    numbers = [n for mark in marks(body["citations"]["formatted_text"]) for n in mark.numbers]
    assert numbers
    assert max(numbers) <= len(body["citations"]["passages"])
    for claim in body["claims"]:
        start, end = claim["final_char_span"]
        assert body["final_response"][start:end] == claim["text"]


class TestEndpoint:
    def test_it_gives_the_payloads_in_two_queries(self, api, checked, empty_redis) -> None:
        check = checked(**ANSWERS["supported, contradicted and unknown"])
        api.get(f"/api/v1/checks/{check.pk}/payloads")
        with CaptureQueriesContext(connection) as queries:
            response = api.get(f"/api/v1/checks/{check.pk}/payloads")
        assert response.status_code == 200
        assert len(queries) == 2  # the key with its application; the check with its result
        for name, payload in each_payload(response.json()):
            assert_fits(name, payload)

    def test_without_a_verdict_it_is_a_conflict(self, api, make_check) -> None:
        response = api.get(f"/api/v1/checks/{make_check().pk}/payloads")
        assert response.status_code == 409
        assert "queued" in response.json()["detail"]
