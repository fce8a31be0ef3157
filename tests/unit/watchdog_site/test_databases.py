"""Django's settings of its connections."""

from watchdog_site.databases import configured, session_settings

ADDRESS = {"ENGINE": "e", "NAME": "n", "OPTIONS": {"sslmode": "require"}}
LIVENESS = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
SESSION = session_settings(statement_seconds=1.5)


def test_a_server_is_told_what_holds_for_the_session() -> None:
    configuration = configured(ADDRESS, SESSION, connect_seconds=5)
    assert configuration["OPTIONS"] == {
        **LIVENESS,
        "sslmode": "require",
        "connect_timeout": 5,
        "options": "-c statement_timeout=1500 -c hnsw.ef_search=300 "
        "-c hnsw.iterative_scan=relaxed_order -c jit=off",
    }
    assert configuration["DISABLE_SERVER_SIDE_CURSORS"] is False


def test_a_pooler_is_asked_for_nothing_that_belongs_to_a_session() -> None:
    configuration = configured(ADDRESS, SESSION, connect_seconds=5, pooled=True)
    assert configuration["OPTIONS"] == {**LIVENESS, "sslmode": "require", "connect_timeout": 5}
    assert configuration["DISABLE_SERVER_SIDE_CURSORS"] is True
