"""Makes up answers about made-up worlds, for binding a value to its row and its column.

    python -m tools.training.judge.worlds --out FILE --rows N --seed S

An answer by itself says nothing about its label: wrong ones have the words of right ones.
"""

import argparse
import json
import random
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

from tools.training.judge.worlds_answers import MAKERS, silent, unmarked
from tools.training.judge.worlds_facts import domains, draw_world
from tools.training.judge.worlds_sources import sources

_BOTH = 0.6
"""Share of the questions that get their right and their wrong answer."""
_RIGHT = 0.66
"""Share of right ones among single answers; what the source is silent on has none."""


def rows_of(number: int, seed: int) -> list[dict[str, Any]]:
    """Return that many rows, the same for the same seed."""
    rng = random.Random(seed)
    return list(islice((row for world in count(1) for row in _rows(world, rng)), number))


def _rows(number: int, rng: random.Random) -> Iterator[dict[str, Any]]:
    """Yield the rows about one source."""
    used = set[str]()
    main, *others = rng.sample(domains(), rng.choice((1, 1, 1, 2, 3)))
    world = draw_world(rng, main, used)
    context = sources(world, [draw_world(rng, each, used, small=True) for each in others], rng)
    most, seen = rng.randint(8, 16), set[tuple[str, str]]()
    for maker in rng.choices(list(MAKERS), list(MAKERS.values()), k=100):
        pair = maker(world, rng)
        if not pair or pair.right == pair.wrong:
            continue
        answers = [(pair.right, 0), (pair.wrong, 1)]
        rng.shuffle(answers)
        if pair.right is not None and rng.random() > _BOTH:
            answers = [(pair.right, 0) if rng.random() < _RIGHT else (pair.wrong, 1)]
        for text, label in answers:
            key = pair.query, (text or "").rstrip(".")
            if text is None or key in seen or len(seen) == most:
                continue
            seen.add(key)
            label3 = ("entailment", "neutral" if maker is silent else "contradiction")[label]
            response, spans = unmarked(text, "neutral" if maker is silent else "conflict")
            yield {
                "id": f"world-{number}-{len(seen)}",
                "dataset": "worlds",
                "task": "qa",
                "query": pair.query,
                "context": context,
                "response": response,
                "label": label,
                "spans": spans if label else [],
                "meta": {"source_id": f"world-{number}", "kind": maker.__name__, "label3": label3},
            }


def main() -> None:
    """Write the rows that the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows_of(args.rows, args.seed))
    args.out.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
