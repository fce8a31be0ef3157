"""Judges configured by an operator: a kind and a folder (or a name on the hub), as in

    named_judge("minicheck:/models/MiniCheck-RoBERTa-Large", settings.MODEL_DIR)

`minicheck`: a sequence classifier or T5 over a document and a claim (arXiv 2404.10774). `hhem`: a
T5 token classifier with the question of HHEM-2.1-open (Vectara). `lettucedetect`: a token
classifier over passages, question and answer, which marks unsupported words (arXiv 2502.17125).
`entailment`: a cross-encoder whose config names its labels.

All but the last tell support from its absence, not from contradiction. `manage.py calibrate` fits
what their numbers mean, and the thresholds of the policy, on an operator's own answers.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, Protocol

from inference.errors import ModelError
from inference.judge import LazyJudge, windows
from inference.judge.calibration import with_calibration
from inference.judge.types import ClaimJudgement, EvidenceWindow, Judge, Word
from inference.runtime import readable
from lib.lazy import Lazy

KINDS = ("minicheck", "hhem", "lettucedetect", "entailment")
NAMED = "named:"
"""Prefix of these judges' ids."""
_REMEDY = f"Set JUDGE_MODEL to KIND:FOLDER, KIND one of {', '.join(KINDS)}."


def name_of(setting: str) -> str:
    """Return the judge's id: kind and last part of the path. Raises ModelError for another kind."""
    kind, _, source = setting.partition(":")
    if kind not in KINDS or not source:
        raise ModelError(f"JUDGE_MODEL names no judge: {setting!r}.", _REMEDY)
    return f"{NAMED}{kind}:{Path(source).name}"


@lru_cache(maxsize=4)
def named_judge(setting: str, folder: Path, *, threads: int = 1, calibrated: bool = True) -> Judge:
    """Return this process's judge for a setting; its members raise ModelError.

    `folder` (MODEL_DIR) has its calibration, if one was fitted; without `calibrated` its raw scores
    are returned.
    """
    name_of(setting)
    return LazyJudge(Lazy(lambda: _open(setting, folder, threads, calibrated)))


def _open(setting: str, folder: Path, threads: int, calibrated: bool) -> Judge:
    kind, _, source = setting.partition(":")
    name = name_of(setting)
    judge: Judge
    if kind == "lettucedetect":
        judge = WordsJudge(source, name, threads)
    else:
        judge = GroundingJudge(_PAIRS[kind](source), name, threads)
    return with_calibration(judge, name, folder) if calibrated else judge


Label = Literal["entail", "neutral", "contradict"]

_NAMES: tuple[tuple[Label, str], ...] = (
    ("entail", "entailment entail entails entailed supported supports support consistent"),
    ("neutral", "neutral notentailment notentailed notsupported notenoughinfo nei unknown"),
    ("contradict", "contradiction contradict contradicts contradictory refuted refutes refute"),
)
_MEANINGS = {name: label for label, names in _NAMES for name in names.split()}
_NAME_LABELS = (
    "Write the meaning of each output into id2label of its config.json, for example "
    '{"0": "contradiction", "1": "entailment", "2": "neutral"}.'
)


def label_order(config: Mapping[str, Any]) -> tuple[Label, ...]:
    """Return the meaning of each output of the model, in order.

    `config` is the model's config.json. Raises ModelError if `id2label` is missing, has unknown
    names (LABEL_0 …), or lacks entailment: a guess could invert verdicts.
    """
    id_to_label = config.get("id2label")
    if not isinstance(id_to_label, Mapping) or not id_to_label:
        raise ModelError("The model's config.json has no id2label.", _NAME_LABELS)
    names = {int(number): str(name) for number, name in id_to_label.items()}
    if sorted(names) != list(range(len(names))):
        raise ModelError(f"id2label has gaps: {sorted(names)}.", _NAME_LABELS)
    return read_labels([names[number] for number in range(len(names))])


