# Every recipe prepares what it needs and is quick the second time.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMPS := .make
PORT ?= 8000
ONLY ?=
VAR_DIR ?= var
VISION ?= $(VAR_DIR)/vision/venv
MINUTES ?= 180
# Of the order of the tests: a new one each time; CI has one, so that it says the same of a commit.
SEED ?= default
# Beside what it stands for: without the collected files there is no stamp either.
COLLECTED := $(VAR_DIR)/static/.collected
export PORT
# Compiled modules are kept, whatever the shell says: tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run test docs test-postgres mutants fix lint types types-python types-typescript guards unit js e2e bench count shots faces schema demo clean

help: ## Show what can be done
	@grep -E '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

# -- Preparation -----------------------------------------------------------------------

# The pip of an older Python takes twice as long to choose. A third of the modules is ever loaded, and
# compiled then.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt

$(STAMPS)/python: requirements.txt constraints.txt
	@mkdir -p $(STAMPS)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing the Python packages …"
	@$(PIP) pip
	@$(PIP) -r requirements.txt
	@touch $@

# Tests, checks and what draws pictures, 400 MB: the app runs without them.
$(STAMPS)/dev: $(STAMPS)/python requirements-dev.txt requirements-render.txt requirements-docs.txt requirements-mcp.txt
	@echo "Installing what tests and checks …"
	@$(PIP) -r requirements-dev.txt
	@touch $@ $(STAMPS)/sphinx

$(STAMPS)/sphinx: $(STAMPS)/python requirements-docs.txt
	@echo "Installing what builds the documentation …"
	@$(PIP) -r requirements-docs.txt
	@touch $@

HELP := docs/site/help/index.html

$(HELP): $(STAMPS)/sphinx bricks/__init__.py $(shell find docs -type f -not -path 'docs/site/*') CONTRIBUTING.md CHANGELOG.md SECURITY.md
	@$(BIN)/sphinx-build --quiet --fail-on-warning -b dirhtml -d $(STAMPS)/docs docs $(@D)
	@touch $@

docs: $(HELP) ## Build the documentation, which the server shows under /help

$(STAMPS)/node: package.json package-lock.json
	@mkdir -p $(STAMPS)
	@echo "Installing the JavaScript packages …"
	@npm ci --no-audit --no-fund --loglevel=error
	@touch $@

BUNDLE_SOURCES := $(shell find frontend -type f -not -path '*/.cache/*' 2>/dev/null)

static/manifest.json: $(STAMPS)/node $(BUNDLE_SOURCES)
	@echo "Building the front end …"
	@npm run --silent build
	@touch $@

