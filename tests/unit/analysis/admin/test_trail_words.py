"""The content of an entry of the trail, in words."""

from django.utils.translation import override

from analysis.admin.trail_words import actor_in_words, data_in_words, subject_in_words


def test_data_is_told_in_words_and_what_says_nothing_is_left_out() -> None:
    data = {"action": "BLOCK", "risk_score": 70, "owner": None, "superseded": [], "note": ""}
    assert data_in_words(data) == "action: BLOCK; risk score: 70"


def test_values_are_told_as_people_write_them() -> None:
    data = {
        "expires_at": "2026-11-27T04:53:09+00:00", "scopes": ["checks:read", "checks:write"],
        "helpful": True, "sha256": "ab" * 32, "claims": {"c_0001": "agree"}, "odd_key": 3,
    }  # fmt: skip
    assert data_in_words(data) == (
        "valid until: 27 Nov 2026 04:53; scopes: checks:read, checks:write; helpful: yes; "
        "digest: abababab…; claims judged: c_0001 agree; odd key: 3"
    )


def test_it_is_told_in_the_reader_s_language() -> None:
    with override("de"):
        assert data_in_words({"active": False}) == "aktiv: nein"


def test_what_it_is_about_is_named_as_the_admin_names_it() -> None:
    assert subject_in_words("apikey") == "API key"
    assert subject_in_words("memoryentry") == "Memory entry"
    assert subject_in_words("gone") == "gone"


def test_who_did_it_is_a_name_or_the_beginning_of_a_key() -> None:
    assert actor_in_words("api_key:de8a65b01a") == "API key de8a65b01a"
    assert actor_in_words("ada") == "ada"
