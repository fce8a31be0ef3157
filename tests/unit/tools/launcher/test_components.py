"""The list of components by others: current, complete, and in a form that tools read."""

import re
from email.message import Message
from pathlib import Path

import pytest

from tools.launcher.components import (
    NOTICES,
    components,
    licence_of,
    notices,
    pins,
    sbom,
    version_of,
)
from tools.launcher.environment import CHECKOUT
from tools.launcher.errors import LauncherError

FOUND = components()


def test_the_notices_are_current() -> None:
    assert NOTICES.read_text(encoding="utf-8") == notices(FOUND), "make notices"


def test_every_pin_is_listed_with_a_licence() -> None:
    by_name = {re.sub(r"[-_.]+", "-", item.name).lower(): item for item in FOUND}
    for name, version in pins(CHECKOUT / "requirements.txt"):
        assert by_name[re.sub(r"[-_.]+", "-", name).lower()].version == version
    assert all(item.licence and item.source.startswith("http") for item in FOUND)


def test_nothing_asks_for_our_own_source() -> None:
    strict = {item.name for item in FOUND if re.search(r"(?<!L)\bA?GPL|Affero", item.licence)}
    assert strict == set()


def test_the_sbom_names_each_component_once_and_is_the_same_again() -> None:
    document = sbom(FOUND, version_of())
    assert document == sbom(components(), version_of())
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.5")
    refs = [item["bom-ref"] for item in document["components"]]
    assert len(set(refs)) == len(refs) == len(FOUND)
    assert document["dependencies"] == [{"ref": "watchdog", "dependsOn": refs}]
    assert "pkg:pypi/django@" in " ".join(refs)
    pattern = r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    assert re.fullmatch(pattern, document["serialNumber"])


def test_lines_of_requirements() -> None:
    file = Path(__file__).with_name("requirements_example.txt")
    assert pins(file) == [("a.b", "1.0"), ("C-d", "2!1.0.post1")]


def declared(**members: str | list[str]) -> Message:
    message = Message()
    message["Name"] = "thing"
    for name, values in members.items():
        for value in [values] if isinstance(values, str) else values:
            message[name.replace("_", "-")] = value
    return message


@pytest.mark.parametrize(
    ("members", "licence"),
    [
        ({"License_Expression": "MIT OR Apache-2.0", "License": "x"}, "MIT OR Apache-2.0"),
        ({"License": "BSD"}, "BSD"),
        ({"License": "UNKNOWN", "Classifier": ["License :: OSI Approved :: MIT License"]},
         "MIT License"),
        ({"License": "Permission is hereby granted " * 9,
          "Classifier": ["License :: OSI Approved :: A", "License :: B", "Topic :: C"]}, "A / B"),
    ],
)  # fmt: skip
def test_where_a_licence_is_declared(members, licence) -> None:
    assert licence_of(declared(**members)) == licence


def test_a_distribution_without_a_licence_is_refused() -> None:
    with pytest.raises(LauncherError, match="thing declares no licence"):
        licence_of(declared(License=""))