$(COLLECTED): $(STAMPS)/python static/manifest.json $(wildcard static/icons/*)
	@$(BIN)/python manage.py collectstatic --noinput --clear --verbosity 0
	@touch $@

# -- Running ---------------------------------------------------------------------------

# honcho gives each process a PORT of its own, so all of them are told where the page and the
# simulators are.
run: export PUBLIC_URL ?= http://localhost:$(PORT)
run: export SIMULATED_BUYERS ?= 3
run: export MARKETPLACE_URL ?= http://127.0.0.1:$(shell expr $(PORT) + 102)/api/store/v1
ifeq ($(AUCTIONS_LIVE),)
run: export AUCTIONS_URL ?= http://127.0.0.1:$(shell expr $(PORT) + 103)/api
endif

run: $(STAMPS)/python static/manifest.json $(COLLECTED) $(HELP) ## Install, build, migrate, load the starter catalogue and serve on http://localhost:8000
	@$(BIN)/python manage.py migrate --noinput --verbosity 0
	@$(BIN)/python manage.py load_starter_catalog
	@$(BIN)/python manage.py load_starter_pictures
	@$(BIN)/python manage.py load_demo
	@echo "Brickstow is at http://localhost:$(PORT) (Ctrl+C stops it)"
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/honcho start --no-prefix web worker simulators

# -- Checks ----------------------------------------------------------------------------

# What needs one core runs beside others, the longest first.
WORKERS := $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)
# Each process of tests loads the app and all tests, so that there are no more than cores.
CORES := $(shell nproc 2>/dev/null || echo 2)

BESIDE := chromium types-python js guards lint types-typescript docs
STEP := $(MAKE) --no-print-directory

test: export CPU_NOTES := $(STAMPS)/cpu
test: ## Install, lint, type-check and run all tests, browser tests included
	@mkdir -p $(STAMPS); rm -f $(CPU_NOTES)
	@$(STEP) -j$(WORKERS) cpu-install && \
	  $(STEP) -j$(WORKERS) --output-sync=target $(addprefix cpu-,$(BESIDE)) && \
	  $(STEP) cpu-unit && $(STEP) cpu-e2e; \
	  done=$$?; .ci/cpu; exit $$done

# Notes what the step after the dash costs.
cpu-%:
	@+.ci/cpu $* $(STEP) $*

.PHONY: install
install: $(STAMPS)/dev $(STAMPS)/node $(COLLECTED)

lint: $(STAMPS)/dev $(STAMPS)/node
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@npm run --silent lint

types: types-python types-typescript

# With a cache of other models the Django plugin reports errors that there are not.
MODELS = $(shell find apps -path '*/models*' -name '*.py' -o -path 'apps/core/*.py' | sort | xargs cat | cksum | cut -d' ' -f1)
types-python: $(STAMPS)/dev
	@cache=$(STAMPS)/mypy-$(MODELS); \
	for older in $(STAMPS)/mypy-*; do [ "$$older" = "$$cache" ] || rm -rf "$$older"; done; \
	$(BIN)/mypy --cache-dir "$$cache" apps bricks simulators benchmarks vision/ldraw

types-typescript: $(STAMPS)/node
	@npm run --silent types

count: ## Print the size of each app and feature: lines, functions, Any, modules, repeated blocks
	@$(PYTHON) -m tests.guards.count

guards: $(STAMPS)/dev $(STAMPS)/node static/manifest.json
	@$(BIN)/python -m tests.guards.count --check
	@$(BIN)/lint-imports > $(STAMPS)/imports.log || { cat $(STAMPS)/imports.log; exit 1; }
	@npm run --silent depcruise
	@npm run --silent size
	@mkdir -p $(STAMPS)/schema
	@$(BIN)/python manage.py guard $(STAMPS)/schema/openapi.json
	@$(call TYPES_OF_API,$(STAMPS)/schema/schema.ts)
	@cmp --silent $(STAMPS)/schema/schema.ts frontend/src/shared/api/schema.ts || \
	  { echo "frontend/src/shared/api/schema.ts does not match the API: run 'make schema'"; exit 1; }

# With more room for new objects Node waits a quarter less for its collections. What package.json
# says of V8 has it compile less: a tenth of the time, since most code runs a few times in a test.
js: $(STAMPS)/node
	@NODE_OPTIONS=--max-semi-space-size=64 npm test --silent -- $(if $(filter-out default,$(SEED)),--seed=$(SEED))

# A fixed order of hashes: requests that are drawn by a seed are the same in each run.
unit: $(STAMPS)/dev
	@PYTHONHASHSEED=0 $(BIN)/pytest -n $(CORES) --randomly-seed=$(SEED) -m "not browser" --durations=10

# The kills of processes bring their own SQLite, and rules know no database.
ON_POSTGRES := PYTHONHASHSEED=0 .ci/on-servers $(BIN)/pytest -n $(CORES) --randomly-seed=$(SEED) --durations=10

.PHONY: postgres production
postgres: $(STAMPS)/dev
	@$(ON_POSTGRES) -m "postgres and database and not browser and not production and not faults"

test-postgres: $(STAMPS)/dev ## Run all tests of the database on PostgreSQL, before a release
	@$(ON_POSTGRES) -m "database and not browser and not production and not faults"

production: $(STAMPS)/dev
	@.ci/on-servers $(BIN)/pytest tests/production -m production -p no:randomly

# Installed beside the packages; where that is not possible, e2e says so.
.PHONY: chromium
chromium:
	-@$(PYTHON) -m tests.e2e.chromium

e2e: $(STAMPS)/dev $(COLLECTED)
	@$(BIN)/python -m tests.e2e.chromium
	@$(BIN)/pytest tests/e2e -m browser -p no:randomly -n $(CORES) --dist loadfile --durations=10

TYPES_OF_API = node_modules/.bin/openapi-typescript $(STAMPS)/schema/openapi.json --default-non-nullable=false --output $(1) >/dev/null

schema: $(STAMPS)/python $(STAMPS)/node ## Write the TypeScript types of the API and docs/build/errors.md anew
	@$(BIN)/python manage.py error_codes > docs/build/errors.md
	@mkdir -p $(STAMPS)/schema
	@$(BIN)/python manage.py spectacular --format openapi-json --file $(STAMPS)/schema/openapi.json
	@$(call TYPES_OF_API,frontend/src/shared/api/schema.ts)

fix: $(STAMPS)/dev $(STAMPS)/node ## Fix what the linters can fix
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format --quiet .
	@npm run --silent fix

# What trains the recogniser has packages of its own, 1 GB: see vision/README.md.
.PHONY: vision
vision: ## Train the recogniser anew (LIBRARY=LDraw, CATALOG=tables, MINUTES=180, CAPTURES=zips, BEGIN=model)
	@test -x $(VISION)/bin/python || $(PYTHON) -m venv $(VISION)
	@$(VISION)/bin/pip install --quiet --disable-pip-version-check -r vision/requirements.txt
	@OMP_NUM_THREADS=1 $(VISION)/bin/python -m vision.train --library "$(LIBRARY)" --catalog "$(CATALOG)" --work $(VAR_DIR)/vision --minutes $(MINUTES) $(if $(CAPTURES),--captures $(CAPTURES)) $(if $(BEGIN),--begin-with "$(BEGIN)")
	@$(VISION)/bin/python -m vision.export --work $(VAR_DIR)/vision
	@OMP_NUM_THREADS=1 $(VISION)/bin/python -m vision.presence --work $(VAR_DIR)/vision

mutants: $(STAMPS)/dev $(STAMPS)/node ## Plant the faults of tests/mutants: a test must find each (ONLY=name for some)
	@ONLY="$(ONLY)" $(BIN)/python -m tests.mutants

bench: $(STAMPS)/dev static/manifest.json ## Run the benchmarks (ONLY=name for one; PHOTOS=folder for the recogniser)
	@PHOTOS="$(PHOTOS)" $(BIN)/python -m benchmarks $(ONLY)

shots: $(STAMPS)/dev static/manifest.json ## Draw every page and dialog into var/shots (ONLY=name for some)
	@$(BIN)/python -m benchmarks._shots $(ONLY)

faces: $(STAMPS)/dev ## Draw a sheet of 100 parts on both themes' grounds into var/shots
	@$(BIN)/python -m benchmarks._faces

clean: ## Remove what was built (your data in var/ stays)
	@rm -rf $(VENV) node_modules $(STAMPS) frontend/.cache
	@rm -rf docs/site
	@find static -mindepth 1 -maxdepth 1 -not -name icons -exec rm -rf {} +
