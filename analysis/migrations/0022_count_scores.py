"""Counted anew: the reasons that decide have one more, the response score, with a place of its own."""

from django.db import migrations

# As `sql/rebuild_trends.sql` was with this version; the first runs of `count_trends` count.
ANEW = """
WITH cells AS (DELETE FROM analysis_trendcell),
     counted AS (DELETE FROM analysis_countedcheck),
     models AS (DELETE FROM analysis_modeluse),
     waiting AS (DELETE FROM analysis_trendpending)
INSERT INTO analysis_trendpending (check_id, dead)
SELECT id, state = 'dead'
FROM analysis_check
WHERE state IN ('done', 'dead')
ORDER BY id
"""


class Migration(migrations.Migration):
    dependencies = [('analysis', '0021_topic_member_time')]
    operations = [migrations.RunSQL(ANEW, migrations.RunSQL.noop)]
