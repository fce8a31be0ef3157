"""The judge's training data: files, their shares of the draws, and how blocks are varied."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from tools.training.answers import trains
from tools.training.judge.data import (
    CONTRADICT,
    ENTAIL,
    NEUTRAL,
    OWN,
    ROWS,
    Block,
    LabelledClaim,
    Row,
    blocks,
    held_out,
    sentence_spans,
)

_PAIRS_A_BLOCK = 6
_NO_COPIES = 0.5
"""Share of the blocks that get no copied sentences."""

_GUARDED = re.compile(r"\b(if|unless|except|only|not|no|or|either|both|between|until)\b", re.I)
_FIGURE = re.compile(r"(?<![\d.,:])\d{1,4}(?![\d.,:]\d|\d)")

WRITTEN = "written/*.jsonl"
OWN_ANSWERS = "served/answers-*.jsonl"
"""Our own pairs of answers (`rows/answers-*.jsonl`) as `tools.training.judge.served` wrote them."""
PAIRS = ("nli/", "grounding/paws", "grounding/scone")
MIX: dict[str, float] = {
    WRITTEN: 0.90,
    OWN: 0.80,
    OWN_ANSWERS: 4.40,
    "nli/mnli.dev.jsonl": 0.06,
    "nli/mnli.train10k.jsonl": 0.06,
    "nli/snli.dev.jsonl": 0.02,
    "nli/conjnli.train.jsonl": 0.04,
    "nli/fever_symmetric.dev.jsonl": 0.01,
    "nli/scitail.dev.jsonl": 0.02,
    "nli/contractnli.train.jsonl": 0.03,
    "grounding/ragtruth.train_part.jsonl": 0.20,
    "grounding/ragtruth_records.dev.jsonl": 0.10,
    "grounding/quintd.train.jsonl": 0.07,
    "grounding/d2t_eval.train.jsonl": 0.04,
    "grounding/infotabs.train.jsonl": 0.06,
    "grounding/wice.dev.jsonl": 0.03,
    "grounding/wice_spans.train.jsonl": 0.01,
    "grounding/summedits.dev.jsonl": 0.05,
    "grounding/frank.val.jsonl": 0.05,
    "grounding/bump.train.jsonl": 0.05,
    "grounding/expertqa.val.jsonl": 0.02,
    "grounding/clapnq.dev.jsonl": 0.02,
    "grounding/mtragun.dev.jsonl": 0.02,
    "grounding/quotesum.dev.jsonl": 0.01,
    "grounding/storysumm.dev.jsonl": 0.01,
    "grounding/xsumfaith.val.jsonl": 0.02,
    "grounding/fool_me_twice.dev.jsonl": 0.02,
    "grounding/paws_wiki.train.jsonl": 0.04,
    "served/dstc9.cross.train.jsonl": 0.16,
    "served/dstc9.real.train.jsonl": 0.12,
    "served/tatqa.train.jsonl": 0.10,
    "served/tables_fetaqa.train.jsonl": 0.08,
    "served/pubmedqa_yesno.train.jsonl": 0.06,
    "served/condaqa.train.jsonl": 0.05,
    "served/condaqa_inference.train.jsonl": 0.05,
    "served/halueval_qa.dev.jsonl": 0.15,
    "served/short_squad.train.jsonl": 0.08,
    "served/short_newwiki.train.jsonl": 0.30,
    "served/short_mixed.train.jsonl": 0.22,
    "grounding/factcg_doc.train.jsonl": 0.01,
    "grounding/scone.train.jsonl": 0.03,
    "nli/med.dev.jsonl": 0.02,
    "grounding/dialog_facts.train.jsonl": 0.02,
    "grounding/tabfact_pairs.dev.jsonl": 0.02,
    "grounding/scitab.train.jsonl": 0.01,
    "grounding/feverous.dev.jsonl": 0.02,
    "grounding/rotowire_accuracy.train.jsonl": 0.01,
    "grounding/factcheckgpt.train.jsonl": 0.01,
    "grounding/scifact.train.jsonl": 0.01,
    "grounding/scifact.dev.jsonl": 0.005,
}
"""Files and the weight of each in the draws; pairs of sentences are pooled to blocks."""
REPORTED = (
    "ragtruth", "halueval", "frank", "wice.dev", "summedits", "expertqa", "begin", "xsumfaith",
    "scifact", "feverous",
)  # fmt: skip
"""Sets that results are reported on: of these only the training rows of the tune half train."""
ANSWERS = ("answers-", "short_", "dstc9", "tatqa", "tables_", "pubmedqa", "condaqa")
"""Sets of answers to questions; as of our own rows, a tenth by source never trains."""
_ASKING = ("short_", "dstc9", "tables_wtq", "pubmedqa", "condaqa")
_QUESTION_SHARE = 0.85


def trains_judge(pattern: str, row: Row) -> bool:
    """Return whether a row of the files that a pattern of the mix names may train."""
    if pattern in (WRITTEN, OWN) or any(part in pattern for part in ANSWERS):
        return not held_out(row)
    return trains(row) if any(part in pattern for part in REPORTED) else True


def deck(folder: Path, pattern: str) -> list[Block]:
    """Return the blocks of the files that a pattern of the mix names."""
    keep = partial(trains_judge, pattern)
    where, names = (ROWS, "*.txt") if pattern == OWN else (folder, pattern)
    separate = [block for path in sorted(where.glob(names)) for block in blocks(path, keep)]
    return pooled(separate) if pattern.startswith(PAIRS) else separate


def pooled(pairs: Sequence[Block]) -> list[Block]:
    """Return several pairs of sentences as one block: each claim has to find its own premise."""
    order = random.Random(len(pairs)).sample(pairs, len(pairs))
    groups = (order[at : at + _PAIRS_A_BLOCK] for at in range(0, len(order), _PAIRS_A_BLOCK))
    return [
        Block(
            tuple(text for each in group for text in each.texts),
            "",
            tuple(claim for each in group for claim in each.claims),
        )
        for group in groups
    ]


def draws(decks: Mapping[str, list[Block]]) -> Iterator[Block]:
    """Yield blocks without end: decks by their shares, each dealt out before a reshuffle."""
    hands: dict[str, list[Block]] = {name: [] for name, pool in decks.items() if pool}
    shares = [MIX[name] for name in hands]
    while True:
        name = random.choices(list(hands), shares)[0]
        if not hands[name]:
            hands[name] = random.sample(decks[name], len(decks[name]))
        block = hands[name].pop()
        has_question = needs_question(name) or random.random() < _QUESTION_SHARE
        yield block if has_question else replace(block, question="")


def needs_question(name: str) -> bool:
    """Return whether in this set the question alone separates right answers from wrong ones."""
    return any(part in name for part in _ASKING)


def with_distractors(block: Block, others: Sequence[Block]) -> Block:
    """Return the block among others' passages, so that long sources are learned too."""
    if random.random() > 0.3 or sum(map(len, block.texts)) > 1500:
        return block
    added = [random.choice(others).texts for _ in range(random.randint(1, 4))]
    texts = [block.texts, *added]
    random.shuffle(texts)
    return replace(block, texts=tuple(text for group in texts for text in group))


