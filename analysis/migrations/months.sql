-- Results lie in a partition for each month of submission, told by the check's id (a UUIDv7): the
-- partition key is the id itself, so that it can be primary key and be referred to.

CREATE FUNCTION watchdog_first_id(moment timestamptz) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT rpad(lpad(to_hex(floor(extract(epoch FROM moment) * 1000)::bigint), 12, '0'), 32, '0')
           ::uuid
$$;

-- The partition of one table for the month (UTC) of `day`. False where there is one already, or
-- where rows of that month lie in another partition: they stay there.
CREATE FUNCTION watchdog_make_month(parent regclass, day date) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    begins timestamp := date_trunc('month', day::timestamp);
    low uuid := watchdog_first_id(begins AT TIME ZONE 'UTC');
    high uuid := watchdog_first_id((begins + interval '1 month') AT TIME ZONE 'UTC');
BEGIN
    EXECUTE format('CREATE TABLE %I PARTITION OF %s FOR VALUES FROM (%L) TO (%L)',
                   parent::text || to_char(begins, '_YYYY_MM'), parent, low, high);
    RETURN true;
EXCEPTION
    WHEN duplicate_table OR invalid_object_definition OR check_violation THEN RETURN false;
END $$;

-- The definitions are read from the table itself, so that every name stays as it is.
CREATE PROCEDURE pg_temp.partition_by_month(whole text, key text, primary_key text)
LANGUAGE plpgsql AS $$
DECLARE
    before text := whole || '_before';
    has_identity boolean;
    definitions text[];
    dropped text[];
    definition text;
BEGIN
    SELECT array_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
                            pg_get_constraintdef(oid)) ORDER BY contype DESC),
           array_agg(format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname)
                     ORDER BY contype)
    INTO definitions, dropped
    FROM pg_constraint
    WHERE contype IN ('f', 'u') AND conparentid = 0
      AND (conrelid = whole::regclass OR confrelid = whole::regclass);
    definitions := definitions || coalesce(
        (SELECT array_agg(pg_get_indexdef(indexrelid)) FROM pg_index
         WHERE indrelid = whole::regclass
           AND indexrelid NOT IN (SELECT conindid FROM pg_constraint
                                  WHERE conrelid = whole::regclass)), '{}');
    dropped := dropped || coalesce(
        (SELECT array_agg(format('DROP INDEX %s', indexrelid::regclass)) FROM pg_index
         WHERE indrelid = whole::regclass
           AND indexrelid NOT IN (SELECT conindid FROM pg_constraint
                                  WHERE conrelid = whole::regclass)), '{}');
    definitions := definitions || coalesce(
        (SELECT array_agg(pg_get_triggerdef(oid)) FROM pg_trigger
         WHERE tgrelid = whole::regclass AND NOT tgisinternal), '{}');
    dropped := dropped || coalesce(
        (SELECT array_agg(format('DROP TRIGGER %I ON %s', tgname, whole)) FROM pg_trigger
         WHERE tgrelid = whole::regclass AND NOT tgisinternal), '{}');
    has_identity := EXISTS (SELECT FROM pg_attribute
                            WHERE attrelid = whole::regclass AND attidentity <> '');

    FOREACH definition IN ARRAY dropped LOOP
        EXECUTE definition;
    END LOOP;
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', whole, whole || '_pkey');
    EXECUTE format('ALTER TABLE %I RENAME TO %I', whole, before);
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS'
                   ' INCLUDING STORAGE) PARTITION BY RANGE (%I)', whole, before, key);
    IF has_identity THEN
        EXECUTE format('ALTER TABLE %I ALTER id DROP IDENTITY', before);
        -- A sequence, since PostgreSQL 16 knows no identity columns of partitioned tables.
        EXECUTE format('CREATE SEQUENCE %I AS bigint OWNED BY %I.id', whole || '_id_seq', whole);
        EXECUTE format('ALTER TABLE %I ALTER id SET DEFAULT nextval(%L)', whole,
                       whole || '_id_seq');
    END IF;
    EXECUTE format('DROP TABLE %I', before);
    EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', whole || '_other', whole);
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I PRIMARY KEY (%s)', whole, whole || '_pkey',
                   primary_key);
    FOREACH definition IN ARRAY definitions LOOP
        EXECUTE definition;
    END LOOP;
    FOR months IN 0..3 LOOP
        PERFORM watchdog_make_month(whole::regclass,
                                    (now() AT TIME ZONE 'UTC' + months * interval '1 month')::date);
    END LOOP;
END $$;
CALL pg_temp.partition_by_month('analysis_annotatedanswer', 'check_record_id', 'check_record_id');
CALL pg_temp.partition_by_month('analysis_claim', 'annotated_answer_id', 'id, annotated_answer_id');
CALL pg_temp.partition_by_month('analysis_checksearch', 'check_record_id', 'check_record_id');
CALL pg_temp.partition_by_month('analysis_checkembedding', 'check_record_id', 'check_record_id');
DROP PROCEDURE pg_temp.partition_by_month(text, text, text);

CREATE FUNCTION watchdog_guard_verdict() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM analysis_claim AS c
                   JOIN analysis_review AS r ON r.check_record_id = c.annotated_answer_id
                   WHERE c.id = NEW.claim_id AND r.id = NEW.review_id) THEN
        RAISE EXCEPTION 'claim % is not one of the check that review % is about',
            NEW.claim_id, NEW.review_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER verdict_of_a_reviewed_claim BEFORE INSERT OR UPDATE OF claim_id, review_id
ON analysis_claimverdict FOR EACH ROW EXECUTE FUNCTION watchdog_guard_verdict();
