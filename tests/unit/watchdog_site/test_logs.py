"""Logs tell where an error came from, never what it was about."""

from watchdog_site.logs import exception_without_message, without_links


def test_an_exception_is_logged_without_its_message() -> None:
    try:
        raise ValueError("the patient's secret")
    except ValueError as error:
        event = exception_without_message(None, "error", {"event": "x", "exc_info": error})
    assert event["exception"] == "ValueError"
    assert "test_logs.py" in event["exception_at"][-1]
    assert "secret" not in str(event)


def test_exc_info_true_means_the_current_exception() -> None:
    try:
        raise KeyError("secret")
    except KeyError:
        event = exception_without_message(None, "error", {"exc_info": True})
    assert event["exception"] == "KeyError"


def test_an_event_without_exception_is_left_alone() -> None:
    assert exception_without_message(None, "info", {"event": "x"}) == {"event": "x"}


def test_a_link_is_a_permission_and_stays_out_of_the_log() -> None:
    event = {
        "event": "Not Found: /view/AaH8.secret",
        "request": "GET /view/AaH8.secret?claim=2",
        "code": 404,
        "path": "/admin/",
    }
    assert without_links(None, "warning", event) == {
        "event": "Not Found: /view/…",
        "request": "GET /view/…?claim=2",
        "code": 404,
        "path": "/admin/",
    }
