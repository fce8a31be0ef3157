"""`manage.py export_schemas`: writes the verifier API's payloads as JSON Schema files."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from drf_spectacular.generators import SchemaGenerator

from api.outputs import PAYLOADS

FOLDER = Path("docs/schemas")


class Command(BaseCommand):
    """Writes one file for each payload, made from the schema of the API."""

    help = "Write the payloads' JSON Schema files."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--out", type=Path, default=FOLDER, help=f"default: {FOLDER}")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["out"]
        folder.mkdir(parents=True, exist_ok=True)
        schemas = payload_schemas()
        for name, schema in schemas.items():
            text = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
            (folder / f"{name}.schema.json").write_text(text, encoding="utf-8")
        self.stdout.write(f"{len(schemas)} schemas written to {folder}")


# The verifier API's payloads as JSON Schema files, each complete by itself.

JsonSchema = dict[str, Any]
DIALECT = "https://json-schema.org/draft/2020-12/schema"
_COMPONENTS, _DEFINITIONS = "#/components/schemas/", "#/$defs/"


def payload_schemas() -> dict[str, JsonSchema]:
    """Return each payload's JSON Schema by name, with its definitions under `$defs`."""
    components = SchemaGenerator().get_schema(request=None, public=True)["components"]["schemas"]  # type: ignore[no-untyped-call]
    return {payload.__name__: _complete(payload.__name__, components) for payload in PAYLOADS}


def _complete(name: str, components: dict[str, JsonSchema]) -> JsonSchema:
    definitions_by_name: dict[str, JsonSchema] = {}
    pending = [name]
    while pending:
        for reference in _references(components[pending.pop()]):
            if reference not in definitions_by_name:
                definitions_by_name[reference] = _relocated(components[reference])
                pending.append(reference)
    head = {"$schema": DIALECT, "$id": f"{name}.schema.json", "title": name}
    definitions = dict(sorted(definitions_by_name.items()))
    body: JsonSchema = _relocated(components[name])
    return head | body | ({"$defs": definitions} if definitions else {})


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref":
                yield value.removeprefix(_COMPONENTS)
            else:
                yield from _references(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from _references(item)


def _relocated(schema: Any) -> Any:
    if isinstance(schema, dict):
        moved = {key: _relocated(value) for key, value in schema.items()}
        if "$ref" in moved:
            moved["$ref"] = moved["$ref"].replace(_COMPONENTS, _DEFINITIONS)
        return moved
    return [_relocated(item) for item in schema] if isinstance(schema, list) else schema
