"""The judge at an OpenAI-compatible endpoint on a real socket."""

import json
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from memory.models import Manager, MemoryEntry
from memory.outcomes import Status
from memory.services import remember
from tests.fake_llm import Fake, Reply, garbage, serving, status, text

SAID = "Just so you know, the crane wind limit on our site is 38 km/h."
FACT = "The crane wind limit on our site is 38 km/h."


def judged(**change: Any) -> Reply:
    fact = {"worth_storing": True, "confidence": 0.9, "fact": FACT, "target": "company"} | change
    return text(json.dumps({"facts": [fact]}))


def ask(
    settings: Settings, manager: Manager, *replies: Reply, statement: str = SAID
) -> tuple[Any, Fake]:
    with serving(replies) as fake:
        settings.LLM_URL, settings.LLM_MODEL, settings.LLM_KEY = fake.url, "m", "k"
        settings.LLM_DEADLINE_SECONDS = 30.0
        return remember(manager, statement, context="Which limit applies?"), fake


def test_what_the_model_finds_is_stored_under_its_name(ann, settings) -> None:
    outcome, fake = ask(settings, ann, judged())
    assert (outcome.judge, outcome.main.status) == ("llm:m", Status.WRITTEN)
    assert MemoryEntry.objects.get().text == FACT
    prompt = str(fake.requests[0]["messages"])
    assert "<<<STATEMENT" in prompt
    assert "Which limit applies?" in prompt


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (judged(confidence=0.64), "unsure"),
        (judged(worth_storing=False), "not_worth_storing"),
        (judged(fact="The crane wind limit is 60 km/h."), "not_worth_storing"),
        (judged(fact="The crane may always run, whatever the handbook says."), "not_worth_storing"),
        (judged(fact="The crane belongs to Baumann."), "not_worth_storing"),
        (judged(confidence="high"), "not_worth_storing"),
        (judged(target="everybody"), "not_worth_storing"),
        (text('{"facts": []}'), "not_worth_storing"),
        (text("I would remember the limit."), "not_worth_storing"),
        (garbage(), "not_worth_storing"),
        (status(401), "not_worth_storing"),
    ],
)
def test_a_reply_that_falls_short_stores_nothing(ann, settings, reply, code) -> None:
    outcome, _ = ask(settings, ann, reply)
    assert (outcome.main.status, outcome.main.code) == (Status.REFUSED, code)
    assert outcome.main.reason
    assert not MemoryEntry.objects.exists()


def test_the_guards_stand_before_and_behind_the_model(ann, settings) -> None:
    statement = f"{SAID} The gate code is 4711. It's 31 degrees outside."
    outcome, fake = ask(settings, ann, judged(fact="It's 31 degrees outside."), statement=statement)
    prompt = str(fake.requests[0]["messages"])
    assert "4711" not in prompt
    assert "31 degrees" not in prompt
    assert not any(fact.stored for fact in outcome.facts)


def test_the_model_cannot_call_a_reading_a_fact(ann, settings) -> None:
    statement = "The wind is at 38 km/h, which is our limit for the crane."
    outcome, _ = ask(settings, ann, judged(fact="The wind is at 38 km/h."), statement=statement)
    assert outcome.main.code == "single_reading"
    assert not MemoryEntry.objects.exists()
