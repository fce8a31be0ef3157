"""The client's models and operations agree with docs/openapi.yaml."""

import re
from datetime import datetime
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import pytest
import yaml

from watchdog_client import models, operations
from watchdog_client.operations import CheckFilters, CheckOptions, Operation

SCHEMAS = {
    models.Batch: "BatchOutput",
    models.BatchItem: "BatchItem",
    models.Check: "CheckOutput",
    models.CheckSummary: "CheckSummary",
    models.Claim: "CheckedClaim",
    models.Confidence: "Confidence",
    models.Collection: "CollectionOutput",
    models.Document: "DocumentOutput",
    models.Evidence: "EvidenceChunk",
    models.Feedback: "FeedbackOutput",
    models.FieldError: "FieldError",
    models.FlaggedPassage: "FlaggedPassage",
    models.Hold: "HoldOutput",
    models.Key: "KeyOutput",
    models.Link: "LinkOutput",
    models.NotChecked: "NotChecked",
    models.Passage: "Passage",
    models.Reason: "ActionReason",
}
UNDECLARED = frozenset({
    "citations", "feedback", "input_sha256", "left_out", "partial_answer", "safety",
    "scope", "signal_states", "signals", "suggested_questions", "summary_stats",
})  # fmt: skip
"""Details of a check that the client does not type; they can be read as attributes."""
LATER = frozenset({"hold"})
"""Members that a server of an earlier release does not send."""
JSON_TYPES = {
    str: "string", datetime: "string", int: "integer", float: "number", bool: "boolean",
    list: "array", dict: "object",
}  # fmt: skip
OPERATIONS: list[Operation[Any]] = [
    operations.create_check("a", {}, wait=1, key=None),
    operations.get_check("X"),
    operations.delete_check("X", reason="r"),
    operations.list_checks({}),
    operations.give_feedback("X", helpful=True, comment="", end_user=""),
    operations.create_link("X", expires_in=60),
    operations.submit_batch([], key=None),
    operations.get_batch("X"),
    operations.list_collections(),
    operations.create_collection("x", title="", class_number=None, subject=""),
    operations.get_collection("X"),
    operations.delete_collection("X"),
    operations.upload_document("x", "x.txt", b""),
    operations.get_document("X"),
    operations.list_documents("x", "c", 1),
    operations.delete_document("X"),
    operations.search("q", [], 1),
    operations.get_key(),
]


@cache
def api() -> dict[str, Any]:
    path = Path(__file__).parents[3] / "docs" / "openapi.yaml"
    return yaml.safe_load(path.read_text())


def schema(name: str) -> dict[str, Any]:
    return api()["components"]["schemas"][name]


def resolved(member: dict[str, Any]) -> tuple[set[str], set[str]]:
    """Return the JSON types of a member, and the values of its enum."""
    if "$ref" in member:
        return resolved(schema(member["$ref"].rpartition("/")[2]))
    if "allOf" in member:
        return resolved(*member["allOf"])
    if "oneOf" in member:
        parts = [resolved(part) for part in member["oneOf"]]
        return set().union(*(types for types, _ in parts)), set().union(*(v for _, v in parts))
    values = member.get("enum", [])
    declared = member.get("type", [])
    types = {declared} if isinstance(declared, str) else set(declared)
    if None in values:
        types = types | {"null"}
    return types, {value for value in values if value is not None}


def declared(hint: Any) -> tuple[set[str], set[str]]:
    """Return the JSON types and the literal values of a type hint."""
    members = get_args(hint) if NoneType in get_args(hint) else (hint,)
    types = {"null"} if NoneType in members else set()
    values: set[str] = set()
    for member in members:
        if member is NoneType:
            continue
        origin = get_origin(member) or member
        if isinstance(origin, type):
            types.add(
                JSON_TYPES.get(origin, "string" if origin.__name__ == "datetime" else "object")
            )
        else:
            types.add("string")
            values |= set(get_args(member))
    return types, values


@pytest.mark.parametrize(("model", "name"), SCHEMAS.items(), ids=SCHEMAS.values())
def test_a_model_is_what_the_schema_promises(model, name) -> None:
    properties, required = schema(name)["properties"], schema(name)["required"]
    hints = get_type_hints(model)
    for field, information in model.model_fields.items():
        assert field in properties, f"{name} has no {field}"
        assert information.is_required() == (field in required and field not in LATER), field
        types, values = declared(hints[field])
        if field not in required:
            types.discard("null")
        promised_types, promised_values = resolved(properties[field])
        assert types == promised_types, field
        if values:
            assert values == promised_values, field


@pytest.mark.parametrize(
    ("model", "exceptions"), [(models.CheckSummary, frozenset()), (models.Check, UNDECLARED)]
)
def test_a_check_declares_every_member(model, exceptions) -> None:
    assert set(schema(SCHEMAS[model])["properties"]) - set(model.model_fields) == exceptions


def test_every_model_is_compared() -> None:
    defined = {
        model
        for model in vars(models).values()
        if isinstance(model, type) and issubclass(model, models.Model)
    }
    bases = {models.Model, models.Page, models._CheckHead}
    assert defined - bases == set(SCHEMAS)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: f"{o.method} {o.path}")
def test_an_operation_is_one_of_the_api(operation) -> None:
    template = next(
        (path for path in api()["paths"] if re.fullmatch(_pattern(path), operation.path)), None
    )
    assert template, operation.path
    described = api()["paths"][template][operation.method.lower()]
    names = {parameter["name"] for parameter in described.get("parameters", [])}
    assert set(operation.params or {}) <= names
    assert set(operation.headers) <= names
    content = described.get("requestBody", {}).get("content", {})
    if operation.json is not None:
        assert set(operation.json) <= set(_body(content["application/json"]))
    if operation.files is not None:
        members = set(_body(content["multipart/form-data"]))
        assert {*operation.files, *(operation.data or {})} <= members


def test_options_and_filters_are_those_of_the_api() -> None:
    body = set(schema("CheckInputRequest")["properties"])
    assert set(CheckOptions.__annotations__) == body - {"answer", "messages"}
    listing = api()["paths"]["/api/v1/checks"]["get"]["parameters"]
    assert set(CheckFilters.__annotations__) == {parameter["name"] for parameter in listing}


def _pattern(path: str) -> str:
    return re.sub(r"\{\w+\}", "X", path)


def _body(content: dict[str, Any]) -> dict[str, Any]:
    return schema(content["schema"]["$ref"].rpartition("/")[2])["properties"]
