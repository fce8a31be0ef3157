"""The same text in other plain forms is the same passages, and each lies where it was written."""

import html
import json
import textwrap
from collections.abc import Callable, Sequence

import pytest

from analysis.engine.evidence.corpus import Corpus, build
from analysis.engine.measurement import measure
from analysis.engine.types import Source, Submission
from lib.text.blocks import unwrapped
from tests.tables import tables

TABLES = tables(__file__)

SENTENCES = (
    "The ferry to the northern islands leaves at a quarter past nine from the second pier.",
    "Bicycles travel free of charge; motorcycles need a ticket that is sold in the harbour office.",
    "Passengers: up to 340 on the upper deck, and a further 120 below when the sea is calm.",
    "The captain may refuse a departure in strong wind, and tickets then stay valid for a year.",
)
TEXT = " ".join(SENTENCES)
_LINES = textwrap.wrap(TEXT, 50)
_CUT = TEXT.replace("northern", "north-\nern").replace("departure", "depar-\nture")
FORMS = {
    "wrapped": "\n".join(_LINES),
    "wrapped with white space around": "".join(f"   {line} \r\n" for line in _LINES),
    "quoted in a mail": "".join(f"> {line}\n" for line in _LINES),
    "words cut at line ends": _CUT,
    "items that are wrapped": "\n".join(
        textwrap.fill(each, 50, initial_indent="• ", subsequent_indent="  ") for each in SENTENCES
    ),
    "items of a word processor": "\n".join(f"o {each}" for each in SENTENCES),
    "arrows": "\n".join(f"→ {each}" for each in SENTENCES),
    "JSON": json.dumps({"text": TEXT}),
    "JSON in wrappers": json.dumps({"results": [{"document": {"body": TEXT}}]}),
    "JSON of sentences": json.dumps({"paragraphs": SENTENCES}),
    "XML": "<?xml version='1.0'?>\n<doc id='1'>"
    + "".join(f"<par n='{at}'>{html.escape(each)}</par>" for at, each in enumerate(SENTENCES))
    + "</doc>",
    "CDATA": f"<article><body><![CDATA[{TEXT}]]></body></article>",
    "HTML": "\n".join(
        ["<!DOCTYPE html>\n<html lang='en'><body><p>", *_LINES, "</p></body></html>"]
    ),
    "a prompt": f"<context>\n{TEXT}\n</context>",
    "LangChain": f"[Document(metadata={{'page': 3}}, page_content={TEXT!r})]",
    "LangChain, printed": f"page_content={TEXT!r} metadata={{'source': 'ferry.pdf'}}",
}


def corpus_of(text: str) -> Corpus:
    return build((Source("s1", text),))


def passages(corpus: Corpus, text: Callable[[Corpus, int], str]) -> Sequence[str]:
    return [" ".join(text(corpus, at).split()) for at in range(len(corpus.passages))]


def visible(corpus: Corpus, index: int) -> str:
    passage = corpus.passages[index]
    return corpus.visible_text(passage.source, passage.start, passage.end)


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_the_same_passages(form: str) -> None:
    assert passages(corpus_of(FORMS[form]), visible) == list(SENTENCES)


@pytest.mark.parametrize("form", FORMS)
def test_a_passage_lies_where_it_was_written(form: str) -> None:
    corpus = corpus_of(FORMS[form])
    for at, sentence in enumerate(SENTENCES):
        first, *_, last = sentence.rstrip(".").split()
        written = corpus.text_of(at)
        assert written.startswith(first)
        assert written.rstrip(".").endswith(last)


@pytest.mark.parametrize("text", TABLES["lines that stand by themselves stay apart"])
def test_lines_that_stand_by_themselves_stay_apart(text: str) -> None:
    assert unwrapped(text) == text


@pytest.mark.parametrize(
    ("cut", "whole"), TABLES["a compound keeps the hyphen at the end of its line"]
)
def test_a_compound_keeps_the_hyphen_at_the_end_of_its_line(cut: str, whole: str) -> None:
    assert passages(corpus_of(cut), visible)[0] == whole


def test_fields_of_xml_keep_their_names() -> None:
    shown = passages(corpus_of("<fee><days>14</days><kind>late</kind></fee>"), visible)
    assert shown == ["<days>14</days><kind>late</kind>"]


def test_what_a_claim_in_prose_rests_on_is_no_record() -> None:
    claim = "The ferry leaves from the second pier at a quarter past nine."
    source = Source("s1", json.dumps({"score": 0.8, "text": TEXT}))
    (signal,) = measure(Submission(claim, "", (source,))).signals
    assert not signal.coverage.of_record
