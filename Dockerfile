# The image of web, worker, beat and migrate; docker-compose.yml says which is which.
FROM python:3.11.15-slim-bookworm

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    DJANGO_SETTINGS_MODULE=watchdog_site.settings \
    STATIC_ROOT=/app/staticfiles

# Set it to PyTorch's index of CPU builds to save some gigabytes on a machine without a GPU.
ARG PIP_EXTRA_INDEX_URL=""

RUN useradd --system --uid 10001 --create-home --home-dir /home/watchdog watchdog
WORKDIR /app

# The walls around the weather analysis: namespaces where the host allows them, and its filter.
RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap libseccomp2 \
    && rm -rf /var/lib/apt/lists/*

COPY requirements/hashed.txt requirements/cuda-hashed.txt requirements/
# PyPI's build of PyTorch needs CUDA's packages; builds for CPUs have a label in their version.
RUN pip install --require-hashes --no-deps -r requirements/hashed.txt \
    && if python -c "from importlib.metadata import version; exit('+' in version('torch'))"; then \
        pip install --require-hashes --no-deps -r requirements/cuda-hashed.txt; \
    fi

COPY . .
ENV PYTHONPATH=/app/clients/python/src
ENV MODEL_DIR=/app/models
RUN python -m inference.export --to /app/models
RUN python -m inference.export --judge --model small --to /app/models
# Without the packages of requirements/judge.txt the image is built all the same, and says so.
RUN python -m inference.export --judge --to /app/models || echo 'The small judge will judge.'
# The key of this line signs nothing: collecting files only needs one to be set.
RUN SECRET_KEY=only-while-building python manage.py collectstatic --noinput --verbosity 0

USER watchdog
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://localhost:8000/healthz', timeout=4)"]
CMD ["python", "-m", "gunicorn", "-c", "watchdog_site/gunicorn_conf.py", "watchdog_site.wsgi:application"]
