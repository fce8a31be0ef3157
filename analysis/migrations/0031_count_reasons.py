"""Counts every check again: five more reasons that decide have places of their own."""

from django.db import migrations

# As `sql/rebuild_trends.sql` was with this version; the first runs of `count_trends` count.
RECOUNT = """
-- Forgets all counts and asks for every check that has ended to be counted. One statement, so one
-- snapshot: a check that ends meanwhile keeps its own entry.
WITH cells AS (DELETE FROM analysis_trendcell),
     counted AS (DELETE FROM analysis_countedcheck),
     models AS (DELETE FROM analysis_modeluse),
     waiting AS (DELETE FROM analysis_trendpending)
INSERT INTO analysis_trendpending (check_id, failed)
SELECT id, state = 'failed'
FROM analysis_check
WHERE state IN ('done', 'failed')
ORDER BY id
"""


class Migration(migrations.Migration):
    dependencies = [("analysis", "0030_erasure_door")]
    operations = [migrations.RunSQL(RECOUNT, migrations.RunSQL.noop)]
