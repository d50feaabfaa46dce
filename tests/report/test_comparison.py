from types import SimpleNamespace

from flank.report.comparison import _warnings


def side(**warnings):
    results = {name: SimpleNamespace(warnings=texts) for name, texts in warnings.items()}
    return SimpleNamespace(name="A", results=results)


def test_a_warning_stands_once_with_the_analyses_that_it_is_of():
    found = list(
        _warnings(side(loop=["undercut", "stuck"], turn=["undercut"], modes=["undercut", "soft"]))
    )
    assert found == ["A: undercut", "A, loop: stuck", "A, modes: soft"]


def test_of_several_analyses_but_not_of_all_it_names_them():
    assert list(_warnings(side(loop=["soft"], turn=["soft"], modes=[]))) == [
        "A, loop and turn: soft"
    ]
