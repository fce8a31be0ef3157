"""Runs files of answers through the pipeline, result by result, for `check_file`."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from analysis.engine.policy import PolicyRules
from desk.scoring import pipeline, scoring
from desk.scoring.configuration import Configuration
from desk.scoring.pool import ItemResult, run
from desk.scoring.rows import BadLine, Row


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """One answer's line of output, and its facts for the summary."""

    line: str
    action: str
    cpu_milliseconds: float
    models: tuple[str, ...]
    not_checked: tuple[str, ...]


@dataclass(slots=True)
class Tally:
    """The counts of a file so far. `bad` lines have no result, `failed` ones a stated failure."""

    actions: Counter[str] = field(default_factory=Counter)
    models: set[str] = field(default_factory=set)
    not_checked: Counter[str] = field(default_factory=Counter)
    cpu_milliseconds: float = 0.0
    bad: list[BadLine] = field(default_factory=list)
    failed: list[BadLine] = field(default_factory=list)

    @property
    def problems(self) -> list[BadLine]:
        return sorted([*self.bad, *self.failed], key=lambda bad_line: bad_line.line)


def check_rows(
    rows: Iterable[Row | BadLine],
    configuration: Configuration,
    tally: Tally,
    *,
    processes: int,
    time_limit: float,
) -> Iterator[str]:
    """Yield a line of JSON for every answer, in order; `tally` is updated meanwhile."""
    rules = configuration.rules
    outcomes: Iterator[ItemResult[Row]] = run(
        scoring.task(configuration, answer), _good(rows, tally), processes, time_limit
    )
    for outcome in outcomes:
        if outcome.error:
            row = outcome.item
            tally.failed.append(BadLine(row.line, f"could not be checked: {outcome.error}"))
            failed = pipeline.failed_line(row.row_id, outcome.error, rules)
            tally.actions[failed["action"]] += 1
            yield json.dumps(failed)
            continue
        answer_line: AnswerLine = outcome.value
        tally.actions[answer_line.action] += 1
        tally.models.update(answer_line.models)
        tally.not_checked.update(answer_line.not_checked)
        tally.cpu_milliseconds += answer_line.cpu_milliseconds
        yield answer_line.line


def answer(rules: PolicyRules, row: Row) -> AnswerLine:
    """Check one answer. The JSON is ASCII, so that no client's text can damage the file."""
    checked_answer = pipeline.check(row.submission, rules)
    return AnswerLine(
        json.dumps(pipeline.line_of(row.row_id, checked_answer)),
        checked_answer.decision.action.value,
        checked_answer.cpu_milliseconds,
        scoring.models(checked_answer.measurement),
        scoring.not_checked(checked_answer.measurement),
    )


def _good(rows: Iterable[Row | BadLine], tally: Tally) -> Iterator[Row]:
    """Yield the rows without the file's other members; set bad lines aside."""
    for row in rows:
        if isinstance(row, BadLine):
            tally.bad.append(row)
        else:
            yield replace(row, raw={})
