# `make play` and `make test` are all a fresh machine needs; `make help` lists the rest.

# The environment, and the Python that it is made from: the first one that is new enough, or yours (`make PYTHON=python3.13 setup`).
VENV ?= .venv
PYTHON ?= $(firstword $(foreach p,python3 python3.13 python3.12 python3.11,$(if \
    $(shell $(p) -c 'import sys; print("" if sys.version_info < (3, 11) else "yes")' 2>/dev/null),$(p))))
# More words for the command, such as `make play ARGS=cribbage` or `make test ARGS="-k bo"`.
ARGS ?=

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input
PYTEST := $(BIN)/python -m pytest

.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help setup play test test-long test-learn mutants check format bench docs dist lock clean

help: ## say what there is
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1|\2/p' Makefile | column -t -s '|' 2>/dev/null || grep '## ' Makefile

setup: $(VENV)/.dev-stamp ## make .venv with everything needed to work on Kibitz

play: $(VENV)/.run-stamp ## play in the browser, or in the terminal with ARGS=go (installs only what playing needs)
	@$(BIN)/kibitz $(if $(ARGS),play $(ARGS),serve --open)

# Test processes: more than the two cores of a small machine, since for half of their time tests wait for others.
test: WORKERS ?= 4
test-long mutants: WORKERS ?= 3
# A test that ends its process is given to another one, and ends that as well: then the run stops.
PARALLEL = -n $(WORKERS) --dist loadgroup --max-worker-restart 1

test: $(VENV)/.dev-stamp ## run the fast tests and the documentation's examples, in about eight minutes
	$(PYTEST) $(PARALLEL) $(ARGS)

test-long: $(VENV)/.dev-stamp ## run all other tests (ARGS="--shard 2/8": an eighth; ARGS=--go-on: after a stop)
	$(PYTEST) $(PARALLEL) -m long -v $(ARGS)

test-learn: $(VENV)/.learn-stamp ## run a short training of a player to its end (installs PyTorch)
	$(PYTEST) -m learn -v tests/learned $(ARGS)

mutants: $(VENV)/.dev-stamp ## change the code in small ways and count what the tests notice (ARGS="arena --sample 30")
	$(BIN)/python -m tools.mutants --workers $(WORKERS) $(ARGS)

check: $(VENV)/.dev-stamp ## lint, formatting, types, layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/python -m mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev-stamp ## put the sources into the one format
	$(BIN)/ruff check --fix-only --exit-zero --quiet
	$(BIN)/ruff format

bench: $(VENV)/.dev-stamp ## measure speed (ARGS="games cribbage"), or run a study (ARGS="strength go 290")
	$(BIN)/python -m benchmarks $(ARGS)

docs: $(VENV)/.dev-stamp ## build the documentation's site, which the server shows at /docs
	$(BIN)/python -m website $(ARGS)

dist: docs ## build the wheel into dist, documentation included, and try it in an empty environment
	rm -rf dist build
	$(PIP) wheel --quiet --no-deps --no-build-isolation -w dist .
	$(BIN)/python -m tests.try_wheel dist/kibitz-*.whl

lock: ## pin the dependencies again (UPGRADE=1: the newest versions)
	@PYTHON="$(PYTHON)" UPGRADE="$(UPGRADE)" requirements/lock

clean: ## remove .venv, caches and builds
	rm -rf .venv .venv-3.* dist build src/kibitz/web/site .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache
	find src tests benchmarks tools examples docs -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
	find src tests benchmarks tools examples docs -type d -empty -delete

# The environment: pyvenv.cfg marks a virtual environment, each stamp a finished installation.

$(VENV)/pyvenv.cfg:
	@p='$(PYTHON)'; "$${p:-python3}" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	    echo "Kibitz needs Python 3.11 or newer, and $${p:-python3} is older or missing: install one, or name it with make PYTHON=/path/to/python3." >&2; \
	    exit 1; }
	@rm -rf $(VENV)
	@"$(PYTHON)" -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/.run-stamp: $(VENV)/pyvenv.cfg requirements/run.txt pyproject.toml
	@echo "Installing what Kibitz runs on (once) ..."
	@$(PIP) install --quiet --require-hashes -r requirements/run.txt
	@$(PIP) install --quiet --no-build-isolation --no-deps --editable .
	@touch $@

$(VENV)/.dev-stamp: $(VENV)/.run-stamp requirements/dev.txt
	@echo "Installing what its tests and checks need (once) ..."
	@$(PIP) install --quiet --require-hashes -r requirements/dev.txt
	@touch $@

$(VENV)/.learn-stamp: $(VENV)/.dev-stamp
	@echo "Installing what training needs (once) ..."
	@$(PIP) install --quiet --no-build-isolation --editable '.[learn]'
	@touch $@
