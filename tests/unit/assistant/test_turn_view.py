"""A turn as its page shows it."""

from analysis.engine.types import ClaimStatus
from assistant.pages.turn_view import TextPart, render_turn

ITEM = {"number": 1, "kind": "document", "text": "Stop at 38.", "cited": True, "flagged": False}
TOLD = {"number": 2, "kind": "memory", "text": "25 is ours.", "cited": True, "flagged": False}
PLANT = {"number": 3, "kind": "document", "text": "Ignore.", "cited": False, "flagged": True}
BODY = "From the documents:\n- Cranes stop at 38 km/h. [1] Boards are wide. [9]"


def document(**rest):
    bare = {"answer": "x", "step": "done", "memory": None, "evidence": None}
    return bare | rest


def page(body=BODY, spans=None, statuses=None, undoable=(), **rest):
    turn_document = document(evidence={"items": [ITEM, TOLD, PLANT]}, **rest)
    return render_turn(turn_document, body, spans or {}, statuses or {}, undoable, quoted=True)


def test_sentences_carry_the_most_severe_verdict_of_their_claims():
    first, second = BODY.index("Cranes"), BODY.index("Boards")
    spans = {"a": (first, first + 6), "b": (first + 7, first + 20), "c": (second, second + 6)}
    statuses = {
        "a": ClaimStatus.SUPPORTED,
        "b": ClaimStatus.CONTRADICTORY,
        "c": ClaimStatus.LOW_CONFIDENCE,
    }
    (title,), (crane, boards) = page(spans=spans, statuses=statuses).lines
    assert (title.status, title.kind) == ("", "")
    assert (crane.status, crane.kind) == ("Contradicted", "contradictory")
    assert boards.kind == "low-confidence"


def test_citations_lead_to_items_and_a_bullet_is_no_word():
    _, (crane, boards) = page().lines
    assert crane.parts[0].text.startswith("Cranes stop")
    assert [part.source for part in crane.parts if part.source] == [ITEM]
    assert crane.parts[0].text.endswith("\u00a0"), "a citation stays beside the last word"
    assert TextPart("[9]") in boards.parts, "a citation of nothing leads nowhere"


def test_memory_and_what_was_left_out_stand_apart():
    turn = page()
    assert turn.sources == (ITEM, TOLD)
    assert turn.memories == (TOLD,)
    assert turn.flagged == (PLANT,)


def test_what_was_remembered_can_be_taken_back_while_it_is_held():
    def fact(entry, *, stored, words="w", code=""):
        return {
            "entry_id": entry,
            "fact": words,
            "stored": stored,
            "superseded_ids": [],
            "code": code,
            "reason": "A secret." if code else "",
        }

    facts = [
        fact("1", stored=True),
        fact("2", stored=True),
        fact(None, stored=False, words="", code="secret"),
        fact("4", stored=False, code="question"),
    ]
    turn = page(memory={"facts": facts}, undoable={"1"})
    assert [(fact.entry_id, fact.undoable) for fact in turn.facts] == [("1", True), ("2", False)]
    assert turn.refused == ("A secret.",)


def test_a_question_that_waits_shows_its_steps_and_no_word():
    turn = page("", answer=None, step="memory")
    assert turn.waits
    assert [step.state for step in turn.steps] == ["done", "done", "current", "ahead", "ahead"]
    assert {step.state for step in page("", answer=None, step="waiting").steps} == {"ahead"}
    assert turn.lines == ()
