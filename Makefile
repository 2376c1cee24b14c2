# Casebook's commands. `make run` starts it, `make test` runs every test; both set up all that they need.
# See docs/deployment.md for a team's machine and docs/settings.md for every variable.

PORT ?= 8000
HOST ?= 127.0.0.1
# `no` starts without the demonstration organisation: the first page then asks for yours.
DEMONSTRATION ?= yes
# `local` starts a small model on this machine beside the console, and an agent that answers with it.
MODEL ?=
# The first Python on the path that is new enough; name another with `make run PYTHON=/path/to/python3.12`.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && exit; done; echo python3)
PY := .venv/bin/python
PYTEST_WORKERS ?= auto

.DEFAULT_GOAL := help
.PHONY: help run local-model test test-local-model test-sqlite test-postgres check bench mutants pins format environment test-environment clean

help: ## Show the commands
	@echo "make run     set everything up and start console and worker on http://localhost:$(PORT)"
	@echo "make run MODEL=local   the same with a small model on this machine, after make local-model"
	@echo "make local-model       install that model and compile its server, once (about ten minutes)"
	@echo "make test    set everything up and run all tests, on SQLite and on PostgreSQL"
	@echo "make check   linter, types, and the tests of architecture, settings, API schema and deployment"
	@echo "make format  format the code and sort its imports"
	@echo "make bench   measure the slow paths"
	@echo "make mutants change the rules of grading one by one and see which change no test notices (hours)"
	@echo "make pins    renew requirements*.txt after a change of pyproject.toml"
	@echo "make clean   remove what the commands made, but never var/ and .env"

environment:
	@"$(PYTHON)" scripts/prepare.py run

test-environment:
	@"$(PYTHON)" scripts/prepare.py test
	@$(PY) -m django translations compile --settings tests.settings
	@$(PY) -m tests.chromium
	@$(PY) -m tests.corpora

run: environment
	@exec $(PY) -m config.start --host "$(HOST)" --port "$(PORT)" $(if $(filter no,$(DEMONSTRATION)),--no-demonstration) \
		$(if $(filter local,$(MODEL)),--local-model)

local-model: environment
	@"$(PYTHON)" scripts/local_model.py

test-local-model: test-environment local-model
	$(PY) -m pytest -m local_model

test: test-sqlite test-postgres

test-sqlite: test-environment
	$(PY) -m pytest -n $(PYTEST_WORKERS) -m "not local_model"

test-postgres: test-environment
	$(PY) -m tests.on_postgres $(PY) -m pytest -n $(PYTEST_WORKERS) -m "not local_model" --database-only

check: test-environment
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy .
	$(PY) -m pytest -q tests/architecture tests/config

bench: test-environment
	$(PY) -m benchmarks

# `make mutants MUTANTS="scoring.logic.calls*"` tries those of some modules only.
MUTANTS ?=
mutants: test-environment
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-mutants.txt
	$(PY) -m mutmut run $(MUTANTS)
	$(PY) -m mutmut results

format: test-environment
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

pins:
	@"$(PYTHON)" scripts/pins.py

clean:
	rm -rf .venv .cache mutants .mypy_cache .ruff_cache .pytest_cache .import_linter_cache staticfiles
