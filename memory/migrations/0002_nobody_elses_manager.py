"""A fact and its managers are of one application: no foreign key of Django's can say so."""

from django.db import migrations

_ADD = """
ALTER TABLE memory_memoryentry
    ADD CONSTRAINT memory_owner_of_application FOREIGN KEY (manager_id, application_id)
        REFERENCES memory_manager (id, application_id) DEFERRABLE INITIALLY DEFERRED,
    ADD CONSTRAINT memory_stated_in_application FOREIGN KEY (stated_by_id, application_id)
        REFERENCES memory_manager (id, application_id) DEFERRABLE INITIALLY DEFERRED
"""
_DROP = """
ALTER TABLE memory_memoryentry
    DROP CONSTRAINT memory_owner_of_application,
    DROP CONSTRAINT memory_stated_in_application
"""


class Migration(migrations.Migration):

    dependencies = [("memory", "0001_initial")]

    operations = [migrations.RunSQL(_ADD, _DROP)]
