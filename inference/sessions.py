"""Opens onnxruntime sessions the same way for every model."""

from pathlib import Path
from typing import TYPE_CHECKING

from inference.errors import ModelError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]

_ERRORS_ONLY = 3


def open_session(file: Path, *, threads: int) -> "InferenceSession":
    """Return a CPU session that may be shared between threads (`run` is thread-safe).

    `threads` work inside one call; they sleep between calls instead of spinning, so that others can
    use the processor. Raises ModelError if the file cannot be loaded.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = _ERRORS_ONLY
    options.enable_mem_pattern = False  # shapes differ from call to call
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(
            str(file), sess_options=options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # onnxruntime's exceptions have no common base of its own
        raise ModelError(
            f"onnxruntime cannot load {file}: {error}", "Run `python -m inference.export --force`."
        ) from error
