"""deploy/workflows/release.yml: what it publishes is there, and what it signs it may sign."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.commands import python

FILE = Path("deploy/workflows/release.yml")
WORKFLOW = yaml.safe_load(FILE.read_text())
JOBS: dict[str, Any] = WORKFLOW["jobs"]


def commands(job: str) -> str:
    """Return all that a job runs."""
    return "\n".join(step.get("run", "") for step in JOBS[job]["steps"])


def test_it_is_a_workflow() -> None:
    python("-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", FILE)


def test_a_tag_of_this_version_starts_it() -> None:
    assert WORKFLOW[True] == {"push": {"tags": ["v*"]}}  # YAML 1.1 reads `on` as true
    assert 'test "v$version" = "$GITHUB_REF_NAME"' in commands("version")
    assert all(name == "version" or "version" in JOBS[name]["needs"] for name in JOBS)


def test_each_image_is_a_stage_of_the_dockerfile() -> None:
    stages = set(re.findall(r"^FROM \S+ AS (\S+)$", Path("Dockerfile").read_text(), re.MULTILINE))
    targets = JOBS["images"]["strategy"]["matrix"]["target"]
    assert targets == ["web", "worker", "proxy"]
    assert set(targets) <= stages
    (build,) = [step["with"] for step in JOBS["images"]["steps"] if step.get("id") == "build"]
    assert (build["push"], build["sbom"]) == (True, True)
    assert "watchdog-${{ matrix.target }}:" in build["tags"]  # as values.yaml puts names together


@pytest.mark.parametrize("job", [name for name in JOBS if name != "version"])
def test_what_is_published_is_signed_by_the_identity_of_the_workflow(job: str) -> None:
    assert JOBS[job]["permissions"]["id-token"] == "write"
    signs = "cosign sign" in commands(job) or "--provenance" in commands(job)
    attests = any(step.get("with", {}).get("attestations") for step in JOBS[job]["steps"])
    assert signs or attests
    assert "secrets." not in json.dumps(JOBS[job])


def test_what_the_jobs_name_is_there() -> None:
    paths = ("deploy/helm/watchdog", "clients/python", "docs/reference/third-party-notices.md")
    everything = "\n".join(map(commands, JOBS))
    assert all(path in everything and Path(path).exists() for path in paths)
    assert Path(JOBS["typescript-client"]["defaults"]["run"]["working-directory"]).is_dir()
    makefile = Path("Makefile").read_text()
    assert all(f"\n{name}:" in makefile for name in re.findall(r"^make (\S+)", everything, re.M))
