# The two commands of the README are `run` and `test`; the rest is for those who work on Qaf.
PORT ?= 8000
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do \
	$$p -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
COMPILE := $(BIN)/pip-compile --quiet --strip-extras --no-emit-index-url --no-emit-find-links --no-header

.PHONY: run test test-long lint requirements
.DELETE_ON_ERROR:

run: .venv/runs  ## The site at http://127.0.0.1:$(PORT)
	@export DJANGO_RUNSERVER_HIDE_WARNING=true PUBLIC_BASE_URL="$${PUBLIC_BASE_URL:-http://127.0.0.1:$(PORT)}"; \
		exec $(BIN)/python manage.py serve $(PORT)

test: .venv/tests lint  ## Everything but the long tests; the last lines list what was skipped and why
	$(BIN)/python -m pytest -n 2 --dist worksteal -q -rs -m "not long"

test-long: .venv/tests  ## The long tests, with the time each file took
	$(BIN)/python -m pytest -q -rs -m long --time-by-file

lint: .venv/tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy .
	$(BIN)/python manage.py makemigrations --check --dry-run

requirements: .venv/tests  ## Pin what requirements*.in ask for (UPGRADE=1: the newest that fits)
	$(COMPILE) $(if $(UPGRADE),--upgrade) requirements.in -o requirements.txt
	$(COMPILE) $(if $(UPGRADE),--upgrade) requirements-dev.in -o requirements-dev.txt

# A virtual environment is complete once its stamp is newer than the pins.
INSTALL = @echo "Installing what $(1) names into .venv …"; \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r $(1)

.venv/runs: requirements.txt | .venv/bin/pip
	$(call INSTALL,requirements.txt)
	@touch $@

.venv/tests: requirements-dev.txt | .venv/bin/pip
	$(call INSTALL,requirements-dev.txt)
	@touch .venv/runs $@

.venv/bin/pip:
	@test -n "$(PYTHON)" || { echo "Qaf needs Python 3.11 or newer with venv (on Debian: python3-venv)."; exit 1; }
	@$(PYTHON) -m venv --clear .venv
