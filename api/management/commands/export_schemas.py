"""`manage.py export_schemas`: writes the verifier API's payloads as JSON Schema files."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from api.schemas import payload_schemas

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
