# make run     the main job: hysteresis loop of an RV reducer, with its report in out/
# make test    style, types and all tests
# make browser reports in Chromium: they move, are read off right, and ask nobody anything
# make elsewhere   presets and validation again, with the code that another processor would choose
# Each sets up .venv by itself; all that is needed is python3 (3.11 to 3.13, with venv) and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# who is done takes over tests of who is not; neighbours stay together as far as that goes
SPREAD := -q -n auto --dist worksteal
# the versions that the tests are known to pass with, also of what builds Flank
INSTALL = $(BIN)/python -m pip install --quiet --constraint constraints.txt --build-constraint constraints.txt --editable

# a browser of the system, installed where that is allowed; not every shell asks for several at once
CHROMIUM = for each in chromium chromium-browser google-chrome; do command -v $$each > /dev/null && exit; done; $(call INSTALLED,chromium)
INSTALLED = { [ "$$(id -u)" = 0 ] && apt-get update -q && apt-get install -y $(1); } || { echo "$(1) is needed, and root to install it"; exit 1; }

.PHONY: run test browser native wheel elsewhere nightly docs docs-check pictures offers checks papers reference computed validation peers reductions benchmark against profile constraints clean

run: $(VENV)/installed
	$(BIN)/flank run rv-320 --analysis hysteresis --out out

# the library of compiled kernels, src/flank/native/built, unless it is of these sources already
native: $(VENV)/installed
	$(BIN)/python -m flank.native.build

# dist/flank-*-py3-none-*.whl with that library inside, for every Python and processor of its kind
wheel: native
	$(BIN)/python -m pip wheel --quiet --no-deps --build-constraint constraints.txt --wheel-dir dist .

test: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest $(SPREAD)

# reports and the drawing module in Chromium of the system
browser: $(VENV)/installed-browser
	$(CHROMIUM)
	FLANK_BROWSER=1 $(BIN)/python -m pytest -q -m browser tests/browser

elsewhere: $(VENV)/installed-test
	$(BIN)/python tests/elsewhere.py old $(SPREAD) tests/test_validation.py tests/test_presets.py \
		tests/cli/test_check_presets.py tests/analyses/test_default_runs.py tests/analyses/test_last_digits.py

# the slow reproductions as well, property tests with new examples, and all on two other processors
nightly: $(VENV)/installed-cuda
	FLANK_HYPOTHESIS=searching $(BIN)/python -m pytest $(SPREAD) -m "nightly or not nightly"
	$(BIN)/python tests/elsewhere.py old $(SPREAD)
	$(BIN)/python tests/elsewhere.py new $(SPREAD)

# pages that say what the code computes now, two kinds at a time, the longest first
computed: $(VENV)/installed-docs native
	$(MAKE) --jobs=2 computed-tutorials computed-presets computed-notebooks

computed-%:
	$(BIN)/python pages/$*.py

# the site, strict: a link or an anchor that leads nowhere ends it
docs: computed
	$(BIN)/zensical build --clean --strict

# every formula read by KaTeX and every page looked at in a browser; needs node and Chromium
docs-check: docs
	$(CHROMIUM)
	command -v node > /dev/null || $(call INSTALLED,nodejs)
	$(BIN)/python pages/formulas.py
	$(BIN)/python pages/browser.py

# the pictures of README and docs, with the words below them
pictures: $(VENV)/installed
	$(BIN)/python pages/pictures.py

# the table of README and docs that says what can be asked of which machine
offers: $(VENV)/installed
	$(BIN)/python pages/offers.py

# the page that says what of each paper stands where
papers: $(VENV)/installed
	$(BIN)/python pages/papers.py

# the rules of `flank check`, processes and strengths, from the code
checks: $(VENV)/installed
	$(BIN)/python pages/checks.py

# the references of commands, specs and Python, from the code
reference: $(VENV)/installed
	$(BIN)/python pages/reference.py

# the validation pages, written anew from computed figures
validation: $(VENV)/installed
	$(BIN)/python validation/cycloidal_drive.py
	$(BIN)/python validation/rv_reducer.py
	$(BIN)/python validation/planetary_gearbox.py
	$(BIN)/python validation/involute_gears.py
	$(BIN)/python validation/cv_joint.py
	$(BIN)/python validation/gear_finite_elements.py
	$(BIN)/python validation/bevel_elements.py
	$(BIN)/python validation/gear_strength.py
	$(BIN)/python validation/gear_dynamics.py
	$(BIN)/python validation/bevel_gears.py
	$(BIN)/python validation/gears_in_space.py
	$(BIN)/python validation/jump_frequencies.py

# docs/validation/other_programs.md; installs others' programs into places of their own
peers: $(VENV)/installed
	$(BIN)/python validation/other_programs.py

# the tables of docs/theory/model_reduction.md, printed; some minutes
reductions: $(VENV)/installed
	$(BIN)/python validation/model_reduction.py
	$(BIN)/python validation/rolling_witness.py

# docs/benchmarks.md and the README's ratios; installs EXUDYN into a place of its own if it can be had
# the first table is this checkout against the commit before, or another: make benchmark COMMIT=v1
benchmark: $(VENV)/installed
	$(BIN)/python benchmarks/run.py $(COMMIT)

# this checkout against a commit, in turns: what a change costs, and which figures it moves
against: $(VENV)/installed
	$(BIN)/python benchmarks/against.py $(or $(COMMIT),HEAD^)

# where the time of a Newton step goes: make profile PRESET=rv-320
PRESET ?= rv-320
profile: $(VENV)/installed
	$(BIN)/python benchmarks/pieces.py $(PRESET)

# exact versions of all that is installed here, renewed: on the oldest Python, for which the newest
# versions of some packages are no longer made
constraints:
	rm -rf build/constraints
	$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if v == (3, 11) else f"constraints are taken on Python 3.11, this is {v[0]}.{v[1]}; name it with: make constraints PYTHON=python3.11")'
	$(PYTHON) -m venv build/constraints
	build/constraints/bin/python -m pip install --quiet --upgrade pip setuptools
	build/constraints/bin/python -m pip install --quiet '.[test,browser,docs,pardiso,cuda]'
	sed -n '/^#/p' constraints.txt > build/constraints.txt
	build/constraints/bin/python -m pip freeze --all --exclude flank >> build/constraints.txt
	mv build/constraints.txt constraints.txt

clean:
	rm -rf $(VENV) build site out src/*.egg-info docs/presets docs/moving docs/tutorials docs/notebooks/*.md docs/notebooks/*.png

$(VENV)/pip: constraints.txt
	$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v <= (3, 13) else f"Flank needs Python 3.11 to 3.13, this is {v[0]}.{v[1]}; name another with: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt pip
	touch $@

$(VENV)/installed: $(VENV)/pip pyproject.toml
	$(INSTALL) .
	touch $@

# what compiles kernels for a GPU, 400 MB; no GPU is needed for that
$(VENV)/installed-cuda: $(VENV)/installed-test
	$(INSTALL) '.[cuda]'
	touch $@

$(VENV)/installed-test: $(VENV)/installed
	$(INSTALL) '.[test]'
	touch $@

$(VENV)/installed-browser: $(VENV)/installed-test
	$(INSTALL) '.[browser]'
	touch $@

$(VENV)/installed-docs: $(VENV)/installed
	$(INSTALL) '.[docs]'
	touch $@
