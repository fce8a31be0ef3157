"""`python -m tests.integration.inference.tiny_models FOLDER`: all small random models, prepared.

One process makes them, because loading torch and its companions takes longer than the rest.
"""

import sys
from functools import partial
from pathlib import Path

KINDS = {
    "embedding": ("mean", "cls", "prompts", "dense", "bare"),
    "rerank": ("bert", "roberta", "decoder", "three", "traceless"),
}
REFUSED = {("embedding", "dense"), ("rerank", "three"), ("rerank", "traceless")}


def make_all(root: Path) -> None:
    """Make each kind in ROOT/TASK/KIND, and its prepared files in ROOT/TASK/models."""
    from inference.build import build
    from inference.rerank import reranker_folder
    from inference.store import model_folder
    from tests.integration.inference import tiny, tiny_rerank

    steps = {
        "embedding": (tiny.make, partial(build, "embedding"), model_folder),
        "rerank": (tiny_rerank.make, partial(build, "reranker"), reranker_folder),
    }
    for task, (make, prepare, folder_of) in steps.items():
        (root / task).mkdir(parents=True)
        for kind in KINDS[task]:
            make(kind, root / task / kind)
            if (task, kind) not in REFUSED:
                tiny.prepare(prepare, root / task / kind, folder_of)


if __name__ == "__main__":
    make_all(Path(sys.argv[1]))
