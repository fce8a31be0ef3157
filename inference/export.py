"""`python -m inference.export [--reranker | --judge] [--model NAME] [--to DIR] [--force]`

Prepares an embedding model, with --reranker a cross-encoder, with --judge the judges: the small
one, which needs no download, and the base-size one (its encoder, 400 MB, is downloaded once) with
the judge of answers, which shares its encoder; with `--model small` the small one alone. The first
time takes half a minute a model, later times a second. Other code calls
`inference.prepare.ensure_model`, `inference.rerank.ensure_reranker` and
`inference.judge.preparing.ensure_judge`.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from inference.errors import ModelError
from inference.judge import ANSWERS, BASE, JUDGES, SMALL, judge_folder, judges_of
from inference.judge.preparing import ensure_judge
from inference.prepare import ensure_model
from inference.rerank import ensure_reranker, reranker_folder
from inference.sources import DEFAULT_MODEL
from inference.store import DEFAULT_FOLDER, Manifest, model_folder

STEPS = 5


def main(arguments: list[str]) -> int:
    """Prepare a model: print the steps, then the model's id and location."""
    parser = argparse.ArgumentParser(prog="python -m inference.export", description=__doc__)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--reranker", action="store_true", help="a cross-encoder, by --model")
    kind.add_argument("--judge", action="store_true", help=f"a judge: {BASE} or {SMALL}")
    parser.add_argument(
        "--model", help=f"name or folder (default: {DEFAULT_MODEL}; --judge: {BASE})"
    )
    parser.add_argument("--to", type=Path, default=DEFAULT_FOLDER, help="where (%(default)s)")
    parser.add_argument("--force", action="store_true", help="prepare it again")
    options = parser.parse_args(arguments)
    if options.reranker and not options.model:
        parser.error("--reranker needs --model: none is included.")
    if options.judge and (options.model or BASE) not in JUDGES:
        parser.error(f"--judge takes the --model {BASE} or {SMALL}.")
    console = Console(highlight=False, soft_wrap=True)
    try:
        message = _prepared(options, console)
    except ModelError as error:
        console.print(str(error), markup=False)
        return 1
    console.print(message, markup=False)
    return 0


def _prepared(options: argparse.Namespace, console: Console) -> str:
    root = options.to.resolve()
    columns = (TextColumn("{task.description:<18}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as bar:
        task = bar.add_task("look what is there", total=STEPS + 1)

        def report(step: str) -> None:
            bar.update(task, advance=1, description=step)

        if options.judge:
            name = options.model or BASE
            summaries = [
                _summary(
                    ensure_judge(root, name, force=options.force, report=report),
                    judge_folder(root, name),
                )
                for name in (*judges_of(name), *((ANSWERS,) if name == BASE else ()))
            ]
            return "\n".join(summaries)
        prepare: Callable[..., Manifest]
        prepare, folder = ensure_model, model_folder
        if options.reranker:
            prepare, folder = ensure_reranker, reranker_folder
        name = options.model or DEFAULT_MODEL
        manifest = prepare(name, root, force=options.force, report=report)
    return _summary(manifest, folder(root, manifest.name))


def _summary(manifest: Manifest, where: Path) -> str:
    size = sum((where / name).stat().st_size for name in manifest.files) / 1e6
    summary = f"{manifest.model_id} is ready: {where} ({size:.0f} MB)"
    return f"{summary}\nNote: {manifest.reason}" if manifest.reason else summary


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
