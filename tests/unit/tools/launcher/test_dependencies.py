import hashlib
import re
import sys
import tomllib
from pathlib import Path

import pytest

from tools.launcher import lock

ROOT = Path(__file__).resolve().parents[4]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCKED = tomllib.loads((ROOT / "uv.lock").read_text())
(OURS,) = (each for each in LOCKED["package"] if each["name"] == PROJECT["project"]["name"])
CHOSEN = {
    "Product": [
        *PROJECT["project"]["dependencies"],
        *(name for extra in PROJECT["project"]["optional-dependencies"].values() for name in extra),
    ],
    "Development": PROJECT["dependency-groups"]["dev"],
}


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def names_of(requirements):
    return {canonical(re.match(r"[A-Za-z0-9._-]+", each).group()) for each in requirements}


def pins_of(*files):
    text = "".join((ROOT / file).read_text() for file in files)
    return dict(re.findall(r"^([\w.-]+)==([^\s;]+)", text, re.MULTILINE))


@pytest.mark.parametrize("heading", CHOSEN)
def test_each_direct_dependency_is_explained_once(heading):
    text = (ROOT / "docs" / "reference" / "dependencies.md").read_text()
    section = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    names = [canonical(name) for name in re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)]
    assert len(names) == len(set(names))
    assert set(names) == names_of(CHOSEN[heading])


def test_the_lock_was_made_from_the_dependencies_of_today():
    groups = PROJECT["dependency-groups"]
    locked = OURS["metadata"]
    assert names_of(CHOSEN["Product"]) == {each["name"] for each in locked["requires-dist"]}
    assert {name: names_of(group) for name, group in groups.items()} == {
        name: {each["name"] for each in group} for name, group in locked["requires-dev"].items()
    }, "run: make lock"
    specifiers = {each["name"]: each.get("specifier", "") for each in locked["requires-dist"]}
    for requirement in CHOSEN["Product"]:
        (name,) = names_of([requirement])
        assert specifiers[name] == (re.search(r"[=<>!~].*", requirement) or [""])[0]


def test_the_lists_for_pip_are_those_of_the_lock_with_a_hash_for_each():
    locked = {each["name"]: each.get("version") for each in LOCKED["package"]}
    product, cuda = pins_of(lock.PINS), pins_of(lock.CUDA)
    pins = product | cuda | pins_of(lock.DEV)
    assert pins == {name: locked[name] for name in pins}, "run: make lock"
    assert set(locked) - set(pins) == {OURS["name"]}
    assert product == pins_of(lock.HASHED)
    assert {"nvidia-cublas", "triton"} <= set(cuda)
    assert not set(cuda) & set(product)
    for file in (lock.HASHED, lock.CUDA):
        assert all("--hash=sha256:" in block for _, block in lock.blocks((ROOT / file).read_text()))


def test_pins_lose_the_conditions_that_always_hold():
    pins = "a==1 ; sys_platform == 'linux' \\\n    --hash=sha256:00\nb==2 ; os_name == 'posix'\n"
    bare = "a==1 \\\n    --hash=sha256:00\nb==2\n"
    assert lock.without_markers(pins) == bare
    assert lock.blocks(bare) == [("a", bare[: bare.index("b")]), ("b", "b==2\n")]


def test_a_wheel_that_lies_here_is_taken_where_the_list_has_its_hash(tmp_path):
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    wheel = tmp_path / f"torch-2.13.0+cpu-{python}-{python}-manylinux_2_28_x86_64.whl"
    wheel.write_bytes(b"wheel")
    digest = hashlib.sha256(b"wheel").hexdigest()
    pins = f"six==1.0 \\\n    --hash=sha256:00\ntorch==2.13.0 \\\n    --hash=sha256:{digest}\n"
    taken = lock.preferring_local_builds(pins, f"{tmp_path} /nowhere")
    assert taken == pins.replace("2.13.0", "2.13.0+cpu")
    other = pins.replace(digest, "11")
    assert lock.preferring_local_builds(other, str(tmp_path)) == other
    wheel.rename(tmp_path / "torch-2.13.0+cpu-cp39-cp39-manylinux_2_28_x86_64.whl")
    assert lock.preferring_local_builds(pins, str(tmp_path)) == pins


def test_a_wheel_of_a_labelled_build_is_added_to_its_pin(tmp_path):
    (tmp_path / "torch-2.13.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl").write_bytes(b"wheel")
    pins = "six==1.0 \\\n    --hash=sha256:00\ntorch==2.13.0 \\\n    --hash=sha256:11\n"
    digest = hashlib.sha256(b"wheel").hexdigest()
    assert lock.with_local_builds(pins, f"{tmp_path} /nowhere") == (
        "six==1.0 \\\n    --hash=sha256:00\n"
        f"torch==2.13.0 \\\n    --hash=sha256:{digest} \\\n    --hash=sha256:11\n"
    )
