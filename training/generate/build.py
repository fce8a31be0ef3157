"""Generate examples: `python -m training.generate.build DATA --out FILE [--rounds 3]`."""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

from tqdm import tqdm

from training.evidence import corpus_of
from training.examples import Example, write
from training.generate.documents import prose, records
from training.generate.facts import of_record
from training.generate.invent import invented
from training.generate.passages import of_document
from training.generate.sentences import bank, source_sentences

PER_DOCUMENT = 8
PER_RECORD = 40
INVENTED, PER_INVENTED = 400, 8


def examples(data: Path, rounds: int, seed: int) -> Iterator[Example]:
    """Examples of every document, `rounds` times over."""
    chance = random.Random(seed)
    documents = list(prose(data))
    sentences = [
        [item.text for item in source_sentences(corpus_of(d))] for d in tqdm(documents, desc="bank")
    ]
    lent = bank(sentences, chance)
    for _ in range(rounds):
        for document in tqdm(documents, desc="prose"):
            yield from of_document(document, lent, PER_DOCUMENT, chance)
        for text in tqdm(list(records(data)), desc="records"):
            yield from of_record(text, PER_RECORD, chance)
        for _ in range(INVENTED):
            yield from of_record(invented(chance), PER_INVENTED, chance)


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(write(options.out, examples(options.data, options.rounds, options.seed)), "examples")


if __name__ == "__main__":
    main()
