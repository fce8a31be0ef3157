import hashlib
import re
from pathlib import Path

import pytest

from tools.launcher import hashes

ROOT = Path(__file__).resolve().parents[4]
DEVELOPMENT = "requirements/dev.txt"


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def pins_of(file):
    text = (ROOT / file).read_text()
    text = text.replace("-r image.in", (ROOT / "requirements/image.in").read_text())
    lines = text.splitlines()
    names = (
        re.match(r"[A-Za-z0-9._-]+", line) for line in lines if not line.startswith(("#", "-"))
    )
    return {canonical(match.group()) for match in names if match}


def explained(heading):
    text = (ROOT / "docs" / "reference" / "dependencies.md").read_text()
    section = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return [canonical(name) for name in re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)]


@pytest.mark.parametrize(
    ("heading", "file"),
    [("Product", "requirements/product.in"), ("Development", "requirements/dev.in")],
)
def test_each_direct_dependency_is_explained_once(heading, file):
    names = explained(heading)
    assert len(names) == len(set(names))
    assert set(names) == pins_of(file)


@pytest.mark.parametrize("file", ["requirements/product.in", "requirements/dev.in"])
def test_each_direct_dependency_is_pinned(file):
    every = "".join((ROOT / name).read_text() for name in ("requirements.txt", DEVELOPMENT))
    pinned = {canonical(line.split("==")[0]) for line in every.splitlines() if "==" in line}
    assert pins_of(file) <= pinned


def test_the_list_with_hashes_has_the_same_pins_and_a_hash_for_each():
    pin = r"^([\w.-]+)==([^\s;]+)"
    every = (ROOT / "requirements.txt").read_text() + hashes.BESIDE
    pins = re.findall(pin, every, re.MULTILINE)
    with_hash = re.compile(pin + r".*((?:\n    --hash=sha256:[0-9a-f]{64}.*)+)", re.MULTILINE)
    hashed = with_hash.findall((ROOT / hashes.FILE).read_text())
    assert {(canonical(name), version) for name, version in pins} == {
        (canonical(name), version) for name, version, _ in hashed
    }, "run: python -m tools.launcher.hashes"


def test_what_cuda_needs_is_pinned_with_hashes_and_in_no_other_list():
    blocks = hashes.BLOCK.findall((ROOT / hashes.CUDA_FILE).read_text())
    product = hashes.BLOCK.findall((ROOT / hashes.FILE).read_text())
    assert {"nvidia-cublas", "triton"} <= set(blocks)
    assert not set(blocks) & set(product)
    for name in (hashes.FILE, hashes.CUDA_FILE):
        text = (ROOT / name).read_text()
        assert text.count("==") == len(hashes.BLOCK.findall(text))


def test_one_list_without_another():
    one = "".join(
        f"{name}==1 \\\n    --hash=sha256:00 \\\n    --hash=sha256:11\n" for name in "abc"
    )
    two = "b==2 \\\n    --hash=sha256:22\n"
    assert hashes.BLOCK.findall(hashes.without(one, two)) == ["a", "c"]


def test_a_wheel_that_lies_here_is_taken_where_the_list_has_its_hash(tmp_path):
    (tmp_path / "torch-2.13.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl").write_bytes(b"wheel")
    digest = hashlib.sha256(b"wheel").hexdigest()
    pins = f"six==1.0 \\\n    --hash=sha256:00\ntorch==2.13.0 \\\n    --hash=sha256:{digest}\n"
    taken = hashes.preferring_local_builds(pins, f"{tmp_path} /nowhere")
    assert taken == pins.replace("2.13.0", "2.13.0+cpu")
    other = pins.replace(digest, "11")
    assert hashes.preferring_local_builds(other, str(tmp_path)) == other


def test_a_wheel_of_a_labelled_build_is_added_to_its_pin(tmp_path):
    (tmp_path / "torch-2.13.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl").write_bytes(b"wheel")
    pins = "six==1.0 \\\n    --hash=sha256:00\ntorch==2.13.0 \\\n    --hash=sha256:11\n"
    digest = hashlib.sha256(b"wheel").hexdigest()
    assert hashes.with_local_builds(pins, f"{tmp_path} /nowhere") == (
        "six==1.0 \\\n    --hash=sha256:00\n"
        f"torch==2.13.0 \\\n    --hash=sha256:{digest} \\\n    --hash=sha256:11\n"
    )
