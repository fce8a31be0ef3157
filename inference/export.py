"""`python -m inference.export [--model NAME] [--to DIR] [--force]`: prepare a model for serving.

The first time takes about half a minute, later times a second. Other code calls
`inference.prepare.ensure_model`.
"""

import argparse
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from inference.errors import ModelError
from inference.prepare import ensure_model
from inference.sources import DEFAULT_MODEL
from inference.store import DEFAULT_FOLDER, Manifest, model_folder

STEPS = 5


def main(arguments: list[str]) -> int:
    """The command: shows the steps, then the model's id and where it is."""
    parser = argparse.ArgumentParser(prog="python -m inference.export", description=__doc__)
    parser.add_argument("--model", default=DEFAULT_MODEL, help="name or folder (%(default)s)")
    parser.add_argument("--to", type=Path, default=DEFAULT_FOLDER, help="where (%(default)s)")
    parser.add_argument("--force", action="store_true", help="prepare it anew")
    options = parser.parse_args(arguments)
    console = Console(highlight=False, soft_wrap=True)
    try:
        with _progress(console) as bar:
            task = bar.add_task("look what is there", total=STEPS + 1)
            manifest = ensure_model(
                options.model,
                options.to.resolve(),
                force=options.force,
                report=lambda step: bar.update(task, advance=1, description=step),
            )
    except ModelError as error:
        console.print(str(error), markup=False)
        return 1
    console.print(_summary(manifest, options.to.resolve()), markup=False)
    return 0


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description:<18}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, TimeElapsedColumn(), console=console, transient=True)


def _summary(manifest: Manifest, root: Path) -> str:
    where = model_folder(root, manifest.name)
    size = sum((where / name).stat().st_size for name in manifest.files) / 1e6
    told = f"{manifest.model_id} is ready: {where} ({size:.0f} MB)"
    return f"{told}\nNote: {manifest.reason}" if manifest.reason else told


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
