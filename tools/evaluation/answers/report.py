"""A report in a folder: report.json for programs, report.md for readers."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from desk.scoring.figures import EVERYTHING, Cost, Group, SignalAlone
from desk.scoring.scoring import ScoredAnswer
from lib.stats.bootstrap import LEVEL, ROUNDS, SEED, Interval, auroc_interval
from lib.stats.detection import Counts
from tools.evaluation.rendering import NONE, markdown_head, markdown_row, number

# Accuracy of verdicts by phenomenon, in sets that name what each answer was written to show.
#
# An answer shows one thing, as `role-swap`, rightly or wrongly. Wrong ones are ranked against all
# right ones of their set.


@dataclass(frozen=True, slots=True)
class Phenomenon:
    """The answers of a file that show one thing, all right or all wrong.

    `flagged` and `blocked` are shares (0-1) under the policy; `score` is the AUROC of wrong ones
    against the right ones of the file, None for right ones.
    """

    name: str
    wrong: bool
    rows: int
    flagged: float
    blocked: float
    score: Interval | None


def phenomena_of(rows: Sequence[ScoredAnswer], rounds: int) -> list[Phenomenon]:
    """Return each phenomenon of a file, the most frequent first.

    Right and wrong answers are apart.
    """
    groups: dict[tuple[str, bool], list[ScoredAnswer]] = {}
    for row in rows:
        if row.phenomenon:
            groups.setdefault((row.phenomenon, row.label), []).append(row)
    right = [row for row in rows if not row.label]
    ordered = sorted(groups.items(), key=lambda item: (item[0][1], -len(item[1]), item[0][0]))
    return [
        Phenomenon(
            name,
            wrong,
            len(own),
            sum(row.flagged for row in own) / len(own),
            sum(row.blocked for row in own) / len(own),
            auroc_interval(
                [row.label for row in own + right],
                [row.ranked for row in own + right],
                [row.source for row in own + right],
                rounds=rounds,
            )
            if wrong
            else None,
        )
        for (name, wrong), own in ordered
    ]


# Figures as tables of words.


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A title, headings, and rows of as many cells; the first two columns are words."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """One group under two configurations, and by how much the second ranks better."""

    first: Group
    second: Group
    gain: Interval

    @property
    def groups(self) -> tuple[Group, Group]:
        return self.first, self.second


def ranking_table(groups: Sequence[Group], pooled: Sequence[Group] = ()) -> ReportTable:
    """Return how well the score separates the answers at fault, beside counting words.

    `pooled` are the groups over several files.
    """
    headings = (
        *("file", "task", "n", "sources", "at fault", "AUROC [95 %]", "words [95 %]"),
        *("gain [95 %]", "ECE", "CPU ms", "ms p50", "ms p95"),
    )
    rows = [
        (
            *(group.file, group.task, str(group.rows), str(group.sources), share(group.positive)),
            *(interval(group.score), interval(group.words), interval(group.gain, signed=True)),
            number(group.calibration_error),
            *(f"{ms:.1f}" for ms in (group.cost.cpu, group.cost.p50, group.cost.p95)),
        )
        for group in (*groups, *pooled)
    ]
    return ReportTable("Ranking", headings, tuple(rows))


def decision_table(groups: Sequence[Group]) -> ReportTable:
    """Return what the policy decides, beside flagging every answer."""
    headings = (
        *("file", "task", "flag all F1", "policy: F1", "policy: bal. acc."),
        *("policy: clean flagged", "policy: clean blocked", "policy: at fault blocked"),
    )
    rows = [
        (
            *(group.file, group.task, number(group.flag_all_f1), number(group.shipped.f1)),
            *(number(group.shipped.balanced_accuracy), share(group.shipped.false_alarms)),
            *(share(group.blocked.false_alarms), share(group.blocked.recall)),
        )
        for group in groups
    ]
    return ReportTable("Decisions", headings, tuple(rows))


def rejection_table(groups: Sequence[Group]) -> ReportTable:
    """Return the safety API's rejection analysis: failed answers by primary reason."""
    headings = ("file", "task", "reason", "answers", "of all", "of them clean")
    rows = [
        (
            *(group.file, group.task, reason, str(count), share(count / group.rows)),
            share(clean / count),
        )
        for group in groups
        for reason, (count, clean) in group.rejections.items()
    ]
    return ReportTable("Safety checks: rejections by reason", headings, tuple(rows))


def signal_table(groups: Sequence[Group]) -> ReportTable:
    """Return the AUROC of each signal alone, and on how many answers, where not on all."""
    names = list(dict.fromkeys(name for group in groups for name in group.signals))
    rows = [
        (group.file, group.task, *(_alone(group.signals.get(name), group.rows) for name in names))
        for group in groups
    ]
    return ReportTable("Each signal alone (AUROC)", ("file", "task", *names), tuple(rows))


