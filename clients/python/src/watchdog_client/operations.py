"""The API's operations as data: what to send and how to read the response.

Both clients send these; nothing here does input or output.
"""

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Generic, TypedDict, TypeVar
from urllib.parse import quote

import httpx

from watchdog_client.errors import ConfigurationError
from watchdog_client.models import (
    Batch,
    Check,
    CheckSummary,
    Collection,
    Document,
    Feedback,
    Key,
    Link,
    Model,
    Page,
    Passage,
)

Result = TypeVar("Result")
Parsed = TypeVar("Parsed", bound=Model)
Source = str | Mapping[str, Any]
Answer = str | Sequence[Mapping[str, Any]]
"""An answer, or a conversation (`role`, `content`) whose last assistant message is the answer."""


_TITLES = ("title", "source", "file_name")
"""The metadata keys under which retrieval frameworks keep a document's name."""


class CheckOptions(TypedDict, total=False):
    """The options of a check (docs/openapi.yaml, CheckInput)."""

    query: str
    sources: Sequence[Source] | None
    collections: Sequence[str]
    scope: Mapping[str, Any]
    source_model: str
    metadata: Mapping[str, Any]
    samples: Sequence[str]
    token_logprobs: Any


class CheckFilters(TypedDict, total=False):
    """The filters of a list of checks."""

    action: str
    state: str
    risk_level: str
    source_model: str
    batch: str
    created_after: str
    created_before: str
    metadata: Mapping[str, str]
    page_size: int
    cursor: str


def source_of(text: str, id: str | None, metadata: Mapping[str, Any]) -> Source:
    """Return a retrieved document as a source with its id, name and page, as far as it has them."""
    name = next((metadata[key] for key in _TITLES if metadata.get(key)), None)
    page = metadata.get("page_label")
    title = f"{name}, page {page}" if name and page is not None else name
    members = {"id": id, "title": title}
    named = {key: str(value) for key, value in members.items() if value}
    return {**named, "text": text} if named else text


@dataclass(frozen=True, slots=True)
class Operation(Generic[Result]):
    """One request. `repeatable`: sending it twice has no more effect than once."""

    method: str
    path: str
    parse: Callable[[httpx.Response], Result]
    json: Any = None
    params: Mapping[str, Any] | None = None
    data: Mapping[str, str] | None = None
    files: Mapping[str, tuple[str, bytes]] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    repeatable: bool = True


def create_check(
    answer: Answer, options: CheckOptions, *, wait: float, key: str | None
) -> Operation[Check]:
    """Submit an answer and wait up to `wait` seconds (whole ones) for its verdict."""
    if unknown := sorted(options.keys() - CheckOptions.__annotations__):
        raise ConfigurationError(f"A check has no option {unknown[0]!r}.")
    headers = {"Prefer": f"wait={int(wait)}", "Idempotency-Key": key or new_key()}
    body = {"answer" if isinstance(answer, str) else "messages": answer, **options}
    return Operation("POST", "/api/v1/checks", _reader_of(Check), json=body, headers=headers)


def get_check(check_id: str) -> Operation[Check]:
    """Read one check."""
    return Operation("GET", _path("checks", check_id), _reader_of(Check))


def delete_check(check_id: str, *, reason: str) -> Operation[None]:
    """Erase a check's texts, result and comments."""
    params = {"reason": reason} if reason else {}
    return Operation("DELETE", _path("checks", check_id), _nothing, params=params)


def list_checks(filters: CheckFilters) -> Operation[Page[CheckSummary]]:
    """List checks, newest first."""
    params = {name: value for name, value in filters.items() if name != "metadata"}
    params |= {f"metadata[{name}]": value for name, value in filters.get("metadata", {}).items()}
    return Operation("GET", "/api/v1/checks", _reader_of(Page[CheckSummary]), params=params)


def give_feedback(
    check_id: str, *, helpful: bool, comment: str, end_user: str
) -> Operation[Feedback]:
    """Store an end user's opinion; the same user's last one counts."""
    body = {"helpful": helpful, "comment": comment, "end_user": end_user}
    return Operation("POST", _path("checks", check_id, "feedback"), _reader_of(Feedback), json=body)


