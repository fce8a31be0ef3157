"""Work in children: in order, and whatever happens to one item, the others get done."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from desk.scoring.pool import ItemResult, PoolError, Task, run


@contextmanager
def prepared(factor: int) -> Iterator[int]:
    yield factor


@contextmanager
def unprepared() -> Iterator[None]:
    raise RuntimeError("no model here")
    yield


@contextmanager
def dying_once(mark: str) -> Iterator[int]:
    if not Path(mark).exists():
        Path(mark).touch()
        os._exit(9)
    yield 10


@contextmanager
def dying() -> Iterator[None]:
    os._exit(9)
    yield


def work(factor: int, item: int | str) -> int:
    if item == "raise":
        raise ValueError("cannot")
    if item == "die":
        os._exit(3)
    if item == "hang":
        time.sleep(600)
    if isinstance(item, str):  # A path: dies once, is there the second time.
        mark = Path(item)
        if not mark.exists():
            mark.touch()
            os._exit(4)
        return -1
    time.sleep(0.02 * (item % 3))
    return factor * item


def results(items: list, processes: int, limit: float = 60.0) -> list[ItemResult]:
    return list(run(Task(prepared, (10,), work), iter(items), processes, limit))


@pytest.mark.parametrize("processes", [0, 1, 3])
def test_everything_comes_back_in_order(processes) -> None:
    outcomes = results(list(range(30)), processes)
    assert [outcome.item for outcome in outcomes] == list(range(30))
    assert [outcome.value for outcome in outcomes] == [10 * item for item in range(30)]


@pytest.mark.parametrize("processes", [0, 2])
def test_an_item_that_raises_is_stated(processes) -> None:
    outcomes = results([1, "raise", 2], processes)
    assert [outcome.value for outcome in outcomes] == [10, None, 20]
    assert outcomes[1].error == "ValueError: cannot"


def test_a_dead_or_hanging_child_costs_only_its_item(tmp_path) -> None:
    second = str(tmp_path / "once")
    outcomes = results([1, "die", 2, "hang", 3, second, 4], 2, limit=3.0)
    assert [outcome.value for outcome in outcomes] == [10, None, 20, None, 30, -1, 40]
    assert outcomes[1].error == "the process died (exit status 3)"
    assert outcomes[3].error == "took longer than 3 s"
    assert not outcomes[5].error, "what a child died of once is tried again"


def test_no_items_give_no_outcomes() -> None:
    assert results([], 1) == []


def test_children_that_cannot_start_are_an_error_not_an_endless_try() -> None:
    for processes in (0, 2):
        with pytest.raises(PoolError, match="RuntimeError: no model here"):
            list(run(Task(unprepared, (), work), iter([1]), processes, 10.0))
    with pytest.raises(PoolError, match=r"could not start.*exit status 9"):
        list(run(Task(dying, (), work), iter([1]), 1, 10.0))


def test_one_death_at_the_start_ends_nothing(tmp_path) -> None:
    task = Task(dying_once, (str(tmp_path / "mark"),), work)
    assert [outcome.value for outcome in run(task, iter([1, 2]), 1, 60.0)] == [10, 20]


def test_a_consumer_that_stops_leaves_no_process_behind() -> None:
    stream = run(Task(prepared, (1,), work), iter(range(100_000)), 1, 60.0)
    assert next(stream).value == 0
    stream.close()
    import multiprocessing

    assert not multiprocessing.active_children()
