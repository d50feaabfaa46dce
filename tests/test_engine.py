"""The engine as it is offered: examples of its page and docstring run, and every name is there."""

import doctest
from pathlib import Path

import pytest

from flank import engine

ROOT = Path(__file__).parents[1]


def check(examples, globs):
    """Run a text with examples; what they print is compared word by word."""
    test = doctest.DocTestParser().get_doctest(examples, globs, "examples", None, 0)
    assert test.examples
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    report = []
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)


@pytest.mark.parametrize(
    "chapter", (ROOT / "docs" / "engine.md").read_text(encoding="utf-8").split("\n## ")[1:]
)
def test_examples_of_the_page(chapter):
    """Each chapter by itself, with the imports of the first."""
    globs = {"np": __import__("numpy")} | {name: getattr(engine, name) for name in engine.__all__}
    check(chapter, globs)


def test_the_example_of_the_module():
    check(engine.__doc__, {})


def test_every_name_is_there_once_and_tells_what_it_is():
    assert len(set(engine.__all__)) == len(engine.__all__)
    for name in engine.__all__:
        offered = getattr(engine, name)
        if callable(offered):
            assert offered.__doc__, name
