"""Serving of models: what it loads, and its behaviour between threads and processes."""

import threading

import numpy as np

from inference.embedding import get_embedder
from tests.commands import python

SERVE = r"""
import re, sys
from pathlib import Path
from inference.embedding import get_embedder
embedder = get_embedder(folder=Path(sys.argv[1]))
assert embedder.embed(["one", "two " * 400]).shape == (2, 384)
heavy = {"torch", "transformers", "sentence_transformers", "onnx", "huggingface_hub", "scipy"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
# Not getrusage: its peak begins with the parent's, here a test run's.
print(int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]) // 1024)
"""
LARGEST_MB = 300


def test_serving_imports_neither_torch_nor_transformers_and_stays_small(default_root):
    assert int(python("-c", SERVE, default_root)) < LARGEST_MB


def test_threads_share_one_session(embedder):
    texts = [f"sentence number {number} about refunds" for number in range(24)]
    expected, wrong = embedder.embed(texts), []

    def work(at):
        for _ in range(5):
            if np.abs(embedder.embed([texts[at]])[0] - expected[at]).max() > 1e-3:
                wrong.append(at)

    threads = [threading.Thread(target=work, args=(at,)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_fork_after_first_use_still_embeds(default_root):
    code = f"""
import os, sys
from pathlib import Path
from inference.embedding import get_embedder
def embed():
    embedder = get_embedder(folder=Path({str(default_root)!r}), threads=2)
    return embedder.embed(["the same text " * 30])
before = embed()
child = os.fork()
if child == 0:
    after = embed()
    # As multiprocessing and Celery end theirs; onnxruntime's own clean-up aborts after a fork.
    os._exit(0 if abs(after - before).max() < 1e-3 else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    python("-c", code)


def test_thread_counts_agree(default_root):
    single, double = (get_embedder(folder=default_root, threads=threads) for threads in (1, 2))
    texts = ["Water boils at 100 degrees.", "word " * 300]
    assert np.abs(single.embed(texts) - double.embed(texts)).max() < 1e-3
