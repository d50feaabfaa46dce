"""Progress is for eyes: a bar on a terminal, nothing in a pipe."""

import io
import sys

import pytest

from flank.cli import terminal as progress
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
