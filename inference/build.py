"""Prepares one model: `python -m inference.build KIND NAME FOLDER`, the child of inference.prepare.

KIND is `embedding` (a sentence-transformers model) or `reranker` (a cross-encoder). It runs in a
separate process, so that torch's memory never stays in a server. It reports its steps as JSON lines
on stdout, the last being {"done": true} or {"problem": ..., "remedy": ...}.

The tracer fixes whatever depends on a shape; the comparison with the original on texts of many
lengths shows whether a trace is good. A model that cannot be exported so is refused: servers have
no torch.
"""

import inspect
import json
import shutil
import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import metadata
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from inference.embedding import Embedder
from inference.errors import ModelError
from inference.quantise import QUANTISATION, quantise_file
from inference.rerank import PairTokenizer, Reranker
from inference.runtime import IDS, MASK, TYPES
from inference.sources import ModelSource, check_bundle, find_source, folder_hash, hub_names
from inference.store import Manifest, adopt, publish, scratch

if TYPE_CHECKING:
    import torch

STEPS = ("check the source", "load it with torch", "export to ONNX", "quantise", "compare, store")
OPSET = 17
LEAST_FLOAT_COSINE, LEAST_INT8_COSINE = 0.9999, 0.99
"""Between the vectors of the original and of the export: the least of all samples by float, and on
average by int8; below, the model is refused, or its float form kept."""
LEAST_FLOAT_KEPT, LEAST_INT8_KEPT = 0.9999, 0.98
"""The same of cross-encoders: the share of the scores' variance that is kept."""
_MAKERS = ("torch", "onnx", "onnxruntime", "sentence-transformers", "transformers", "tokenizers")
_DEFAULT_WINDOW = 512
_ID_CHARS = 80
_SMALLEST = 1e-9
# Encoders whose tokens all see each other, with the inputs ids and mask.
_ARCHITECTURES = frozenset(
    ("albert", "bert", "camembert", "distilbert", "electra", "mpnet", "roberta", "xlm-roberta")
)
# Their first positions are those of padding.
_OFFSET_ARCHITECTURES = frozenset(("camembert", "mpnet", "roberta", "xlm-roberta"))

Report = Callable[[str], None]
Quality = dict[str, float]


class NotExportableError(Exception):
    """Raised if a model cannot be served as an ONNX graph; the message says why."""


