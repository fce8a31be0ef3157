"""Another embedding model: entries are found again once they are embedded by it."""

from io import StringIO

from django.core.management import call_command

from memory.models import Manager, MemoryEntry
from memory.selectors import recall
from memory.services import remember


def test_entries_of_another_model_are_embedded_again(ann: Manager) -> None:
    remember(ann, "The scaffold wind limit is 25 km/h.")
    remember(ann, "I'm the site safety manager.")
    texts = dict(MemoryEntry.objects.values_list("pk", "text"))
    MemoryEntry.objects.filter(text__startswith="The").update(
        embedding=[1.0] + [0.0] * 383, embedding_model="another"
    )
    assert recall(ann, "When do scaffolds stop?") == ()
    out = StringIO()
    call_command("reembed_memory", stdout=out, verbosity=0)
    assert out.getvalue().strip() == "1 entries embedded again"
    assert recall(ann, "When do scaffolds stop?")[0].text.startswith("The scaffold")
    assert dict(MemoryEntry.objects.values_list("pk", "text")) == texts
