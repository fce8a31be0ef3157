"""The functions that the search of checks calls, and the first reason codes."""

from django.db import migrations

# Scripts without spaces between words (Han, Kana, Hangul) are searched by the character.
SEARCH_TEXT = r"""
CREATE FUNCTION watchdog_search_text(content text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN content ~ '[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF]'
        THEN regexp_replace(content, '([\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF])', ' \1 ', 'g')
        ELSE content END
$$;
"""
# Nothing to look for finds nothing, also among marked rows.
SEARCH_QUERY = """
CREATE FUNCTION watchdog_search_query(words text, begins text, marks text) RETURNS tsquery
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN numnode(query) = 0 THEN query ELSE query && marks::tsquery END
    FROM (SELECT websearch_to_tsquery('simple', watchdog_search_text(words))
                 && to_tsquery('simple', begins) AS query) AS q
$$;
"""
CODES = [
    ("contradicts-source", "A source says otherwise", "confirmed"),
    ("not-in-sources", "Not in the sources", "confirmed"),
    ("out-of-date", "Out of date", "confirmed"),
    ("off-topic", "Does not answer the question", "confirmed"),
    ("is-supported", "The sources support it", "overturned"),
    ("source-is-wrong", "The source is wrong or out of date", "overturned"),
    ("harmless-wording", "Harmless wording, no wrong fact", "overturned"),
    ("missed-by-check", "Wrong, and the check did not see it", "overturned"),
    ("needs-expert", "Needs an expert", "escalated"),
    ("needs-policy", "The policy does not settle it", "escalated"),
]


def add_codes(apps, schema_editor):
    model = apps.get_model("analysis", "ReasonCode")
    model.objects.bulk_create(
        model(code=code, label=label, decision=decision, position=10 * place)
        for place, (code, label, decision) in enumerate(CODES, 1)
    )


class Migration(migrations.Migration):
    dependencies = [("analysis", "0002_immutable")]
    operations = [
        migrations.RunSQL(SEARCH_TEXT),
        migrations.RunSQL(SEARCH_QUERY),
        migrations.RunPython(add_codes),
    ]
