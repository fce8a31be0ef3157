# Few words; the work is in tools/launcher/. `make help` lists them.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
COMMANDS = run stop test test-fast coverage audit faults scale lint fix api-docs bench bench-tables lock clean manage proxy

CLIENT_VENV = .data/client-venv
CLIENT_DIST = .data/client-dist
CLIENT_EXTRAS = django,asgi,litellm,langchain,llamaindex,guardrails,mcp,test

.PHONY: help test-client client-environment client-tests client-typescript notices sbom release $(COMMANDS)
help:
	@echo 'make run     install, start everything, check three answers, stay up until Ctrl-C'
	@echo 'make stop    stop a `make run` that goes on elsewhere'
	@echo 'make test    run all tests (ARGS="-k word" for some)'
	@echo 'make test-fast   the unit tests: no servers, no models, a few minutes'
	@echo 'make coverage    the unit tests, and which lines none of them reaches (ARGS="tests/integration/api" for others)'
	@echo 'make audit   ask for known weaknesses of the pinned packages (needs a network; without one it says so)'
	@echo 'make faults  kill, stop and empty processes under a stream of work, and count what is lost (ARGS="--faults 100")'
	@echo 'make scale   web and worker nodes in network namespaces, links cut and nodes killed (as root; ARGS="--checks 100")'
	@echo 'make test-client  build both clients and test them: Python in an environment of its own, TypeScript with node'
	@echo 'make lint    ruff, djlint, mypy, import-linter, migrations, deploy check, compose file'
	@echo 'make fix     let ruff correct and format the code'
	@echo 'make api-docs  write docs/openapi.yaml and docs/schemas/ after a change of the API'
	@echo 'make bench   measure speed and memory'
	@echo 'make bench-tables      desk, dashboard, trail, API and replay at a million checks (ARGS="--checks 100000 --paint")'
	@echo 'make manage  any Django command: make manage ARGS="changepassword admin"'
	@echo 'make proxy   the OpenAI-compatible proxy (PROXY_MODEL_URL=https://api.openai.com/v1)'
	@echo 'make lock    pin the dependencies of pyproject.toml into uv.lock and requirements (ARGS=--upgrade for newer ones)'
	@echo 'make notices  write docs/reference/third-party-notices.md; make sbom: .data/sbom.json (CycloneDX)'
	@echo 'make release  the files of a release, signed (ARGS="dist/0.1.0 --key ~/.ssh/release"; docs/operations/releases.md)'
	@echo 'make clean   stop everything and delete .data/ with the embedded database'

$(COMMANDS):
	$(if $(PYTHON),,$(error Python 3.11 is missing. Debian, Ubuntu: apt-get install python3.11 python3.11-venv))
	@$(PYTHON) -m tools.launcher.bootstrap $@ $(ARGS)

test-client: client-environment client-typescript client-tests
	@$(PYTHON) -m tools.launcher.bootstrap test tests/integration/clients/test_typescript.py tests/integration/clients/test_litellm.py

# sdist, wheel from it, and the wheel in an environment of its own with all that it integrates with.
client-environment:
	rm -rf $(CLIENT_DIST)
	$(PYTHON) -m venv $(CLIENT_VENV)
	$(CLIENT_VENV)/bin/python -m pip install --quiet build
	$(CLIENT_VENV)/bin/python -m build --outdir $(CLIENT_DIST) clients/python
	$(CLIENT_VENV)/bin/python -m pip install --quiet --force-reinstall --no-deps $(CLIENT_DIST)/*.whl
	$(CLIENT_VENV)/bin/python -m pip install --quiet --constraint clients/python/constraints.txt "$$(echo $(CLIENT_DIST)/*.whl)[$(CLIENT_EXTRAS)]"
	$(CLIENT_VENV)/bin/python -m pip install --quiet --constraint clients/python/constraints.txt --requirement clients/python/litellm-proxy.txt

# `pythonpath` leaves `src` out: what is tested is what was installed.
client-tests:
	cd clients/python && ../../$(CLIENT_VENV)/bin/python -m mypy
	cd clients/python && LITELLM_LOCAL_MODEL_COST_MAP=True OTEL_SDK_DISABLED=true ../../$(CLIENT_VENV)/bin/python -m pytest -o pythonpath=tests

client-typescript:
	$(if $(shell command -v npm),cd clients/typescript && npm ci --no-audit --no-fund && npm run lint && npm run build,$(error npm is missing: the TypeScript client needs Node 20 or newer))

notices:
	.venv/bin/python -m tools.launcher.components notices

sbom:
	.venv/bin/python -m tools.launcher.components sbom .data/sbom.json

release:
	.venv/bin/python -m tools.launcher.release $(ARGS)
