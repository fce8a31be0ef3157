"""Inputs whose fields all requests share."""

from concurrent.futures import ThreadPoolExecutor

from accounts.inputs import shared_fields
from api.inputs import BatchInput, CheckInput


def accepted(answer: str) -> tuple[str, list[str]]:
    serializer = CheckInput(data={"answer": answer})
    assert serializer.is_valid()
    new = serializer.new_check()
    return new.answer, list(new.samples)


def test_fields_are_made_once() -> None:
    one, other = CheckInput(data={"answer": "One."}), CheckInput(data={"answer": "Two."})
    assert one.fields["answer"] is other.fields["answer"]
    assert set(one.fields) == set(shared_fields(CheckInput))
    assert BatchInput().fields is not BatchInput().fields


def test_threads_do_not_mix_their_requests() -> None:
    answers = [f"Answer {number}." for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(accepted, answers)) == [(answer, []) for answer in answers]


def test_what_one_request_gets_by_default_is_not_given_to_the_next() -> None:
    first, second = CheckInput(data={"answer": "One."}), CheckInput(data={"answer": "Two."})
    assert first.is_valid()
    assert second.is_valid()
    first.validated_data["metadata"]["seen"] = True
    assert second.validated_data["metadata"] == {}


def test_an_error_of_one_request_is_not_told_to_the_next() -> None:
    wrong = CheckInput(data={"answer": "", "sources": [7]})
    assert not wrong.is_valid()
    assert set(wrong.errors) == {"answer", "sources"}
    assert CheckInput(data={"answer": "One."}).is_valid()