class _Embedding:
    """A sentence-transformers model: a transformer, pooling and normalisation become one graph."""

    organisation = "sentence-transformers"
    output = "embedding"

    def __init__(self, source: ModelSource) -> None:
        from sentence_transformers import SentenceTransformer

        self.model = _load(SentenceTransformer, source, "sentence-transformers model")
        self.model.max_seq_length = _window(self.model)
        self.prompts = _prompts(self.model)
        self.dimensions: int = self.model.get_embedding_dimension() or 0

    def graph(self) -> "tuple[torch.nn.Module, list[str]]":
        """Return (ids, mask: (texts, tokens)) -> (texts, dimensions), and the inputs' names."""
        import torch

        kinds = [type(module).__name__ for module in self.model]
        if kinds not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]):
            raise NotExportableError(f"it is made of {', '.join(kinds)}")
        body, pooling = self.model[0].auto_model, self.model[1].pooling_mode
        if body.config.model_type not in _ARCHITECTURES:
            raise NotExportableError(
                f"the architecture {body.config.model_type} is not known to export"
            )
        if pooling not in ("mean", "cls"):
            raise NotExportableError(f"its pooling is {pooling}")
        typed = TYPES in inspect.signature(body.forward).parameters

        class Encoder(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.body = body

            def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
                more = {TYPES: torch.zeros_like(ids)} if typed else {}
                tokens = self.body(input_ids=ids, attention_mask=mask, **more).last_hidden_state
                weight = mask.unsqueeze(-1).to(tokens.dtype)
                mean = (tokens * weight).sum(dim=1) / weight.sum(dim=1).clamp(min=_SMALLEST)
                pooled = mean if pooling == "mean" else tokens[:, 0]
                return torch.nn.functional.normalize(pooled, p=2.0, dim=1)

        return Encoder().eval(), [IDS, MASK]

    def quality(self, work: Path, trial: Manifest) -> Quality:
        """Return the cosines of the samples' vectors as served with the original's."""
        ours = Embedder(work, replace(trial, prompts={}), threads=1).embed(SAMPLES)
        original = self.model.encode(list(SAMPLES), normalize_embeddings=True, prompt="")
        cosines = (ours * original).sum(axis=1)
        return {"cosine_mean": float(cosines.mean()), "cosine_min": float(cosines.min())}

    def problem(self, quality: Quality, *, exact: bool) -> str:
        """Return what is lost by the export, or by int8; "" if little enough."""
        if exact and not quality["cosine_min"] >= LEAST_FLOAT_COSINE:
            return f"the export differs: cosine {quality['cosine_min']:.4f}"
        if not quality["cosine_mean"] >= LEAST_INT8_COSINE:
            return f"int8 loses too much: {quality['cosine_mean']:.4f}"
        return ""


class _CrossEncoder:
    """A sentence-transformers cross-encoder: a classifier with one label becomes a graph."""

    organisation = "cross-encoder"
    output = "logits"
    prompts: ClassVar[dict[str, str]] = {}
    dimensions = 1

    def __init__(self, source: ModelSource) -> None:
        from sentence_transformers import CrossEncoder

        self.model = _load(CrossEncoder, source, "cross-encoder")
        if self.model.num_labels != 1:
            raise ModelError(
                f"{source.name} gives {self.model.num_labels} scores; reranking needs one.",
                "Set RERANKER_MODEL to a cross-encoder made for ranking.",
            )

    def graph(self) -> "tuple[torch.nn.Module, list[str]]":
        """Return (ids, mask and types: (pairs, tokens)) -> (pairs, 1), and the inputs' names.

        DistilBERT takes no token types, RoBERTa takes and ignores them.
        """
        import torch

        kinds = [type(module).__name__ for module in self.model]
        body = self.model[0].auto_model
        if kinds != ["Transformer"] or not type(body).__name__.endswith(
            "ForSequenceClassification"
        ):
            raise NotExportableError(f"it is made of {', '.join(kinds)}")
        if self.model.default_prompt_name is not None:
            raise NotExportableError("it puts a prompt before the texts")
        takes = TYPES in inspect.signature(body.forward).parameters
        typed = takes and getattr(body.config, "type_vocab_size", 0) > 1

        class Classifier(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.body = body

            def forward(
                self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor | None = None
            ) -> torch.Tensor:
                more = {} if types is None else {TYPES: types}
                tensor: torch.Tensor = self.body(input_ids=ids, attention_mask=mask, **more).logits
                return tensor

        return Classifier().eval(), [IDS, MASK, *([TYPES] if typed else [])]

    def quality(self, work: Path, trial: Manifest) -> Quality:
        """Return the variance kept of the samples' scores, served one query at a time.

        1 if all agree, whatever the scores' scale: 1 - squared error / squared spread.
        """
        import torch

        tokenizer = PairTokenizer(work / trial.file(".json"), trial.max_tokens)
        pairs = sorted((claim, passage) for passage, claim in SAMPLE_PAIRS)
        pairs = [pair for pair in pairs if not tokenizer.encode(*pair).truncated]
        raw = self.model.predict(pairs, activation_fn=torch.nn.Identity())
        original = np.asarray(raw, np.float64).reshape(-1)
        reranker = Reranker(work, trial, threads=1)
        ours = np.array(
            [
                score
                for query, group in groupby(pairs, key=itemgetter(0))
                for score in reranker.score(query, [passage for _, passage in group])
            ]
        )
        spread = float(((original - original.mean()) ** 2).sum())
        error = float(((ours - original) ** 2).sum())
        return {"variance_kept": 1 - error / max(spread, np.finfo(np.float64).tiny)}

    def problem(self, quality: Quality, *, exact: bool) -> str:
        """Return what is lost by the export, or by int8; "" if little enough."""
        share = quality["variance_kept"]
        if not share >= (LEAST_FLOAT_KEPT if exact else LEAST_INT8_KEPT):  # also if not a number
            return f"the {'export' if exact else 'int8 form'} keeps {share:.4f} of the variance"
        return ""


Kind = type[_Embedding] | type[_CrossEncoder]
KINDS: dict[str, Kind] = {"embedding": _Embedding, "reranker": _CrossEncoder}


def build(kind: str, name: str, folder: Path, report: Report) -> Manifest:
    """Prepare the model `name` in `folder` and make it the current one there."""
    report(STEPS[0])
    source = _located(find_source(name), KINDS[kind].organisation)
    check_bundle(source)
    report(STEPS[1])
    original = KINDS[kind](source)
    with scratch(folder) as work:
        report(STEPS[2])
        try:
            _export(original, work)
            manifest = _described(source, original)
            manifest, graph = _choose(original, manifest, work, report)
        except NotExportableError as error:
            raise ModelError(
                f"{name} cannot be exported: {error}.",
                "Name another model; servers run none that has no ONNX form.",
            ) from error
        report(STEPS[4])
        (work / graph).replace(work / "model.onnx")
        names = ("model.onnx", "tokenizer.json")
        manifest = replace(manifest, files=dict(adopt(folder, work / file) for file in names))
        publish(folder, manifest, work)
        return manifest


def _located(source: ModelSource, organisation: str) -> ModelSource:
    """Return the source with a folder: a hub name is downloaded, or found in the hub's cache.

    `organisation` is the default owner of a name without one.
    """
    if source.folder is not None:
        return source
    from huggingface_hub import snapshot_download  # noqa: PLC0415 - only for models by hub name

    problems = []
    for name in hub_names(source.name, organisation):
        try:
            return replace(source, folder=Path(snapshot_download(name)))
        except Exception as error:  # noqa: BLE001 - the hub's client raises many kinds
            problems.append(str(error))
    raise ModelError(
        f"{source.name} is no folder here and could not be fetched from the hub: {problems[0]}",
        "Check the name and the network, or copy the model here and give its folder.",
    )


def _load(maker: Any, source: ModelSource, what: str) -> Any:
    try:
        return maker(
            str(source.folder),
            device="cpu",
            local_files_only=True,
            model_kwargs={"attn_implementation": "eager"},
        ).eval()
    except Exception as error:  # the libraries below raise what they like
        raise ModelError(
            f"sentence-transformers cannot load {source.folder}: {error}",
            f"Give the folder of a {what} (config.json, weights, tokenizer, ...).",
        ) from error


def _window(model: Any) -> int:
    """Return the most tokens that the model reads.

    Where nothing says it, sentence-transformers takes all positions, among them that of padding.
    """
    config = model[0].auto_model.config
    offset = config.pad_token_id + 1 if config.model_type in _OFFSET_ARCHITECTURES else 0
    positions = getattr(config, "max_position_embeddings", _DEFAULT_WINDOW + offset) - offset
    return min(model.max_seq_length or _DEFAULT_WINDOW, positions)


def _prompts(model: Any) -> dict[str, str]:
    """Return the model's prefixes for queries and documents, if it has any."""
    prompts = model.prompts
    default = prompts.get(model.default_prompt_name or "", "")
    by_role = {
        "query": prompts.get("query") or default,
        "document": prompts.get("document") or prompts.get("passage") or default,
    }
    return {role: prompt for role, prompt in by_role.items() if prompt}


def _export(original: _Embedding | _CrossEncoder, work: Path) -> None:
    """Write float.onnx and tokenizer.json to `work`. Raises NotExportableError."""
    tokenizer = original.model.tokenizer
    if not hasattr(tokenizer, "backend_tokenizer"):
        raise NotExportableError("its tokenizer has no tokenizer.json")
    module, inputs = original.graph()
    try:
        _trace(module, inputs, original.output, work / "float.onnx")
    except OSError:
        raise
    except Exception as error:  # the tracer raises what it likes
        raise NotExportableError(f"torch.onnx.export failed: {error}") from error
    text = tokenizer.backend_tokenizer.to_str()
    (work / "tokenizer.json").write_text(text, encoding="utf-8")


def _trace(module: "torch.nn.Module", inputs: list[str], output: str, target: Path) -> None:
    """Export a module of (rows, tokens) inputs."""
    import torch

    ids = torch.full((2, 8), 5, dtype=torch.int64)
    example = (ids, torch.ones_like(ids), torch.zeros_like(ids))
    axes = {name: {0: "rows", 1: "tokens"} for name in inputs} | {output: {0: "rows"}}
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about constants in the trace; the comparison judges it
        torch.onnx.export(
            module,
            example[: len(inputs)],
            str(target),
            dynamo=False,
            opset_version=OPSET,
            input_names=inputs,
            output_names=[output],
            dynamic_axes=axes,
        )


def _described(source: ModelSource, original: _Embedding | _CrossEncoder) -> Manifest:
    """Return the manifest of the model as exported in float32."""
    digest = folder_hash(source.folder or Path())
    return Manifest(
        name=source.name,
        model_id=model_id(source.name, digest, "float32"),
        quantisation="float32",
        dimensions=original.dimensions,
        max_tokens=original.model.max_seq_length or _DEFAULT_WINDOW,
        pad_id=getattr(original.model.tokenizer, "pad_token_id", 0) or 0,
        source=str(source.folder),
        source_sha256=digest,
        package=source.package,
        opset=OPSET,
        prompts=original.prompts,
        made_with={package: metadata.version(package) for package in _MAKERS},
    )


def model_id(name: str, digest: str, how: str) -> str:
    """Return the model's own name, its source's hash and the processing applied."""
    return f"{name.rstrip('/').rsplit('/', 1)[-1][:_ID_CHARS]}@{digest[:8]}+{how}"


def _choose(
    original: _Embedding | _CrossEncoder, exact: Manifest, work: Path, report: Report
) -> tuple[Manifest, str]:
    """Quantise; return the manifest and the graph that stays close enough to the original.

    The manifest's reason says why int8 is not it.
    """

    def quality(manifest: Manifest, file: str) -> Quality:
        trial = replace(manifest, files={file: "", "tokenizer.json": ""})
        return original.quality(work, trial)

    try:
        problem = original.problem(quality(exact, "float.onnx"), exact=True)
    except ModelError as error:
        raise NotExportableError(f"the export does not run: {error.problem}") from error
    if problem:
        raise NotExportableError(problem)
    report(STEPS[3])
    if quantise_file(work / "float.onnx", work / "int8.onnx") == 0:
        return replace(exact, reason="no matrix product to quantise"), "float.onnx"
    small = replace(
        exact,
        model_id=model_id(exact.name, exact.source_sha256, QUANTISATION),
        quantisation=QUANTISATION,
    )
    agreement = quality(small, "int8.onnx")
    if problem := original.problem(agreement, exact=False):
        return replace(exact, reason=problem), "float.onnx"
    return replace(small, quality=agreement), "int8.onnx"


def _say(**event: object) -> None:
    print(json.dumps(event), flush=True)


def child(make: Callable[[str, Path, Report], Manifest], name: str, folder: Path) -> int:
    """Build the model `name` in the folder; report the result in the last line."""
    try:
        manifest = make(name, folder, lambda step: _say(step=step))
    except ModelError as error:
        _say(problem=error.problem, remedy=error.remedy)
        return 1
    except OSError as error:
        free = shutil.disk_usage(folder).free / 1e9
        remedy = f"{free:.1f} GB are free there; a model needs 0.3 GB, and the right to write."
        _say(problem=f"{folder} could not be written: {error}", remedy=remedy)
        return 1
    _say(done=True, model_id=manifest.model_id)
    return 0


SAMPLES: tuple[str, ...] = (
    "",
    "Hello",
    "When did the college close?",
    "The refund is paid within 14 days of the return.",
    "The refund is not paid, whatever the reason.",
    "IT SUPPORT IS REACHABLE UNDER +44 20 7946 0000, MONDAY TO FRIDAY.",
    "Profit rose by 3.4 % to €12.7 million in the second quarter.",
    "Café prices in Zürich are higher than in Kraków.",
    "Die Rechnung ist innerhalb von dreißig Tagen zu bezahlen.",
    "会議は来週の火曜日に延期されました。",
    "Встреча перенесена на следующий вторник.",
    "تم تأجيل الاجتماع إلى يوم الثلاثاء المقبل.",
    "🙂 thanks! 👍🏽",
    "def mean(values):\n    return sum(values) / len(values)",
    "| city | inhabitants |\n|---|---|\n| Leeds | 536,280 |",
    "The committee met on 3 May 2024 and approved the budget. It asked for a second report on "
    "travel costs, which the treasurer will present in July.",
    "A patient with a known allergy to penicillin must not be given amoxicillin. " * 4,
    "Water boils at 100 degrees Celsius at sea level, and at less on a mountain. " * 12,
    "The contract may be ended by either side with three months of notice. " * 60,
)
"""Texts of many lengths and scripts on which an embedding model is compared with its original."""

_PASSAGE = (
    "The committee met on 3 May 2024 and approved the budget of 2.4 million euros. It asked for "
    "a second report on travel costs, which the treasurer will present in July. The bridge over "
    "the northern canal stays closed until its railing has been replaced, and cyclists are led "
    "past the old mill. A patient with a known allergy to penicillin must not be given "
    "amoxicillin; a macrolide may be given instead after the dose has been checked. "
)
_CLAIMS = (
    "The committee approved the budget in May 2024.",
    "The committee rejected the budget.",
    "The treasurer presents a report on travel costs in August.",
    "The bridge is open to cyclists.",
    "Patients who are allergic to penicillin may be given amoxicillin.",
    "The mill was built in 1830 by the mayor's father, who never saw it run.",
    "The railing of the bridge will be replaced.",
    "2.4 million euros were approved.",
)
_STARTS = tuple(range(0, 350, 14))

SAMPLE_PAIRS: tuple[tuple[str, str], ...] = tuple(
    ((_PASSAGE * (1 + at % 4))[start : start + 60 + 23 * start // 7], claim)
    for start in _STARTS
    for at, claim in enumerate(_CLAIMS)
)
"""200 passages and claims: 8 claims against passages of 60 to about 1,200 characters."""


if __name__ == "__main__":
    sys.exit(child(partial(build, sys.argv[1]), sys.argv[2], Path(sys.argv[3])))
