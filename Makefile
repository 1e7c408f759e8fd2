# `make serve` to read, `make test` to check. Needs Python 3.11 or newer; all else goes into .venv.

# Another Python: make serve PYTHON=python3.12. Another port: make serve PORT=8001.
PYTHON ?= python3
PORT = 8000

RUN = .venv/bin/python -m
# The redirection makes old versions of make ask a shell, without which `command` is not found.
UV := $(shell command -v uv 2>/dev/null)
INSTALL = $(if $(UV),uv pip install --python .venv/bin/python,$(RUN) pip install --disable-pip-version-check) \
	--quiet --require-hashes --only-binary :all:
# The time of the last commit, so that builds of one commit are alike on every day; without version control, today.
EPOCH := $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null))
LOCK = uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" $(UPGRADE)

# Silences mkdocs-material's notice about MkDocs 2, which requirements.in rules out.
export NO_MKDOCS_2_WARNING = 1

.PHONY: help serve site zip test lint types pytest chromium format accept reproduce bench lock clean gone
# Checks run in the order in which they are written, and their output does not mix.
.NOTPARALLEL:

help: ## List these commands
	@sed -n 's/^\([a-z]*\):.*## /make \1 - /p' Makefile

serve: .venv/ready ## Build the site, serve it, reload it on every change, and print the address
	@.venv/bin/python -c 'import socket; socket.create_server(("localhost", $(PORT)))' 2>/dev/null || \
		{ echo "Port $(PORT) of localhost is in use; expected a free one: make serve PORT=8001" >&2; exit 1; }
	$(RUN) mkdocs serve --dev-addr localhost:$(PORT)

site: .venv/ready ## Build the site into site/, strictly
	$(if $(EPOCH),SOURCE_DATE_EPOCH=$(EPOCH)) $(RUN) mkdocs build --strict

zip: site ## Pack the built site into site.zip; unpacked, site/index.html opens by a double-click
	$(RUN) zipfile -c site.zip site

# --keep-going: one run shows what lint, types and tests each have to say, and fails if any of them does.
test: .venv/ready-to-test chromium ## Run every check
	@$(MAKE) --no-print-directory --keep-going lint types pytest

lint: .venv/ready-to-test ## Check style and format
	$(RUN) ruff check
	$(RUN) ruff format --check

types: .venv/ready-to-test ## Check types
	$(RUN) mypy

pytest: .venv/ready-to-test ## Run the tests: unit, property, ledgers, parity, browser
	$(RUN) pytest

chromium: .venv/ready-to-test ## Find a Chrome or Chromium for the browser tests, or install one
	@$(RUN) tests.browser.chromium

format: .venv/ready-to-test ## Mend style and format
	$(RUN) ruff check --fix
	$(RUN) ruff format

accept: .venv/ready ## Accept the numbers as they are now: rewrite the ledgers
	$(RUN) macros accept

reproduce: .venv/ready-to-test ## Build the last commit twice, elsewhere and on another day, and compare every byte
	$(RUN) tests.reproduce

bench: .venv/ready-to-test ## Measure the engine, the build and the weight of a page
	$(RUN) tests.bench

lock: ## Compile the locks with uv; UPGRADE=--upgrade takes the newest releases
	@command -v uv >/dev/null || { echo "No uv found; expected it on PATH to compile the locks: pip install uv" >&2; exit 1; }
	$(LOCK) requirements.in --output-file requirements.txt
	$(LOCK) requirements-test.in --output-file requirements-test.txt
	$(LOCK) --constraints requirements.txt .github/zensical.in --output-file .github/zensical.txt

clean: ## Remove everything that these commands made
	rm -rf .venv site site.zip .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Made anew whenever the lock changed, so that it holds what the lock names and nothing else; and when
# the Python that it was made with is gone, after an upgrade say.
.venv/ready: requirements.txt $(if $(realpath .venv/bin/python),,gone)
	@command -v "$(PYTHON)" >/dev/null || { echo 'No Python found as "$(PYTHON)"; expected 3.11 or newer:' \
		'install one and name it: make PYTHON=python3.12 ...' >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; found = "%d.%d.%d" % sys.version_info[:3]; sys.version_info >= (3, 11) or sys.exit( \
		"Found Python " + found + " as \"$(PYTHON)\"; expected 3.11 or newer: install one and name it: make PYTHON=python3.12 ...")'
	@echo "Making .venv from requirements.txt"
	@rm -rf .venv
	@"$(PYTHON)" -m venv $(if $(UV),--without-pip) .venv
	@$(INSTALL) -r requirements.txt
	@touch $@

.venv/ready-to-test: requirements-test.txt .venv/ready
	@echo "Adding requirements-test.txt to .venv"
	@$(INSTALL) -r requirements-test.txt
	@touch $@
