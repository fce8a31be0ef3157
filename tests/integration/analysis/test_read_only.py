"""Evidence is read-only: computed for every admin class of this app, so that none can escape."""

import pytest
from django.contrib import admin
from django.urls import reverse

from analysis.models import Batch, Case, Check, Job, LegalHold, Policy, Probe, ReasonCode, Review
from analysis.models.desk import QueueInstructions
from analysis.services.policies import active_policy

MODELS = [Check, Policy, Review, Batch, Job]


def test_all_registered_models_of_the_app_are_tested() -> None:
    registered = {m for m in admin.site._registry if m._meta.app_label == "analysis"}
    # What people set is no evidence.
    assert registered == {*MODELS, Case, ReasonCode, LegalHold, Probe, QueueInstructions}


@pytest.mark.parametrize("model", MODELS)
def test_no_field_can_be_edited(model, superuser, rf) -> None:
    request = rf.get("/")
    request.user = superuser
    page = admin.site._registry[model]
    assert page.get_form(request, model(), change=True).base_fields == {}
    assert page.get_inline_instances(request) == []
    assert not page.list_editable
    expected = {Review: {"decide_together"}, Check: {"export_reviewed"}}
    assert set(page.get_actions(request)) == expected.get(model, set())
    assert not page.has_add_permission(request)
    assert not page.has_change_permission(request)
    assert not page.has_delete_permission(request)


@pytest.mark.parametrize("model", MODELS)
def test_writing_pages_are_refused_even_to_a_superuser(model, desk, checked) -> None:
    check = checked()
    rows = {
        Check: check,
        Review: check.reviews.get(),
        Policy: active_policy(check.application_id),
        Batch: Batch.objects.create(application=check.application, items_total=0),
        Job: Job.objects.create(
            application=check.application, kind="replay", state="queued", input={}
        ),
    }
    pk, name = rows[model].pk, f"admin:analysis_{model._meta.model_name}"
    before = model.objects.filter(pk=pk).values().get()
    assert desk.get(reverse(f"{name}_add")).status_code == 403
    assert desk.post(reverse(f"{name}_add"), {}).status_code == 403
    assert desk.post(reverse(f"{name}_change", args=[pk]), {"note": "x"}).status_code == 403
    assert desk.get(reverse(f"{name}_delete", args=[pk])).status_code == 403
    assert desk.post(reverse(f"{name}_delete", args=[pk]), {"post": "yes"}).status_code == 403
    assert model.objects.filter(pk=pk).values().get() == before