def with_copies(block: Block, others: Sequence[Block]) -> Block:
    """Return the block with sentences of its sources as claims.

    They are whole, with another figure, or foreign. In the written sets supported claims are in
    other words than the source and wrong ones in its own. Without copies a model learns from that
    to doubt whatever repeats its source.
    """
    if random.random() < _NO_COPIES:
        return block
    own = _plain_sentences(block)
    sample = random.sample(own, min(len(own), random.randint(1, 3)))
    added = [LabelledClaim(_shortened(text), (), ENTAIL) for text in sample]
    wrong = [claim for text in random.sample(own, min(len(own), 2)) if (claim := _misstated(text))]
    foreign = _plain_sentences(random.choice(others))
    if foreign and random.random() < 0.5:
        wrong.append(LabelledClaim(random.choice(foreign), None, NEUTRAL))
    return replace(block, claims=(*block.claims, *added, *wrong))


def _plain_sentences(block: Block) -> list[str]:
    """Return the sentences of prose of 4 to 40 words."""
    texts = [text[a:b] for text in block.texts for a, b in sentence_spans(text)]
    return [text for text in texts if 4 <= len(text.split()) <= 40 and ": " not in text]


def _shortened(text: str) -> str:
    """Sometimes return the first of several coordinated parts, if it says no more."""
    first, mark, _ = text.partition(" and ")
    if not mark or len(first.split()) < 5 or _GUARDED.search(text) or random.random() < 0.5:
        return text
    return first.rstrip(",; ") + "."


def _misstated(text: str) -> LabelledClaim | None:
    """Return the sentence with one of its numbers changed; None where it has none."""
    figures = list(_FIGURE.finditer(text))
    if not figures:
        return None
    match = random.choice(figures)
    old = int(match[0])
    new = str(random.choice([old + 1, old * 2 + 1, max(1, old // 2) + 3, old + 10]))
    span = (match.start(), match.start() + len(new))
    return LabelledClaim(text[: match.start()] + new + text[match.end() :], (span,), CONTRADICT)
