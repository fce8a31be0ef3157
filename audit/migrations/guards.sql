-- The database itself refuses to change, remove or empty what is evidence.
--
-- `watchdog_refuse_change` serves every table whose rows are evidence; later apps attach it too. Row
-- triggers do not see TRUNCATE, so the trail has triggers for it. The exception for sessions that say
-- so beforehand ends with 0004: docs/decisions/0621-the-trail-is-append-only-and-sealed.md.

CREATE FUNCTION watchdog_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is refused: it is evidence and stays as it was written',
        TG_OP, TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TRIGGER trail_append_only BEFORE UPDATE OR DELETE ON audit_trailentry
FOR EACH ROW EXECUTE FUNCTION watchdog_refuse_change();
CREATE TRIGGER seal_append_only BEFORE UPDATE OR DELETE ON audit_trailseal
FOR EACH ROW EXECUTE FUNCTION watchdog_refuse_change();

CREATE FUNCTION watchdog_refuse_truncate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('watchdog.truncate_trail', true) IS DISTINCT FROM 'allowed' THEN
        RAISE EXCEPTION '% on % is refused: it is evidence and stays as it was written',
            TG_OP, TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER trail_no_truncate BEFORE TRUNCATE ON audit_trailentry
FOR EACH STATEMENT EXECUTE FUNCTION watchdog_refuse_truncate();
CREATE TRIGGER seal_no_truncate BEFORE TRUNCATE ON audit_trailseal
FOR EACH STATEMENT EXECUTE FUNCTION watchdog_refuse_truncate();
