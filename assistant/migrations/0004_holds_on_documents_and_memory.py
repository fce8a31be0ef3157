"""A legal hold on an application keeps its documents and memories, whoever would delete them.

Stands here because documents and memory know nothing of holds, and this app is above all three.
"""

from django.db import migrations

GUARD = """
CREATE FUNCTION watchdog_guard_hold() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    owner uuid;
BEGIN
    IF TG_TABLE_NAME = 'documents_document' THEN
        SELECT application_id INTO owner FROM documents_collection WHERE id = OLD.collection_id;
    ELSE
        owner := OLD.application_id;
    END IF;
    IF EXISTS (SELECT 1 FROM analysis_legalhold WHERE application_id = owner
               AND check_record_id IS NULL AND lifted_at IS NULL) THEN
        RAISE EXCEPTION 'on legal hold: % keeps its rows', TG_TABLE_NAME USING ERRCODE = '23001';
    END IF;
    RETURN OLD;
END $$;

CREATE TRIGGER document_on_hold BEFORE DELETE ON documents_document
FOR EACH ROW EXECUTE FUNCTION watchdog_guard_hold();
CREATE TRIGGER memory_on_hold BEFORE DELETE ON memory_memoryentry
FOR EACH ROW EXECUTE FUNCTION watchdog_guard_hold();
"""
BACK = """
DROP TRIGGER document_on_hold ON documents_document;
DROP TRIGGER memory_on_hold ON memory_memoryentry;
DROP FUNCTION watchdog_guard_hold();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("assistant", "0003_erasure"),
        ("analysis", "0002_immutable"),
        ("documents", "0001_initial"),
        ("memory", "0001_initial"),
    ]
    operations = [migrations.RunSQL(GUARD, BACK)]
