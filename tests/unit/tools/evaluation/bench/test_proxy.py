"""The proxy's benchmark: its model streams on a real socket, its figures are medians."""

import httpx
import pytest

from tools.evaluation.bench.proxy import (
    ANSWER,
    ProxyLatency,
    Speed,
    StreamTimes,
    ask,
    figures,
    model,
    serving,
)


def test_the_model_streams_the_answer_as_openai_does() -> None:
    with serving(model(Speed(first=0.0, rate=1_000.0))) as url, httpx.Client() as client:
        times = ask(client, url, "k")
        assert 0 < times.first <= times.last
        body = {"model": "m", "stream": True, "messages": []}
        lines = client.post(f"{url}/chat/completions", json=body).text.split("\n\n")
    assert lines[-2] == "data: [DONE]"
    assert len(lines) == len(ANSWER.split()) + 3


def test_a_stream_without_text_is_no_measurement() -> None:
    with (
        serving(model(Speed(first=0.0, rate=1_000.0), answer="")) as url,
        httpx.Client() as client,
        pytest.raises(ValueError, match="no text"),
    ):
        ask(client, url, "k")


def test_figures_are_medians_in_milliseconds() -> None:
    direct = [StreamTimes(0.1, 1.0), StreamTimes(0.2, 1.1), StreamTimes(9.0, 9.0)]
    proxied = [StreamTimes(0.5, 1.2), StreamTimes(0.6, 1.5), StreamTimes(0.4, 1.4)]
    assert figures(direct, proxied) == ProxyLatency(3, 200, 1100, 500, 1400, 300, 300)
