"""Every message of the engine is in German on a German page."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from analysis.engine.decision import decide
from analysis.engine.measurement import measure
from analysis.engine.safety.model import RejectionReason
from analysis.engine.signal_types import SignalName
from analysis.engine.signals import overconfidence
from analysis.engine.types import ConflictKind, SignalStatus, Source, Submission
from desk.verdict_page import engine_texts
from desk.verdict_page.engine_texts import ALL, REASONS, WORDS, in_words
from desk.verdict_page.reasons import KINDS
from lib.text.messages import names_in
from tests.tables import tables
from tests.unit.watchdog_site.catalogues import TRANSLATE, compiled

ENGINE = settings.BASE_DIR / "analysis" / "engine"
SPOKEN = (
    *(ENGINE / folder for folder in ("facts", "rules", "signals")),
    *(ENGINE / "safety" / name for name in ("checks.py", "scope.py")),
    ENGINE / "verdict" / "risk.py", ENGINE / "verdict" / "wording.py",
    ENGINE / "decision.py", ENGINE / "measurement.py",
    *(settings.BASE_DIR / "analysis" / "services" / f"{name}.py"
      for name in ("sampling", "measuring", "time_limit")),
    *(settings.BASE_DIR / "analysis" / "selectors" / f"{name}.py"
      for name in ("submissions", "refining")),
)  # fmt: skip
TABLES = tables(__file__)
PARTS = set(TABLES["parts"])
"""Parts of longer messages, which `SPOKEN_WHOLE` has whole; figures, names and quotations."""
TO_PROGRAMS = ("SET LOCAL", "Answer the question", "Question: 7", "%s failed with")
"""Statements for the database, the log and a language model."""
SPOKEN_WHOLE = dict(TABLES["whole messages"])


@pytest.fixture(autouse=True)
def german() -> Iterator[None]:
    with translation.override("de"):
        yield


def messages_in(path: Path) -> Iterator[str]:
    """Yield every text that a module can say, each of its values a 7.

    Within functions each text of several words; outside of them those that begin a sentence, since
    the others are the words that the rules look for.
    """
    for node in ast.parse(path.read_text()).body:
        in_function = isinstance(node, ast.FunctionDef | ast.ClassDef)
        for text in map(str.strip, _texts(node)):
            if " " in text and any(map(str.isalpha, text)) and (in_function or text[0].isupper()):
                yield text.strip(";, ")


def _texts(node: ast.AST) -> Iterator[str]:
    """Yield the texts within a statement, whole where they have values, but no docstrings."""
    if isinstance(node, ast.JoinedStr):
        yield "".join(v.value if isinstance(v, ast.Constant) else "7" for v in node.values)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif not isinstance(node, ast.Raise) and not _is_silent(node):
        for child in ast.iter_child_nodes(node):
            yield from _texts(child)


def _is_silent(node: ast.AST) -> bool:
    """Return whether it is a docstring, or goes to the log."""
    if not isinstance(node, ast.Expr):
        return False
    return isinstance(node.value, ast.Constant) or ast.unparse(node.value).startswith("log.")


def said() -> Iterator[str]:
    """Yield every text of every module that speaks to people."""
    for place in SPOKEN:
        for path in [place] if place.is_file() else sorted(place.rglob("*.py")):
            yield from messages_in(path)


def test_every_message_of_the_engine_has_a_german_one() -> None:
    found = set(said()) - PARTS
    spoken = [text for text in found if not text.startswith(TO_PROGRAMS)]
    assert len(spoken) > 80
    assert sorted(text for text in spoken if engine_texts.translation(text) is None) == [], (
        "Each needs a template in desk/verdict_page/engine_texts.py with its translation (7 "
        "stands for a value), or a place in PARTS above if a longer message in SPOKEN_WHOLE has it"
    )


def test_no_part_is_listed_that_the_engine_does_not_say() -> None:
    assert set(said()) >= PARTS


@pytest.mark.parametrize("english", SPOKEN_WHOLE)
def test_a_message_made_of_parts_is_german_throughout(english) -> None:
    assert in_words(english) == SPOKEN_WHOLE[english]


@pytest.mark.parametrize("english", ALL)
def test_every_template_has_a_german_one_with_the_same_values(english) -> None:
    german = compiled("de").get(english, "")
    assert german, TRANSLATE
    assert names_in(german) == names_in(english)


def test_every_reason_has_its_kind_and_its_templates() -> None:
    assert REASONS.keys() == KINDS.keys()


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        ("signal", SignalName),
        ("status", SignalStatus),
        ("rejection", RejectionReason),
        ("kind", ConflictKind),
        ("domain", overconfidence.DOMAINS),
    ],
)
def test_every_name_has_words(kind, members) -> None:
    expected = {str(member) for member in members}
    assert set(WORDS[kind]) == expected, (
        f'WORDS["{kind}"] of desk/verdict_page/engine_texts.py differs'
    )


@pytest.mark.parametrize(
    ("answer", "sources"),
    [
        ("SSN College closed in 2026. It never reopened.", ["SSN College closed in 2019."]),
        ("The tower is 300 m high [2].", ["The tower is 300 m high."]),
        ("It cures 100% of patients. It costs 5 euros. It costs 50 euros.", ["Nothing of it."]),
        ("The tower is definitely 300 m high.", None),
        ("Hello!", []),
        ("", ["The tower is 300 m high."]),
    ],
)
def test_a_whole_decision_is_german(answer, sources) -> None:
    given = None if sources is None else tuple(Source(f"s{n}", t) for n, t in enumerate(sources))
    measurement = measure(Submission(answer, query="How high is the tower?", sources=given))
    decision = decide(answer, measurement)
    english = [state.reason for state in measurement.states.values() if state.reason]
    english += [engine_texts._IDS.sub("", reason.text) for reason in decision.reasons]
    english += [decision.risk.explanation]
    english += [c.detail for signal in measurement.signals for c in signal.conflicts]
    assert [text for text in english if engine_texts.translation(text) is None] == []


def test_english_stays_as_it_was_said() -> None:
    with translation.override("en"):
        assert in_words("2 of 3 claims contradict the sources") == (
            "2 of 3 claims contradict the sources"
        )


def test_what_no_template_fits_stays_as_it_is() -> None:
    assert in_words("The model gives 12 numbers.") == "The model gives 12 numbers."
    assert in_words("Nothing was found; but this") == "Nothing was found; but this"
