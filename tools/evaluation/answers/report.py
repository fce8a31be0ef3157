"""A report in a folder: report.json for programs, report.md for readers."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from desk.scoring.figures import EVERYTHING, Group
from lib.stats.bootstrap import LEVEL, ROUNDS, SEED
from lib.stats.detection import Counts
from tools.evaluation.answers.tables import (
    Pair,
    Phenomenon,
    ReportTable,
    comparison_table,
    cost_table,
    decision_table,
    markdown,
    phenomenon_table,
    ranking_table,
    rejection_table,
    signal_table,
)

LEGEND = f"""\
At fault: not fully supported by the sources; positive in every figure. AUROC with its {LEVEL:.0%}
interval over {ROUNDS:,} samples of sources (seed {SEED}). Words: the share of content words that
the sources lack, worst claim counted, in the same run. Gain: AUROC of the score less that of the
words, both of the same samples. ECE: expected calibration error in ten bins. F1, balanced accuracy
and clean flagged: at thresholds chosen on other data. Policy: an action of WARN or BLOCK counts as
flagged, and blocked is BLOCK alone. By phenomenon: AUROC of the wrong answers that show it against
all right ones of the file. CPU ms: processor time of one answer, mean. ms: on the clock, while the
given number of processes worked at once. Tokens: what judges read of one answer, mean."""


@dataclass(frozen=True, slots=True)
class Report:
    """The figures measured under one configuration, and how they were measured."""

    configuration: str
    about: Mapping[str, Any]
    groups: Sequence[Group]
    pooled: Sequence[Group] = ()
    """Over several files."""
    phenomena: Mapping[str, Sequence[Phenomenon]] = field(default_factory=dict)
    """By file, of those that name any."""

    @property
    def tables(self) -> list[ReportTable]:
        return [
            ranking_table(self.groups, self.pooled),
            decision_table([*self.groups, *self.pooled]),
            rejection_table(self.groups),
            signal_table(self.groups),
        ]


@dataclass(frozen=True, slots=True)
class Comparison:
    names: tuple[str, str]
    pairs: Sequence[Pair]


def side_by_side(reports: Sequence[Report], comparisons: Sequence[Comparison]) -> list[ReportTable]:
    """Return the tables over all configurations: what each gains, phenomena, cost."""
    tables = [comparison_table(item.names, item.pairs) for item in comparisons]
    for file in reports[0].phenomena:
        of_file = [(report.configuration, report.phenomena[file]) for report in reports]
        tables.append(phenomenon_table(file, of_file))
    costs = [
        (group.file, report.configuration, group.cost)
        for report in reports
        for group in report.groups
        if group.task == EVERYTHING
    ]
    return [*tables, cost_table(sorted(costs, key=lambda item: item[0]))]


def write(folder: Path, reports: Sequence[Report], comparisons: Sequence[Comparison]) -> list[Path]:
    """Write everything; return the paths. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    gains = [_gain(item, pair) for item in comparisons for pair in item.pairs]
    data = {"reports": [_json(report) for report in reports], "gains": gains}
    data_file, text_file = folder / "report.json", folder / "report.md"
    data_file.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    parts = ["# Evaluation\n", LEGEND + "\n"]
    parts += map(markdown, side_by_side(reports, comparisons))
    for report in reports:
        about = "\n".join(f"- {name}: {value}" for name, value in report.about.items())
        parts.append(f"# Configuration {report.configuration}\n\n{about}\n")
        parts += map(markdown, report.tables)
    text_file.write_text("\n".join(parts), encoding="utf-8")
    return [data_file, text_file]


def _json(report: Report) -> dict[str, Any]:
    phenomena = {file: [asdict(item) for item in items] for file, items in report.phenomena.items()}
    return {
        "configuration": report.configuration,
        **report.about,
        "groups": [_group(group) for group in report.groups],
        "pooled": [_group(group) for group in report.pooled],
        "phenomena": phenomena,
    }


def _group(group: Group) -> dict[str, Any]:
    spans = group.decisions.spans
    return {
        **asdict(group),
        "shipped": _counts(group.shipped),
        "blocked": _counts(group.blocked),
        "decisions": {
            "thresholds": asdict(group.decisions.thresholds),
            "f1": _counts(group.decisions.f1),
            "balanced": _counts(group.decisions.balanced),
            "words_f1": _counts(group.decisions.words_f1),
            "words_balanced": _counts(group.decisions.words_balanced),
            "spans": spans
            and {
                **asdict(spans),
                "precision": spans.precision,
                "recall": spans.recall,
                "f1": spans.f1,
            },
        },
    }


def _counts(counts: Counts | None) -> dict[str, Any] | None:
    if counts is None:
        return None
    return {
        **asdict(counts),
        "precision": counts.precision,
        "recall": counts.recall,
        "f1": counts.f1,
        "balanced_accuracy": counts.balanced_accuracy,
        "clean_flagged": counts.false_alarms,
    }


def _gain(comparison: Comparison, pair: Pair) -> dict[str, Any]:
    first, second = comparison.names
    place = {"file": pair.first.file, "task": pair.first.task}
    return {"first": first, "second": second, **place, **asdict(pair.gain)}
