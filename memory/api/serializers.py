"""The input and output of the API, as documented schema components."""

from rest_framework import serializers

from accounts.components import Schema, component
from accounts.inputs import InputSerializer, StringField
from accounts.pagination import Page
from memory.models import MOST_SOURCE, MOST_TEXT, MemoryEntry, Target
from memory.outcomes import FactOutcome, MemoryOutcome
from memory.selectors.entries import RecalledMemory, came_from
from memory.services.files import Imported

MOST_STATEMENT = 20_000
MOST_FILE = 300_000


class ManagerInput(InputSerializer):
    """A new manager of the application."""

    name = StringField(max_length=120)


class ManagerOutput(Schema):
    """A person who asks the assistant."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    created_at = serializers.DateTimeField()


class ManagerList(Schema):
    """All managers of the application."""

    results = ManagerOutput(many=True)


class StatementInput(InputSerializer):
    """A manager's own words; never text of a document or an answer."""

    statement = StringField(max_length=MOST_STATEMENT)
    context = StringField(
        max_length=MOST_STATEMENT, required=False, allow_blank=True, default="",
        help_text="The message that the statement replies to; read by the judge, never stored.",
    )  # fmt: skip
    source = StringField(
        max_length=MOST_SOURCE, required=False, allow_blank=True, default="",
        help_text="Where it was said; shown with the entry.",
    )  # fmt: skip


FactOutput = component(
    FactOutcome,
    "One fact from a statement, and whether it was stored.",
    name="FactOutput",
    whole=True,
    fact="Empty if it must not be repeated (personal data, secrets).",
)


OutcomeOutput = component(
    MemoryOutcome, "The result of a statement; `judge` names what judged it.", name="OutcomeOutput"
)


class EntryOutput(Schema):
    """A remembered fact; `superseded_at` and `superseded_by` are set once it is replaced."""

    id = serializers.UUIDField()
    target = serializers.ChoiceField(choices=Target.choices)
    text = serializers.CharField()
    slot = serializers.CharField(allow_blank=True)
    value = serializers.CharField(allow_blank=True)
    confidence = serializers.FloatField()
    judge = serializers.CharField()
    origin = serializers.CharField()
    source = serializers.CharField(allow_blank=True)
    came_from = serializers.SerializerMethodField(help_text="Who stated it, where and when.")
    stated_at = serializers.DateTimeField()
    superseded_at = serializers.DateTimeField(allow_null=True)
    superseded_by = serializers.UUIDField(source="superseded_by_id", allow_null=True)

    def get_came_from(self, entry: MemoryEntry) -> str:
        return came_from(entry)


class EntryPage(Page):
    """One page of a list; `next` and `previous` are addresses or null."""

    results = EntryOutput(many=True)


class CorrectionInput(InputSerializer):
    """A new wording for an entry."""

    text = StringField(max_length=MOST_TEXT)


class RecallInput(InputSerializer):
    """A question, and the highest number of facts to return."""

    question = StringField(max_length=MOST_STATEMENT)
    limit = serializers.IntegerField(min_value=1, max_value=50, required=False, default=4)


RecalledOutput = component(
    RecalledMemory, "A remembered fact that is relevant to the question.", name="RecalledOutput"
)


class RecallOutput(Schema):
    """The facts, best first."""

    results = RecalledOutput(many=True)


class FileTarget(InputSerializer):
    """The memory to read: the manager's own or the company's."""

    target = serializers.ChoiceField(choices=Target.choices)


class FileInput(FileTarget):
    """The content of USER_MEMORY.md or COMPANY_MEMORY.md."""

    content = StringField(max_length=MOST_FILE)


class FileOutput(FileTarget):
    """A memory as a Markdown file."""

    file_name = serializers.CharField()
    content = serializers.CharField()


ImportOutput = component(Imported, "Whether each fact was stored.", name="ImportOutput")
