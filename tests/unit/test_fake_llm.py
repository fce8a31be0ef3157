"""The fake endpoint, as any client sees it."""

import threading

import httpx
import pytest

from tests.fake_llm import garbage, serving, silence, status, text


def ask(fake, **more):
    body = {"model": "m", "messages": []}
    return httpx.post(f"{fake.url}/chat/completions", json=body | more, timeout=5)


def test_replies_come_in_order_and_the_last_is_repeated():
    with serving([text("one"), text("two")]) as fake:
        said = [ask(fake).json()["choices"][0]["message"]["content"] for _ in range(3)]
    assert said == ["one", "two", "two"]


def test_requests_and_keys_are_kept():
    with serving([text("one")]) as fake:
        headers = {"Authorization": "Bearer k"}
        httpx.post(f"{fake.url}/chat/completions", json={"n": 1}, headers=headers)
        assert fake.requests == [{"n": 1}]
        assert fake.keys == ["Bearer k"]


def test_errors_and_garbage():
    with serving([status(503), garbage()]) as fake:
        assert ask(fake).status_code == 503
        with pytest.raises(ValueError, match="Expecting value"):
            ask(fake).json()


def test_silence_lasts_until_the_end_and_holds_nobody_else_up():
    with serving([silence(), text("two")]) as fake:
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{fake.url}/chat/completions", json={}, timeout=0.3)
        assert ask(fake).status_code == 200


def test_many_at_once():
    with serving([text(str(n)) for n in range(8)]) as fake:
        threads = [threading.Thread(target=ask, args=(fake,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(fake.requests) == 8
