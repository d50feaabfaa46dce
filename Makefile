# make run     the main job: hysteresis loop of an RV reducer, with its report in out/
# make test    style, types and all tests
# make elsewhere   presets and validation again, with the code that another processor would choose
# Each sets up .venv by itself; all that is needed is python3 (3.11 to 3.13, with venv) and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SPREAD := -q -n auto --dist loadfile

.PHONY: run test elsewhere nightly docs validation benchmark clean

run: $(VENV)/installed
	$(BIN)/flank run rv-320 --analysis hysteresis --out out

test: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest $(SPREAD)

elsewhere: $(VENV)/installed-test
	$(BIN)/python tests/elsewhere.py old $(SPREAD) tests/test_validation.py tests/test_presets.py

# the slow reproductions as well, property tests with new examples, and all on two other processors
nightly: $(VENV)/installed-test
	FLANK_HYPOTHESIS=searching $(BIN)/python -m pytest $(SPREAD) -m "nightly or not nightly"
	$(BIN)/python tests/elsewhere.py old $(SPREAD)
	$(BIN)/python tests/elsewhere.py new $(SPREAD)

docs: $(VENV)/installed-docs
	$(BIN)/mkdocs build --strict

# the validation pages, written anew from computed figures
validation: $(VENV)/installed
	$(BIN)/python validation/cycloidal_drive.py
	$(BIN)/python validation/rv_reducer.py
	$(BIN)/python validation/planetary_gearbox.py
	$(BIN)/python validation/involute_gears.py
	$(BIN)/python validation/cv_joint.py

# figures of the README's table; installs EXUDYN into a place of its own if it can be had
benchmark: $(VENV)/installed
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf $(VENV) build site out *.egg-info

$(VENV)/pip:
	$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v <= (3, 13) else f"Flank needs Python 3.11 to 3.13, this is {v[0]}.{v[1]}; name another with: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/installed: $(VENV)/pip pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/installed-test: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@

$(VENV)/installed-docs: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	touch $@
