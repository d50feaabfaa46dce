"""Progress is for eyes: a bar on a terminal, nothing in a pipe."""

import io
import sys

import numpy as np
import pytest

from flank.cli import terminal as progress
from flank.elasticity.finite_elements import store
from flank.native.cache import listeners


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_nothing_in_a_pipe(monkeypatch, capsys):
    monkeypatch.setattr(progress, "_compiled", lambda: iter([True]))
    with progress.shown_progress("transmission-error") as tell:
        assert tell is None
    assert capsys.readouterr().err == ""


def test_a_bar_on_a_terminal(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "_compiled", lambda: iter([True]))
    with progress.shown_progress("transmission-error") as tell:
        assert tell is not None
        for share in (0.25, 1.0):
            tell(share)
    assert "transmission error" in terminal.getvalue()


@pytest.mark.parametrize("compiled", [[], [True]])
def test_the_first_run_says_why_it_takes_long(monkeypatch, capsys, compiled):
    monkeypatch.setattr(progress, "_compiled", lambda: iter(compiled))
    with progress.shown_progress("hysteresis"):
        pass
    assert (progress.FIRST_RUN in capsys.readouterr().err) is (not compiled)


def test_functions_being_compiled_are_counted(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "_compiled", lambda: iter([True]))
    with progress.shown_progress("transmission-error"):
        for listener in listeners:
            listener()
    assert "compiling kernels, 1 by now" in terminal.getvalue()
    assert listeners == []


def test_finite_elements_have_a_bar_while_they_are_computed(monkeypatch, tmp_path):
    terminal = Terminal()
    monkeypatch.setenv("FLANK_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "_compiled", lambda: iter([True]))
    said = []

    def compute():
        return {"a": np.array([float(k) for k in store.told(range(3))])}

    with progress.shown_progress("rolling-sweep"):
        store.listeners.append(lambda *told: said.append(told))
        store.stored("modes", "test", compute)
        store.stored("modes", "test", compute)  # kept, so nothing is told again
        store.listeners.pop()
    assert said == [("modes", share) for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    assert "modes of a gear" in terminal.getvalue()
    assert store.listeners == []