def read_labels(names: Sequence[str]) -> tuple[Label, ...]:
    """Return the meanings of named outputs, in order. Raises ModelError as `label_order` does."""
    plain = ("".join(filter(str.isalpha, name.lower())) for name in names)
    order = tuple(_MEANINGS[name] for name in plain if name in _MEANINGS)
    text = ", ".join(names)
    if len(order) < len(names):
        raise ModelError(f"The order of the labels cannot be told from {text}.", _NAME_LABELS)
    if len(set(order)) < len(order) or "entail" not in order or len(order) < 2:
        raise ModelError(f"Not a model of entailment: its labels are {text}.", _NAME_LABELS)
    return order


_CHECK_FOLDER = (
    "Check the folder that JUDGE_MODEL names; models that need code of their own do not run."
)


def load_pretrained(kind: Any, source: str) -> Any:
    """Load `kind.from_pretrained(source)` in safetensors, for evaluation. Raises ModelError."""
    try:
        return kind.from_pretrained(source, use_safetensors=True, trust_remote_code=False).eval()
    except Exception as error:  # the libraries below raise what they like
        raise ModelError(f"transformers cannot load {source}: {error}", _CHECK_FOLDER) from error


def tokenizer_of(source: str) -> Any:
    """Return the model's tokenizer. Raises ModelError."""
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(source, trust_remote_code=False)
    except Exception as error:  # the libraries below raise what they like
        raise ModelError(f"transformers cannot load {source}: {error}", _CHECK_FOLDER) from error


WINDOW_TOKENS, EVIDENCE_TOKENS = 350, 1800
MOST_TOKENS = 512
_BATCH = 8
_HHEM_QUESTION = (
    "<pad> Determine if the hypothesis is true given the premise?\n\n"
    "Premise: {document}\n\nHypothesis: {claim}"
)
"""Of HHEM-2.1-open, word for word: it was trained on it."""
_NO, _YES = 3, 209
"""T5's ids of "0" and "1", which MiniCheck's T5 answers with."""


Shares = tuple[float, float]
"""Probabilities (0-1) that a document supports and that it contradicts a claim."""


class Pairs(Protocol):
    """Reads pairs of a document and a claim; a grounder reports no contradiction (0)."""

    @property
    def tokenizer(self) -> Any: ...
    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Shares]: ...


class Classifier:
    """MiniCheck's encoders: document, end of sequence, claim; the second label is support."""

    def __init__(self, source: str) -> None:
        from transformers import AutoModelForSequenceClassification

        self.tokenizer = tokenizer_of(source)
        self._model = load_pretrained(AutoModelForSequenceClassification, source)
        if self._model.config.num_labels != 2:
            raise ModelError(
                f"{source} has {self._model.config.num_labels} labels; MiniCheck's models have 2.",
                "Name a model of entailment as entailment:FOLDER.",
            )

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Shares]:
        end = self.tokenizer.eos_token or self.tokenizer.sep_token or ""
        feed = encoded(self.tokenizer, [f"{text}{end}{claim}" for text, claim in pairs])
        return _support(self._model(**feed).logits)


class Generator:
    """MiniCheck's T5: prompted to predict, it begins its answer with 0 or 1."""

    def __init__(self, source: str) -> None:
        from transformers import T5ForConditionalGeneration

        self.tokenizer = tokenizer_of(source)
        self._model = load_pretrained(T5ForConditionalGeneration, source)

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Shares]:
        import torch

        end = self.tokenizer.eos_token or ""
        feed = encoded(self.tokenizer, [f"predict: {text}{end}{claim}" for text, claim in pairs])
        start = self._model.config.decoder_start_token_id
        decoder_ids = torch.full((len(pairs), 1), start, dtype=torch.long)
        logits = self._model(**feed, decoder_input_ids=decoder_ids).logits[:, 0, [_NO, _YES]]
        return _support(logits)


class Hhem:
    """HHEM-2.1-open: a T5 token classifier; the second label of the first token."""

    def __init__(self, source: str) -> None:
        from transformers import T5ForTokenClassification

        self.tokenizer = tokenizer_of(source)
        self._model = load_pretrained(T5ForTokenClassification, source)

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Shares]:
        texts = [_HHEM_QUESTION.format(document=text, claim=claim) for text, claim in pairs]
        logits = self._model(**encoded(self.tokenizer, texts)).logits[:, 0]
        return _support(logits)


