import httpx
import pytest

from tools.launcher import demo
from tools.launcher.errors import LauncherError

VERDICT = {
    "id": "c1",
    "state": "done",
    "action": "BLOCK",
    "risk_score": 35,
    "risk_level": "MEDIUM",
    "reasons": [
        {"code": "contradicted", "action": "BLOCK", "text": "It says 10.", "decided": True}
    ],
    "claims": [
        {
            "text": "Above 20 feet.",
            "status": "Contradictory",
            "primary_evidence": {"doc_id": "1", "text": "Above 10 feet."},
        }
    ],
}


def client(handler):
    return httpx.Client(transport=httpx.MockTransport(handler), base_url="http://test")


def test_a_late_verdict_is_fetched_from_its_location(monkeypatch):
    monkeypatch.setattr(demo.time, "sleep", lambda seconds: None)
    states = iter(["queued", "running", "done"])

    def answer(request):
        if request.method == "POST":
            return httpx.Response(202, headers={"Location": "/api/v1/checks/c1"})
        return httpx.Response(200, json={**VERDICT, "state": next(states)})

    assert demo.submit(client(answer), demo.EXAMPLES[0])["state"] == "done"


def test_a_refusal_is_reported():
    with pytest.raises(LauncherError, match="403"):
        demo.submit(client(lambda request: httpx.Response(403, text="no")), demo.EXAMPLES[0])


def test_the_contradicting_source_is_shown():
    assert demo.findings(VERDICT) == [
        "Contradictory: Above 20 feet.",
        "  contradicted by: “Above 10 feet.”",
        "Decided by: It says 10.",
    ]


def test_the_expected_verdict_needs_no_remark(capsys):
    assert demo.show([demo.EXAMPLES[2]], [VERDICT])
    assert "Expected" not in capsys.readouterr().out


def test_an_unexpected_verdict_is_said(capsys):
    assert not demo.show([demo.EXAMPLES[0]], [VERDICT])
    assert "Expected ALLOW, got BLOCK" in capsys.readouterr().out


def test_the_three_examples_cover_the_three_actions():
    assert [each.expected for each in demo.EXAMPLES] == ["ALLOW", "WARN", "BLOCK"]
