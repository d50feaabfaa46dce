import pytest

from flank.elasticity.finite_elements import kept_numbers as kept


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """A cache of its own, and what a new process does with it."""
    monkeypatch.setenv("FLANK_CACHE_DIR", str(tmp_path))

    def new_process():
        kept._path.cache_clear()
        kept._known.cache_clear()

    new_process()
    yield new_process
    monkeypatch.undo()
    new_process()


def asked(question, answer):
    """The numbers that are found, and whether they were computed."""
    computed = []

    def compute():
        computed.append(question)
        return answer

    return kept.kept_numbers("test", question, compute), bool(computed)


def test_another_process_finds_every_digit(fresh):
    answer = (1 / 3, 5e-324, -1.7e308)
    assert asked("a", answer) == (answer, True)
    assert asked("a", None) == (answer, False)
    fresh()
    assert asked("a", None) == (answer, False)
    assert asked("b", (2.0,)) == ((2.0,), True)


def test_no_more_than_the_newest_are_kept(fresh, monkeypatch):
    monkeypatch.setattr(kept, "MOST", 3)
    for number in range(5):
        asked(number, (float(number),))
    fresh()
    assert [asked(number, (-1.0,))[1] for number in (4, 3, 2)] == [False] * 3
    assert asked(0, (-1.0,)) == ((-1.0,), True)


@pytest.mark.parametrize("content", [b"", b"[]", b'{"a": 1}', b"nonsense"])
def test_a_damaged_file_is_computed_anew(fresh, content):
    asked("a", (1.0,))
    kept._path("test").write_bytes(kept.DIGEST(content).digest() + content)
    fresh()
    assert asked("a", (2.0,)) == ((2.0,), True)


def test_without_a_cache_numbers_are_computed_and_the_reason_is_told(fresh, monkeypatch, capsys):
    kept.complain.cache_clear()
    monkeypatch.setenv("FLANK_CACHE_DIR", "/dev/null/none")
    fresh()
    assert asked("a", (1.0,)) == ((1.0,), True)
    assert "FLANK_CACHE_DIR" in capsys.readouterr().err
