"""Judges in other languages: `python -m tools.training.judge.languages FILE … --base DIR`.

Prints for each translation of everyday claims the AUROC by sentence, what it is above that of the
same claims beside another block's sources (what claims tell by themselves), the AUROC of the same
claims and sources in English, and how far the translation is from it, each with its 95 % interval
by resampling sources.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import torch

from lib.stats.bootstrap import Interval, auroc_interval, difference_interval
from tools.training.judge.data import ENTAIL, Block, blocks, read_rows
from tools.training.judge.measure import EVERYDAY, Checkpoint, Scorer

TRANSLATIONS = EVERYDAY.parent / "languages"
_MOST_CLAIMS = 24
_NEXT = 3
"""Blocks between the claims and the foreign sources; neighbours may be about like things."""
HEAD = "| weights | claims seen | language | sentences | AUROC | from sources | English | less |"
_RULE = "|---|---:|---|---:|---:|---:|---:|---:|"


def pairs(translation: Path) -> list[tuple[Block, Block]]:
    """Return each block of the translation with the English one that it was made from.

    Raises ValueError if they don't have the same labels, sentence by sentence.
    """
    domains = {row["meta"]["domain"] for row in read_rows(translation)}
    originals = [
        block
        for path in sorted(EVERYDAY.glob("*.txt"))
        for block in blocks(path, lambda row: row["meta"]["domain"] in domains, _MOST_CLAIMS)
    ]
    translated = blocks(translation, lambda _row: True, _MOST_CLAIMS)
    both = list(zip(translated, originals, strict=True))
    for block, original in both:
        if [claim.target for claim in block.claims] != [claim.target for claim in original.claims]:
            raise ValueError(f"{translation}: other labels than in English: {block.question}")
    return both


def beside_others(part: Sequence[Block]) -> list[Block]:
    """Return each block's claims with the sources of another one."""
    return [
        replace(block, texts=part[(at + _NEXT) % len(part)].texts) for at, block in enumerate(part)
    ]


def intervals(scorer: Scorer, both: list[tuple[Block, Block]]) -> tuple[Interval, ...]:
    """Return the translation's AUROC, what its sources add, the English AUROC, the difference."""
    labels = [claim.target != ENTAIL for block, _ in both for claim in block.claims]
    sources = [original.texts for _, original in both for _ in original.claims]
    translated, originals = zip(*both, strict=True)
    scores, foreign, others = (
        [score for block in part for score in scorer.unsupported(block)]
        for part in (translated, beside_others(translated), originals)
    )
    return (
        auroc_interval(labels, scores, sources),
        difference_interval(labels, scores, foreign, sources),
        auroc_interval(labels, others, sources),
        difference_interval(labels, scores, others, sources),
    )


def lines(checkpoint: Checkpoint) -> Iterator[str]:
    """Yield a line of a Markdown table for each translation."""
    for path in sorted(TRANSLATIONS.glob("*.txt")):
        both = pairs(path)
        count = sum(len(block.claims) for block, _ in both)
        cells = [
            f"{each.value:.3f} [{each.low:.3f}, {each.high:.3f}]"
            for each in intervals(checkpoint, both)
        ]
        yield f"| {checkpoint.name} | {checkpoint.claims:,} | {path.stem} | {count} | " + (
            " | ".join(cells) + " |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    print(HEAD, _RULE, sep="\n", flush=True)
    for path in options.checkpoints:
        for line in lines(Checkpoint(options.base, path)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
