"""Writes the database dump of a release, from which every later version must upgrade.

Once for each release, from its commit: `.venv/bin/python -m tests.upgrade_baseline 0.1.0`.
"""

import gzip
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.launcher import postgres

FOLDER = Path(__file__).resolve().parent / "integration" / "upgrade"
SECRET_KEY = "signs the trail of the dumps that upgrades are tested with, and nothing else"
SOURCES = ["The old mill stands in Lyon. It was built in 1840 of grey stone."]
ANSWERS = (
    "The old mill stands in Lyon.",
    "The old mill was built in 1850.",
    "The old mill stands in Lyon [1]. Bananas grow there.",
    "It definitely closed in 2010. It closed in 2015.",
    "Die Mühle steht in Lyon. 😀",
)
QUESTION = "Where does the mill stand?"


def main(release: str) -> None:
    """Start an empty server, fill a database by the product's own services, and dump it."""
    with tempfile.TemporaryDirectory(prefix="watchdog-upgrade-") as folder:
        Path(folder).chmod(0o755)
        data = Path(folder) / "data"
        os.environ |= {
            "DATABASE_URL": postgres.start(data, "fsync = off\n"),
            "DJANGO_SETTINGS_MODULE": "watchdog_site.settings",
            "SECRET_KEY": SECRET_KEY,
            "REDIS_URL": "redis://127.0.0.1:1/0",  # nobody is told of what is submitted
            "NLI_MODEL": "lexical",
            "DOCUMENTS_WITHOUT_SANDBOX": "true",
        }
        try:
            subprocess.run([sys.executable, "manage.py", "migrate", "-v", "0"], check=True)
            _fill()
            _dump(FOLDER / f"{release}.sql.gz", data)
        finally:
            postgres.remove(data)


def _fill() -> None:
    """Make a row or more in most tables: documents, checks, reviews, policies, memory, the trail.

    Imports stand here because the settings read the variables of `main`.
    """
    import django

    django.setup()
    from django.contrib.auth.models import User

    from accounts.models import Role
    from accounts.services import create_api_key, create_application, grant_role
    from analysis.engine.policy import CONSERVATIVE
    from analysis.models import Review, ReviewDecision
    from analysis.services.checking import run_check
    from analysis.services.policies import create_policy
    from analysis.services.submission import NewCheck, submit
    from analysis.tasks import count_trends, index_checks
    from audit.seals import seal_trail
    from desk.reviews.services.reviews import decide_review
    from documents.services.collections import create_collection
    from documents.services.indexing import index_document
    from documents.services.uploads import upload
    from memory.services.managers import create_manager

    by = "release"
    application = create_application(name="Help desk", slug="help-desk", by=by)
    create_api_key(application=application, name="server", by=by)
    reviewer = User.objects.create_user("ann", is_staff=True)
    grant_role(user=reviewer, application=application, role=Role.REVIEWER, by=by)
    create_manager(application=application, name="Kim", by=by)
    collection = create_collection(application=application, name="handbook", by=by)
    upload_result = upload(collection=collection, name="mill.txt", data=SOURCES[0].encode(), by=by)
    assert index_document(upload_result.document.pk)

    def check(answer: str, **rest: object) -> None:
        new = NewCheck(answer=answer, query=QUESTION, **rest)
        assert run_check(submit(application_id=application.id, new=new, by=by).id)

    for answer in ANSWERS:
        check(answer, sources=SOURCES)
    check(ANSWERS[0], collections=["handbook"])
    rules = CONSERVATIVE.to_json()
    create_policy(application_id=application.pk, rules=rules, by=by, activate=True)
    check(ANSWERS[1], sources=SOURCES)
    queued = submit(application_id=application.id, new=NewCheck(answer=ANSWERS[0]), by=by)
    assert queued.id, "one check waits in the queue over the upgrade"
    first, second, *_ = Review.objects.order_by("pk")
    decide_review(review=first, decision=ReviewDecision.CONFIRMED, by=reviewer, note="seen")
    decide_review(review=second, decision=ReviewDecision.OVERTURNED, by=reviewer, note="no")
    count_trends()
    index_checks()
    seal_trail()


def _dump(file: Path, data: Path) -> None:
    server = postgres.locate(data)
    options = ["-h", str(server.socket_dir), "-U", postgres.SUPERUSER, "-d", postgres.DATABASE]
    command = [str(server.programs / "pg_dump"), "--no-owner", "--no-privileges", *options]
    process = subprocess.run(command, capture_output=True, check=True)
    file.write_bytes(gzip.compress(process.stdout, mtime=0))
    print(f"{file}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1])