def comparison_table(names: tuple[str, str], pairs: Sequence[Pair]) -> ReportTable:
    first, second = names
    headings = (
        *("file", "task", "n", f"AUROC {first}", f"AUROC {second}", "gain [95 %]"),
        *(
            f"{what} {name}"
            for what in ("F1", "bal. acc.", "clean flagged", "CPU ms")
            for name in names
        ),
    )
    rows = [
        (
            *(pair.first.file, pair.first.task, str(pair.first.rows)),
            *(number(group.score.value) for group in pair.groups),
            interval(pair.gain, signed=True),
            *(number(group.shipped.f1) for group in pair.groups),
            *(number(group.shipped.balanced_accuracy) for group in pair.groups),
            *(share(group.shipped.false_alarms) for group in pair.groups),
            *(f"{group.cost.cpu:.1f}" for group in pair.groups),
        )
        for pair in pairs
    ]
    return ReportTable(f"{first} and {second}", headings, tuple(rows))


def phenomenon_table(
    file: str, configurations: Sequence[tuple[str, Sequence[Phenomenon]]]
) -> ReportTable:
    """Return the figures of each phenomenon of a file under each configuration, side by side."""
    names = [name for name, _ in configurations]
    headings = ("phenomenon", "label", "n", *(f"{name}: {what}" for name in names for what in (
        "flagged", "blocked", "AUROC [95 %]")))  # fmt: skip
    rows = [
        (
            *(each[0].name, "wrong" if each[0].wrong else "right", str(each[0].rows)),
            *(
                cell
                for item in each
                for cell in (
                    share(item.flagged),
                    share(item.blocked),
                    NONE if item.score is None else interval(item.score),
                )
            ),
        )
        for each in zip(*(phenomena for _, phenomena in configurations), strict=True)
    ]
    return ReportTable(f"{file} by phenomenon", headings, tuple(rows))


def cost_table(costs: Sequence[tuple[str, str, Cost]]) -> ReportTable:
    """Return the cost of an answer of each file under each configuration."""
    headings = ("file", "configuration", "CPU ms", "tokens read", "peak memory of a process, MiB")
    rows = [
        (file, name, f"{cost.cpu:.1f}", f"{cost.tokens:.0f}", f"{cost.peak_memory:.0f}")
        for file, name, cost in costs
    ]
    return ReportTable("Cost of an answer", headings, tuple(rows))


def markdown(table: ReportTable) -> str:
    lines = [markdown_head(table.headings, labels=2), *map(markdown_row, table.rows)]
    return f"## {table.title}\n\n" + "\n".join(lines) + "\n"


def interval(interval: Interval, *, signed: bool = False) -> str:
    """Return a value with its interval, such as `0.812 [0.765, 0.851]`."""
    if interval.value is None:
        return NONE
    sign = "+" if signed else ""
    return f"{interval.value:{sign}.3f} [{interval.low:{sign}.3f}, {interval.high:{sign}.3f}]"


def share(value: float | None) -> str:
    return NONE if value is None else f"{value:.1%}"


def _alone(ranking: SignalAlone | None, rows: int) -> str:
    if ranking is None or ranking.auroc is None:
        return NONE
    return f"{ranking.auroc:.3f}" + ("" if ranking.rows == rows else f" ({ranking.rows})")


LEGEND = f"""\
At fault: not fully supported by the sources; positive in every figure. AUROC with its {LEVEL:.0%}
interval over {ROUNDS:,} samples of sources (seed {SEED}). Words: the share of content words that
the sources lack, worst claim counted, in the same run. Gain: AUROC of the score less that of the
words, both of the same samples. ECE: expected calibration error in ten bins. F1, balanced accuracy
and clean flagged are of the policy: an action of WARN or BLOCK counts as flagged, and blocked is
BLOCK alone. By phenomenon: AUROC of the wrong answers that show it against all right ones of the
file. CPU ms: processor time of one answer, mean. ms: on the clock, while the given number of
processes worked at once. Tokens: what judges read of one answer, mean."""


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


def text(reports: Sequence[Report], comparisons: Sequence[Comparison]) -> str:
    """Return everything in Markdown."""
    parts = ["# Evaluation\n", LEGEND + "\n"]
    parts += map(markdown, side_by_side(reports, comparisons))
    for report in reports:
        about = "\n".join(f"- {name}: {value}" for name, value in report.about.items())
        parts.append(f"# Configuration {report.configuration}\n\n{about}\n")
        parts += map(markdown, report.tables)
    return "\n".join(parts)


def write(folder: Path, reports: Sequence[Report], comparisons: Sequence[Comparison]) -> list[Path]:
    """Write everything; return the paths. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    gains = [_gain(item, pair) for item in comparisons for pair in item.pairs]
    data = {"reports": [_json(report) for report in reports], "gains": gains}
    data_file, text_file = folder / "report.json", folder / "report.md"
    data_file.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    text_file.write_text(text(reports, comparisons), encoding="utf-8")
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
    return {**asdict(group), "shipped": _counts(group.shipped), "blocked": _counts(group.blocked)}


def _counts(counts: Counts) -> dict[str, Any]:
    rates = {name: getattr(counts, name) for name in ("precision", "recall", "f1")}
    return {
        **asdict(counts),
        **rates,
        "balanced_accuracy": counts.balanced_accuracy,
        "clean_flagged": counts.false_alarms,
    }


def _gain(comparison: Comparison, pair: Pair) -> dict[str, Any]:
    first, second = comparison.names
    place = {"file": pair.first.file, "task": pair.first.task}
    return {"first": first, "second": second, **place, **asdict(pair.gain)}
