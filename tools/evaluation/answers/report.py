"""A report in a folder: report.json for programs, report.md for readers."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from desk.scoring.figures import EVERYTHING, Cost, Group, SignalAlone
from desk.scoring.scoring import ScoredAnswer
from lib.stats.bootstrap import LEVEL, ROUNDS, SEED, Interval, auroc_interval
from lib.stats.detection import Counts, SpanCounts

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


# Figures as tables of words: made once, shown on a terminal or in Markdown.

NONE = "–"


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


def ranking_table(groups: Sequence[Group], pooled: Sequence[Group] = ()) -> ReportTable:
    """Return how well the score separates the answers at fault, beside counting words.

    `pooled` are the groups over several files.
    """
    headings = (
        *("file", "task", "n", "sources", "at fault", "AUROC [95 %]", "words [95 %]"),
        *("gain [95 %]", "ECE", "CPU ms", "ms p50", "ms p95"),
    )
    rows = (*map(_ranking, groups), *_means(groups), *map(_ranking, pooled))
    return ReportTable("Ranking", headings, rows)


def decision_table(groups: Sequence[Group]) -> ReportTable:
    """Return what thresholds chosen on other data decide, and what the shipped policy decides."""
    headings = (
        *("file", "task", "flag all F1", "F1", "words F1", "bal. acc.", "words bal. acc."),
        *("clean flagged", "span F1 (P / R)"),
        *("policy: F1", "policy: bal. acc.", "policy: clean flagged"),
        *("policy: clean blocked", "policy: at fault blocked"),
    )
    return ReportTable("Decisions", headings, tuple(_decisions(group) for group in groups))


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
        *(f"F1 {first}", f"F1 {second}", f"bal. acc. {first}", f"bal. acc. {second}"),
        *(
            f"clean flagged {first}",
            f"clean flagged {second}",
            f"CPU ms {first}",
            f"CPU ms {second}",
        ),
    )
    return ReportTable(f"{first} and {second}", headings, tuple(_compared(pair) for pair in pairs))


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
    lines = [
        _line(table.headings),
        _line(["---", "---", *["---:"] * (len(table.headings) - 2)]),
        *map(_line, table.rows),
    ]
    return f"## {table.title}\n\n" + "\n".join(lines) + "\n"


def interval(interval: Interval, *, signed: bool = False) -> str:
    """Return a value with its interval, such as `0.812 [0.765, 0.851]`."""
    if interval.value is None:
        return NONE
    sign = "+" if signed else ""
    return f"{interval.value:{sign}.3f} [{interval.low:{sign}.3f}, {interval.high:{sign}.3f}]"


def number(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"


def share(value: float | None) -> str:
    return NONE if value is None else f"{value:.1%}"


def _ranking(group: Group) -> tuple[str, ...]:
    return (
        group.file,
        group.task,
        str(group.rows),
        str(group.sources),
        share(group.positive),
        interval(group.score),
        interval(group.words),
        interval(group.gain, signed=True),
        number(group.calibration_error),
        f"{group.cost.cpu:.1f}",
        f"{group.cost.p50:.1f}",
        f"{group.cost.p95:.1f}",
    )


def _means(groups: Sequence[Group]) -> list[tuple[str, ...]]:
    """Return the plain mean over the files, where there are several."""
    of_files = [group for group in groups if group.task == EVERYTHING]
    if len(of_files) < 2:
        return []
    means = [
        number(_mean(group.score.value for group in of_files)),
        number(_mean(group.words.value for group in of_files)),
        number(_mean(group.gain.value for group in of_files)),
        number(_mean(group.calibration_error for group in of_files)),
        f"{fmean(group.cost.cpu for group in of_files):.1f}",
    ]
    return [("mean of files", "", "", "", "", *means, "", "")]


def _mean(values: Iterable[float | None]) -> float | None:
    numbers = [value for value in values if value is not None]
    return fmean(numbers) if numbers else None


def _decisions(group: Group) -> tuple[str, ...]:
    at_threshold, shipped = group.decisions, group.shipped
    return (
        group.file,
        group.task,
        number(group.flag_all_f1),
        _f1(at_threshold.f1),
        _f1(at_threshold.words_f1),
        _balanced(at_threshold.balanced),
        _balanced(at_threshold.words_balanced),
        _alarms(at_threshold.balanced),
        _spans(at_threshold.spans),
        _f1(shipped),
        _balanced(shipped),
        _alarms(shipped),
        _alarms(group.blocked),
        share(group.blocked.recall),
    )


def _compared(pair: Pair) -> tuple[str, ...]:
    first_group, second_group = pair.first, pair.second
    first, second = first_group.decisions, second_group.decisions
    return (
        first_group.file,
        first_group.task,
        str(first_group.rows),
        number(first_group.score.value),
        number(second_group.score.value),
        interval(pair.gain, signed=True),
        _f1(first.f1),
        _f1(second.f1),
        _balanced(first.balanced),
        _balanced(second.balanced),
        _alarms(first.balanced),
        _alarms(second.balanced),
        f"{first_group.cost.cpu:.1f}",
        f"{second_group.cost.cpu:.1f}",
    )


def _f1(counts: Counts | None) -> str:
    return NONE if counts is None else number(counts.f1)


def _balanced(counts: Counts | None) -> str:
    return NONE if counts is None else number(counts.balanced_accuracy)


def _alarms(counts: Counts | None) -> str:
    return NONE if counts is None else share(counts.false_alarms)


def _spans(span_counts: SpanCounts | None) -> str:
    if span_counts is None:
        return NONE
    return f"{span_counts.f1:.3f} ({span_counts.precision:.2f} / {span_counts.recall:.2f})"


def _alone(ranking: SignalAlone | None, rows: int) -> str:
    if ranking is None or ranking.auroc is None:
        return NONE
    return f"{ranking.auroc:.3f}" + ("" if ranking.rows == rows else f" ({ranking.rows})")


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


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
            "spans": spans and {**asdict(spans), **_rates(spans)},
        },
    }


def _counts(counts: Counts | None) -> dict[str, Any] | None:
    if counts is None:
        return None
    further = {
        "balanced_accuracy": counts.balanced_accuracy, "clean_flagged": counts.false_alarms,
    }  # fmt: skip
    return {**asdict(counts), **_rates(counts), **further}


def _rates(counts: Counts | SpanCounts) -> dict[str, Any]:
    return {name: getattr(counts, name) for name in ("precision", "recall", "f1")}


def _gain(comparison: Comparison, pair: Pair) -> dict[str, Any]:
    first, second = comparison.names
    place = {"file": pair.first.file, "task": pair.first.task}
    return {"first": first, "second": second, **place, **asdict(pair.gain)}