class CrossEncoder:
    """A cross-encoder for entailment; its config names its labels."""

    def __init__(self, source: str) -> None:
        from transformers import AutoModelForSequenceClassification

        self.tokenizer = tokenizer_of(source)
        self._model = load_pretrained(AutoModelForSequenceClassification, source)
        labels = label_order(self._model.config.to_dict())
        self._for = labels.index("entail")
        self._against = labels.index("contradict") if "contradict" in labels else None

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Shares]:
        texts, claims = zip(*pairs, strict=True)
        logits = self._model(**encoded(self.tokenizer, texts, claims)).logits
        rows: list[list[float]] = logits.float().softmax(-1).tolist()
        return [
            (row[self._for], 0.0 if self._against is None else row[self._against]) for row in rows
        ]


def _support(logits: Any) -> list[Shares]:
    """Return shares from two labels per pair, the second of which means supported."""
    return [(share, 0.0) for share in logits.float().softmax(-1)[:, 1].tolist()]


def minicheck(source: str) -> Pairs:
    """Load a model of the MiniCheck kind: its T5, or one of its encoders. Raises ModelError."""
    from transformers import AutoConfig

    try:
        kind = AutoConfig.from_pretrained(source, trust_remote_code=False).model_type
    except Exception as error:  # the libraries below raise what they like
        raise ModelError(f"transformers cannot read {source}: {error}", "") from error
    return Generator(source) if kind == "t5" else Classifier(source)


_PAIRS: dict[str, Callable[[str], Pairs]] = {
    "minicheck": minicheck,
    "hhem": Hhem,
    "entailment": CrossEncoder,
}


def encoded(tokenizer: Any, texts: Sequence[str], claims: Sequence[str] | None = None) -> Any:
    """Encode texts, or (text, claim) pairs, as one padded batch of at most MOST_TOKENS."""
    return tokenizer(
        list(texts),
        claims and list(claims),
        truncation=True,
        max_length=MOST_TOKENS,
        padding=True,
        return_tensors="pt",
    )


class GroundingJudge:
    """A `Judge` over pairs. Runs one batch at a time, behind a lock."""

    def __init__(self, pairs: Pairs, name: str, threads: int) -> None:
        import torch

        torch.set_num_threads(threads)
        self._pairs, self._name = pairs, name
        self._lock = threading.Lock()

    @property
    def model_id(self) -> str:
        return self._name

    def predict(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        *,
        before: Sequence[str] = (),
        seconds: float | None = None,
    ) -> tuple[ClaimJudgement | None, ...]:
        """Predict like `Judge.predict`; unsupported claims of a grounder are not contradicted."""
        until = None if seconds is None else time.monotonic() + seconds
        texts = [readable(text) for text in evidence]
        candidates = windows.cut(texts, self._ids, WINDOW_TOKENS)
        queries = [self._ids(claim) for claim in claims]
        selection = windows.select(candidates, queries, EVIDENCE_TOKENS)
        total = sum(len(each.ids) for each in candidates)
        coverage = sum(len(each.ids) for each in selection) / total if total else 1.0
        results: list[ClaimJudgement | None] = []
        for claim in claims:
            late = until is not None and time.monotonic() >= until
            results.append(None if late else self._judge(claim, texts, selection, coverage))
        return tuple(results)

    def _judge(
        self,
        claim: str,
        texts: Sequence[str],
        windows: Sequence[windows.Window],
        coverage: float,
    ) -> ClaimJudgement:
        pairs = [(texts[each.source][each.start : each.end], readable(claim)) for each in windows]
        shares = self._read(pairs) or [(0.0, 0.0)]
        support = [share for share, _ in shares]
        entail = max(support)
        contradict = min(max(share for _, share in shares), 1 - entail)
        weights = [share / (sum(support) or 1.0) for share in support]
        read = tuple(
            EvidenceWindow(each.source, each.start, each.end, weight)
            for each, weight in zip(windows, weights, strict=False)
        )
        words = ((0, len(claim), 1 - entail),)
        neutral = 1 - entail - contradict
        return ClaimJudgement(entail, neutral, contradict, words, read, coverage)

    def _read(self, pairs: Sequence[tuple[str, str]]) -> list[Shares]:
        import torch

        shares: list[Shares] = []
        with self._lock, torch.inference_mode():
            for start in range(0, len(pairs), _BATCH):
                shares += self._pairs.read(pairs[start : start + _BATCH])
        return shares

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self._pairs.tokenizer.encode(
            readable(text), add_special_tokens=False, verbose=False
        )
        return ids


