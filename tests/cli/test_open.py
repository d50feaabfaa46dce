"""--open shows the report in a browser with a window, and says so where there is none."""

import webbrowser

import pytest
from typer.testing import CliRunner

from flank.cli.app import app
from flank.io.tables import Table
from flank.reproduce.registry import Reproduction
from flank.reproduce.study import Study

TABLE = Table("Figures", ["case"], [True], [["one"]])
RUN = ["run", "monocrank", "--analysis", "load-distribution", "--out", "a b"]


class Window(webbrowser.BaseBrowser):
    def __init__(self, opens=True):
        super().__init__("window")
        self.opens, self.shown = opens, []

    def open(self, url, new=0, autoraise=True):
        self.shown.append(url)
        return self.opens


@pytest.fixture
def browser(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    def use(one):
        monkeypatch.setattr(webbrowser, "get", lambda using=None: one)
        return one

    return use


def test_a_run_shows_its_report(browser, tmp_path):
    window = browser(Window())
    result = CliRunner().invoke(app, [*RUN, "--open"])
    assert result.exit_code == 0
    assert window.shown == [(tmp_path / "a b" / "report.html").as_uri()]
    assert result.stderr == ""


def test_nothing_is_shown_unasked(browser):
    window = browser(Window())
    assert CliRunner().invoke(app, RUN).exit_code == 0
    assert window.shown == []


def test_a_study_shows_its_page(browser, tmp_path, monkeypatch):
    study = Study("A study", "What was done.", {"figures": TABLE}, {}, [], {})
    monkeypatch.setattr(Reproduction, "run", property(lambda self: lambda *given: study))
    window = browser(Window())
    result = CliRunner().invoke(app, ["reproduce", "reducers", "--out", "o", "--open"])
    assert result.exit_code == 0
    assert window.shown == [(tmp_path / "o" / "report.html").as_uri()]


@pytest.mark.parametrize(
    "one", [Window(opens=False), webbrowser.GenericBrowser("lynx"), webbrowser.Elinks("links")]
)
def test_where_it_cannot_be_shown_the_run_says_so(browser, one, monkeypatch):
    started = []
    monkeypatch.setattr("subprocess.Popen", lambda *given, **more: started.append(given))
    browser(one)
    result = CliRunner().invoke(app, [*RUN, "--open"])
    assert result.exit_code == 0
    assert "No browser could be opened here; open a b/report.html yourself" in result.stderr
    assert started == []


def test_no_browser_at_all(browser, monkeypatch):
    browser(None)

    def none(using=None):
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(webbrowser, "get", none)
    result = CliRunner().invoke(app, [*RUN, "--open"])
    assert result.exit_code == 0
    assert "No browser could be opened here" in result.stderr
