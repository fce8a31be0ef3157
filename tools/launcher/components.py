"""Lists the components of WATCHDOG from the pinned requirements and the installed packages.

    python -m tools.launcher.components notices          docs/reference/third-party-notices.md
    python -m tools.launcher.components sbom FILE        CycloneDX 1.5, JSON

Both list what `requirements.txt` pins; what only developers need is in neither.
"""

import json
import re
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from tools.launcher.environment import CHECKOUT
from tools.launcher.errors import LauncherError
from tools.launcher.prune import canonical

NOTICES = CHECKOUT / "docs" / "reference" / "third-party-notices.md"
_PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;]+)")
_UNNAMED = {"", "unknown", "dual license"}
_SOURCES = ("source", "homepage", "repository", "home-page", "home page", "documentation")
_VENDORED = (
    ("htmx.org", "static/htmx/README.md", "0BSD"),
    ("chart.js", "static/chartjs/README.md", "MIT"),
    ("@fontsource-variable/inter", "static/inter/README.md", "OFL-1.1"),
)
_VERSION = re.compile(r"(?:version|Chart\.js) (\d+\.\d+\.\d+)")
_MOST_LICENCE = 60


@dataclass(frozen=True, slots=True)
class Component:
    """A component of the product. `purl` is its package URL."""

    name: str
    version: str
    licence: str
    source: str
    purl: str


def components(root: Path = CHECKOUT) -> list[Component]:
    """Return every pinned distribution and every vendored file, by name."""
    pinned = [_installed(name, version) for name, version in pins(root / "requirements.txt")]
    everything = [*pinned, *(_vendored(root, *each) for each in _VENDORED)]
    return sorted(everything, key=lambda component: component.name.lower())


def pins(requirements: Path) -> list[tuple[str, str]]:
    lines = requirements.read_text(encoding="utf-8").splitlines()
    return [(match[1], match[2]) for match in map(_PIN.match, lines) if match]


def notices(components: Sequence[Component]) -> str:
    rows = [f"| {c.name} | {c.version} | {c.licence} | {c.source} |" for c in components]
    return "\n".join(
        [
            "# Third-party notices",
            "",
            "What is installed with WATCHDOG or stands in this repository, as each distribution "
            "declares it. The text of a licence lies in the distribution (`*.dist-info`), or "
            "beside the file. Made by `make notices`; do not edit.",
            "",
            "| component | version | licence | where |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def sbom(components: Sequence[Component], version: str) -> dict[str, Any]:
    """Return the list as CycloneDX 1.5. The same components give the same document."""
    product = {"type": "application", "name": "watchdog", "version": version, "bom-ref": "watchdog"}
    licence = [{"license": {"id": "Apache-2.0"}}]
    body = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": product | {"licenses": licence}},
        "components": [
            {
                "type": "library",
                "bom-ref": item.purl,
                "name": item.name,
                "version": item.version,
                "purl": item.purl,
                "licenses": [{"license": {"name": item.licence}}],
                "externalReferences": [{"type": "website", "url": item.source}],
            }
            for item in components
        ],
        "dependencies": [{"ref": "watchdog", "dependsOn": [item.purl for item in components]}],
    }
    serial = uuid5(NAMESPACE_URL, json.dumps(body, sort_keys=True))
    return {"$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
            "serialNumber": f"urn:uuid:{serial}", **body}  # fmt: skip


def version_of(root: Path = CHECKOUT) -> str:
    project: str = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    return project


def _installed(name: str, version: str) -> Component:
    try:
        headers: Any = metadata.metadata(name)
    except metadata.PackageNotFoundError as error:
        raise LauncherError(f"{name} is pinned and not installed.", "Run `make run`.") from error
    if headers["Version"].partition("+")[0] != version:  # what follows names a build, as of torch
        raise LauncherError(
            f"{name} {headers['Version']} is installed and {version} pinned.", "Run `make run`."
        )
    plain = canonical(name)
    urls = dict(line.split(", ", 1) for line in headers.get_all("Project-URL", []) if ", " in line)
    by_name = {name.lower(): url for name, url in urls.items()}
    address = next((by_name[name] for name in _SOURCES if name in by_name), None)
    return Component(
        headers["Name"],
        version,
        licence_of(headers),
        address or headers.get("Home-page") or f"https://pypi.org/project/{plain}/",
        f"pkg:pypi/{plain}@{version}",
    )


def licence_of(headers: Any) -> str:
    """Return the licence that a distribution declares: expression, short field, or classifiers.

    Raises LauncherError where it declares none.
    """
    expression: str = headers.get("License-Expression") or ""
    if expression:
        return expression
    short: str = (headers.get("License") or "").strip()
    if short.lower() not in _UNNAMED and len(short) <= _MOST_LICENCE and "\n" not in short:
        return short
    classified = [name.split("::")[-1].strip() for name in headers.get_all("Classifier", [])
                  if name.startswith("License ::")]  # fmt: skip
    if not classified:
        raise LauncherError(f"{headers['Name']} declares no licence.", "Leave it out, or ask.")
    return " / ".join(classified)


def _vendored(root: Path, name: str, readme: str, licence: str) -> Component:
    match = _VERSION.search((root / readme).read_text(encoding="utf-8"))
    if match is None:
        raise LauncherError(f"{readme} names no version of {name}.", "Write it there.")
    version, page = match.group(1), f"https://www.npmjs.com/package/{name}"
    return Component(name, version, licence, page, f"pkg:npm/{quote(name)}@{version}")


def main(arguments: Sequence[str]) -> None:
    match list(arguments):
        case ["notices"]:
            NOTICES.write_text(notices(components()), encoding="utf-8")
        case ["sbom", file]:
            document = json.dumps(sbom(components(), version_of()), indent=1) + "\n"
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            Path(file).write_text(document, encoding="utf-8")
        case _:
            raise LauncherError("Say `notices` or `sbom FILE`.", "See `make help`.")


if __name__ == "__main__":
    main(sys.argv[1:])