ANSWER_TOKENS = 4096
_ABOUT_PASSAGES = (
    "Briefly answer the following question:\n{question}\n"
    "Bear in mind that your response should be strictly based on the following {count} passages:\n"
    "{passages}\nIn case the passages do not contain the necessary information to answer the "
    'question, please reply with: "Unable to answer based on given passages."\noutput:'
)
_SUMMARY = "Summarize the following text:\n{passages}\noutput:"
"""The models were trained on these two, word for word (LettuceDetect, after RAGTruth)."""
_UNSUPPORTED = 1


class WordsJudge:
    """A `Judge` over one token classifier. Reads one answer at a time, behind a lock."""

    def __init__(self, source: str, name: str, threads: int) -> None:
        import torch
        from transformers import AutoModelForTokenClassification

        torch.set_num_threads(threads)
        self._name, self._lock = name, threading.Lock()
        self._tokenizer = tokenizer_of(source)
        self._model = load_pretrained(AutoModelForTokenClassification, source)
        if self._model.config.num_labels != 2:
            raise ModelError(f"{source} does not tell two kinds of words.", "Name another model.")

    @property
    def model_id(self) -> str:
        return self._name

    def predict(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        *,
        before: Sequence[str] = (),
        seconds: float | None = None,
    ) -> tuple[ClaimJudgement | None, ...]:
        """Predict like `Judge.predict`.

        All claims are read in one run, so `seconds` cuts nothing off.

        A claim is as unsupported as its most doubted word.
        """
        answer = " ".join(readable(claim) for claim in claims)
        prompt = _prompt(question, [readable(text) for text in evidence])
        doubts, unread = self._doubts(prompt, answer)
        coverage = 1.0 if not unread else max(0.0, 1 - unread / len(prompt))
        spans = tuple(EvidenceWindow(at, 0, len(text), 1.0) for at, text in enumerate(evidence))
        results: list[ClaimJudgement | None] = []
        start = 0
        for claim in claims:
            end = start + len(readable(claim))
            results.append(_judgement(doubts, start, end, spans, coverage))
            start = end + 1
        return tuple(results)

    def _doubts(self, prompt: str, answer: str) -> tuple[list[Word], int]:
        """Return the answer's tokens with their doubts, and how much of the prompt was left out."""
        import torch

        with self._lock, torch.inference_mode():
            feed = self._tokenizer(
                prompt, answer, truncation="only_first", max_length=ANSWER_TOKENS,
                return_offsets_mapping=True, return_tensors="pt",
            )  # fmt: skip
            offsets = feed.pop("offset_mapping")[0].tolist()
            parts = feed.sequence_ids(0)
            shares = self._model(**feed).logits[0].float().softmax(-1)[:, _UNSUPPORTED].tolist()
        rows: list[tuple[Any, tuple[int, int], float]] = list(
            zip(parts, offsets, shares, strict=True)
        )
        doubts = [(a, b, share) for part, (a, b), share in rows if part == 1 and b > a]
        read = max((b for part, (_, b), _ in rows if part == 0), default=0)
        return doubts, len(prompt.rstrip()) - read


def _prompt(question: str, evidence: Sequence[str]) -> str:
    passages = "\n".join(f"passage {at}: {text}" for at, text in enumerate(evidence, start=1))
    if not question.strip():
        return _SUMMARY.format(passages="\n".join(evidence))
    return _ABOUT_PASSAGES.format(question=question, count=len(evidence), passages=passages)


def _judgement(
    doubts: Sequence[Word],
    start: int,
    end: int,
    windows: tuple[EvidenceWindow, ...],
    coverage: float,
) -> ClaimJudgement:
    inside = [
        (max(a, start) - start, min(b, end) - start, share)
        for a, b, share in doubts
        if a < end and start < b
    ]
    doubt = max((share for _, _, share in inside), default=1.0)
    return ClaimJudgement(1 - doubt, doubt, 0.0, tuple(inside), windows, coverage, not inside)
