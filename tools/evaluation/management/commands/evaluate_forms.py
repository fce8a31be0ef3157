"""`manage.py evaluate_forms`: measures whether the verdict depends on the form of an answer."""

import json
import re
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand

from analysis.engine.policy import DEFAULT_RULES
from analysis.services.measuring import measure_submission
from desk.scoring.rows import Row
from tools.evaluation.answers.outcomes import Outcome, outcome_of
from tools.evaluation.management.labelled import add_set_arguments, load_files
from tools.evaluation.rendering import markdown_head, markdown_row, number

Form = Callable[[str], str]
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“(])")
_FIGURE = re.compile(r"(?<![\w.])(\d[\d.,]*\d|\d)(?!\w)")


def _sentences(answer: str) -> list[str]:
    return _SENTENCE_END.split(answer.strip())


def _lowered(answer: str) -> str:
    """Return the answer with a small first letter, unless its first word is a name or "I"."""
    first = answer.split(maxsplit=1)[0]
    is_name = first == "I" or first[1:] != first[1:].lower() or (first.isupper() and len(first) > 1)
    return answer if is_name else answer[0].lower() + answer[1:]


def _led(words: str) -> Form:
    return lambda answer: f"{words} {_lowered(answer)}"


def _before(words: str) -> Form:
    return lambda answer: f"{words}{answer}"


def _behind(words: str) -> Form:
    return lambda answer: f"{answer}{words}"


LEADS = (
    "I can tell you that", "To answer your question,", "It looks like", "As far as I can see,",
    "From what I understand,", "Please note that", "This means that", "In short,", "I think",
    "I can confirm that", "The documents say that", "As stated in the document,",
    "According to section 3.2,", "Overall,", "Therefore,", "First,", "So,", "Actually,",
)  # fmt: skip
OPENINGS = (
    "Sure! ", "Great question! ", "Here's what I found:\n\n", "Good news: ", "OK, so ",
    "Short answer: ", "Hi there,\n\n", "I've checked the documents for you. ", "Hey! 😊 ",
    "## Answer\n\n", "**Answer:** ", "Answer: ", "A: ", "[Assistant] ",
)  # fmt: skip
TAILS = (
    " I hope this helps!", " Is there anything else I can help you with?", " (see section 4.2)",
    " Please contact support for more information.", " For more details, see the policy.",
    "\n\nSource: handbook, p. 4", "\n\nConfidence: 0.95", "\n\nLast updated: today", " <END>",
    "\n\nBest regards,\nThe Support Team", "\n\n*This is not legal advice.*", " 😊",
)  # fmt: skip
FORMS: dict[str, Form] = {
    "as it is": str,
    "items": lambda answer: "\n".join(f"- {each.rstrip('.')}" for each in _sentences(answer)),
    "numbered": lambda answer: "\n".join(
        f"{number}. {each}" for number, each in enumerate(_sentences(answer), 1)
    ),
    "bold": lambda answer: "\n".join(f"**{each}**" for each in _sentences(answer)),
    "bold figures": lambda answer: _FIGURE.sub(r"**\1**", answer),
    "quoted": lambda answer: f'"{answer}"',
    "block quote": lambda answer: "\n".join(f"> {each}" for each in _sentences(answer)),
    "HTML": lambda answer: f"<p>{'</p><p>'.join(_sentences(answer))}</p>",
    "XML": lambda answer: f"<answer>{answer}</answer>",
    "JSON": lambda answer: json.dumps({"answer": answer}),
    "JSON of an answer with sources": lambda answer: json.dumps(
        {"response": answer, "confidence": 0.93, "sources": ["handbook.pdf"]}
    ),
    "JSON list": lambda answer: json.dumps({"answers": _sentences(answer)}),
    "small letters": str.lower,
    "lines": lambda answer: "\n".join(_sentences(answer)),
    **{f"{lead} …": _led(lead) for lead in LEADS},
    **{f"{opening.strip()} …": _before(opening) for opening in OPENINGS},
    **{f"… {' '.join(tail.split())}": _behind(tail) for tail in TAILS},
}
"""Ways to write an answer that change nothing of what it claims."""


class Command(BaseCommand):
    help = (
        "Right answers flagged, wrong ones passed and AUROC of labelled answers (files or folders) "
        "in about sixty forms that change nothing of what is claimed."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_set_arguments(parser)
        parser.add_argument("--every", type=int, default=1, help="take each N-th answer")

    def handle(self, *args: Any, **options: Any) -> None:
        sets = load_files(options["files"], options["split"], self.stderr)
        rows = [row for each in sets for row in each.rows][:: options["every"]]
        self.stdout.write(markdown_head(("form", "right flagged", "wrong passed", "AUROC")))
        for name, form in FORMS.items():
            outcome = _outcome(rows, form)
            flagged = outcome.flagged
            right = f"{flagged.fp} of {flagged.fp + flagged.tn}"
            wrong = f"{flagged.fn} of {flagged.fn + flagged.tp}"
            self.stdout.write(markdown_row((name, right, wrong, number(outcome.auroc))))


def _outcome(rows: Sequence[Row], form: Form) -> Outcome:
    """Return the outcome of the answers in a form."""
    rows_in_form = [
        replace(row, submission=replace(row.submission, answer=form(row.submission.answer)))
        for row in rows
    ]
    measurements = [measure_submission(row.submission) for row in rows_in_form]
    return outcome_of(rows_in_form, measurements, DEFAULT_RULES)
