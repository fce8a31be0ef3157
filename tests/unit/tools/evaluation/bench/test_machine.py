"""The speed of the machine, told beside what was measured."""

import os

from tools.evaluation.bench import machine


def test_work_is_done_between_two_loops(monkeypatch) -> None:
    seconds = iter([0.06, 0.25])
    events = []
    monkeypatch.setattr(machine, "loop_seconds", lambda: events.append("loop") or next(seconds))
    result, speed = machine.around(lambda: events.append("work") or "found")
    assert result == "found"
    assert events == ["loop", "work", "loop"]
    assert speed == machine.Speed(before=0.06, after=0.25)
    assert "0.060 s of processor right before, 0.250 s right after" in str(speed)


def test_the_loop_takes_processor_time() -> None:
    before = machine.processor(os.getpid())
    assert machine.loop_seconds() > 0
    after = machine.processor(os.getpid())
    assert before is not None
    assert after is not None
    assert after > before


def test_a_process_elsewhere_has_no_time() -> None:
    assert machine.processor(2**22 + 1) is None  # above the largest id that Linux gives