def create_link(check_id: str, *, expires_in: int | None) -> Operation[Link]:
    """Create a link to the verdict page that is valid for `expires_in` seconds."""
    body = {} if expires_in is None else {"expires_in": expires_in}
    return Operation("POST", _path("checks", check_id, "link"), _reader_of(Link), json=body)


def submit_batch(items: Sequence[Mapping[str, Any]], *, key: str | None) -> Operation[Batch]:
    """Submit many answers at once; each item is `answer` and the options of a check."""
    headers = {"Idempotency-Key": key or new_key()}
    body = {"items": list(items)}
    return Operation("POST", "/api/v1/batches", _reader_of(Batch), json=body, headers=headers)


def get_batch(batch_id: str) -> Operation[Batch]:
    """Read a batch with the state of each item."""
    return Operation("GET", _path("batches", batch_id), _reader_of(Batch))


def list_collections() -> Operation[list[Collection]]:
    """List the application's collections."""
    return Operation("GET", "/api/v1/collections", _many(Collection))


def create_collection(
    name: str, *, title: str, class_number: int | None, subject: str
) -> Operation[Collection]:
    """Create a collection."""
    body = {"name": name, "title": title, "class_number": class_number, "subject": subject}
    return Operation(
        "POST", "/api/v1/collections", _reader_of(Collection), json=body, repeatable=False
    )


def get_collection(name: str) -> Operation[Collection]:
    """Read one collection."""
    return Operation("GET", _path("collections", name), _reader_of(Collection))


def delete_collection(name: str, *, confirm: str = "") -> Operation[None]:
    """Delete a collection; one that has documents, if `confirm` repeats its name."""
    params = {"confirm": confirm} if confirm else {}
    path = _path("collections", name)
    return Operation("DELETE", path, _nothing, params=params, repeatable=False)


def upload_document(
    collection: str, name: str, content: bytes | BinaryIO, *, key: str | None = None
) -> Operation[Document]:
    """Upload a file; the same bytes in the same collection are one document."""
    read = content if isinstance(content, bytes) else content.read()
    return Operation(
        "POST",
        "/api/v1/documents",
        _reader_of(Document),
        data={"collection": collection},
        files={"file": (name, read)},
        headers={"Idempotency-Key": key or new_key()},
    )


def get_document(document_id: str) -> Operation[Document]:
    """Read one document."""
    return Operation("GET", _path("documents", document_id), _reader_of(Document))


def list_documents(
    collection: str | None, cursor: str | None, page_size: int | None
) -> Operation[Page[Document]]:
    """List documents, newest first."""
    query = {"collection": collection, "cursor": cursor, "page_size": page_size}
    params = {name: value for name, value in query.items() if value is not None}
    return Operation("GET", "/api/v1/documents", _reader_of(Page[Document]), params=params)


def delete_document(document_id: str) -> Operation[None]:
    """Delete a document and its passages."""
    return Operation("DELETE", _path("documents", document_id), _nothing, repeatable=False)


def search(query: str, collections: Sequence[str], k: int) -> Operation[list[Passage]]:
    """Search for the `k` best passages of the collections."""
    body = {"query": query, "collections": list(collections), "k": k}
    return Operation("POST", "/api/v1/search", _many(Passage), json=body)


def get_key() -> Operation[Key]:
    """Read the key that calls."""
    return Operation("GET", _path("keys", "current"), _reader_of(Key))


def new_key() -> str:
    """Return a new idempotency key: repeating the request then creates nothing again."""
    return str(uuid.uuid4())


def _path(*segments: str) -> str:
    """Return the path of these segments, each quoted."""
    if not all(segments) or {".", ".."} & {*segments}:
        raise ConfigurationError("An id or a name is empty or consists of dots.")
    return "/".join(("/api/v1", *(quote(segment, safe="") for segment in segments)))


def _reader_of(model: type[Parsed]) -> Callable[[httpx.Response], Parsed]:
    return lambda response: model.model_validate_json(response.content)


def _many(model: type[Parsed]) -> Callable[[httpx.Response], list[Parsed]]:
    """Read the `results` of a list."""

    def parse(response: httpx.Response) -> list[Parsed]:
        return [model.model_validate(result) for result in response.json()["results"]]

    return parse


def _nothing(response: httpx.Response) -> None:
    """Parse a 204, which has no body."""
