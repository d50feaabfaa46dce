"""Kernels in a library give what Numba gives, and a library that does not fit is never called."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from native_pieces import ROW, count, fill, outer, twice, weigh

from flank.kernel import Kernel
from flank.native import build, library, sources
from flank.native.arguments import described
from flank.native.entries import make_function


def calls():
    given = outer()
    row = np.zeros((), ROW)[()]
    return build.recorded_calls(
        [
            lambda: weigh(given, given.rows[1], 0.5, np.zeros(1)),
            lambda: weigh(given, row, 0.5, np.zeros(1)),
            lambda: fill(np.zeros(3), 1.5),
            lambda: count(np.zeros((2, 2))),
        ]
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("library")
    build.build(made, calls())
    return made


def called(folder, kernel, *arguments):
    types, numbers = described(arguments)
    return library.opened(folder)[f"{kernel.name}|{types}"](numbers)


@pytest.mark.parametrize("doubled", [True, False])
def test_a_library_gives_what_numba_gives(folder, doubled):
    given, out, same = outer(doubled), np.zeros(1), np.zeros(1)
    found = called(folder, weigh, given, given.rows[1], 1.5, out)
    assert found == weigh.dispatcher(given, given.rows[1], 1.5, same)
    assert [type(value) for value in found] == [float, int, bool]
    assert out == same == 0.375


def test_a_kernel_returns_nothing_or_a_number(folder):
    out = np.zeros(3)
    assert called(folder, fill, out, 2.5) is None
    assert out.tolist() == [2.5] * 3
    assert called(folder, count, np.zeros((7, 2))) == 7


def test_types_decide_which_function_serves():
    given = outer()
    word, _ = described((given, given.rows[1], 1.5, np.zeros(1)))
    others = [
        (given._replace(missing=1.0), given.rows[1], 1.5, np.zeros(1)),
        (given._replace(grid=np.zeros((2, 3), np.int64)), given.rows[1], 1.5, np.zeros(1)),
        (given, given.rows[1], 1, np.zeros(1)),
        (given, given.rows[1], 1.5, np.zeros((1, 1))),
        (given, given.rows[1], 1.5, np.zeros(4)[::2]),
        (given, np.zeros(1, [("body", float)])[0], 1.5, np.zeros(1)),
    ]
    assert len({word, *(described(other)[0] for other in others)}) == 1 + len(others)


def test_numbers_of_a_tuple_follow_the_tuple():
    """They are remembered by the tuple, which cannot change, not by its place in memory."""
    for k in range(100):
        given = outer()._replace(offset=k)
        for _ in range(2):
            assert described((given,))[1][0][-1] == k


def test_functions_call_mathematics_only():
    given = outer()
    arguments = (given, given.rows[1], 0.5, np.zeros(1))
    made = make_function(weigh, described(arguments)[0], arguments)
    assert "NRT_" not in str(made.module)
    defined = [f for f in made.module.functions if not f.is_declaration]
    assert [f.name for f in defined if f.linkage == build.llvm.Linkage.external] == [made.symbol]


@pytest.mark.parametrize(
    ("triple", "begins"),
    [
        ("x86_64-pc-windows-msvc", b"\x64\x86"),
        ("x86_64-apple-darwin", b"\xcf\xfa\xed\xfe"),
        ("arm64-apple-darwin", b"\xcf\xfa\xed\xfe"),
        ("aarch64-unknown-linux-gnu", b"\x7fELF"),
    ],
)
def test_objects_for_other_platforms_come_from_the_same_code(triple, begins):
    """They are made, and not run."""
    made = make_function(count, described((np.zeros((2, 2)),))[0], (np.zeros((2, 2)),))
    assert build.object_code(made, build.target_machine(triple)).startswith(begins)


def changed(folder, tmp_path, **changes):
    index = json.loads((folder / library.INDEX).read_text()) | changes
    (tmp_path / library.INDEX).write_text(json.dumps(index))
    (tmp_path / index["file"]).write_bytes((folder / index["file"]).read_bytes())
    return tmp_path


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"interface": 0}, "built for the interface 0"),
        ({"platform": "win32-amd64"}, "built for the platform win32-amd64"),
        ({"digest": "0"}, "is damaged"),
        ({"bytes": "0", "syntax": "0"}, "sources of kernels were edited"),
        ({"functions": {"x": ["no_such_symbol", "f"]}}, "is damaged"),
        ({"functions": []}, "is damaged"),
    ],
)
def test_a_library_that_does_not_fit_is_refused(folder, tmp_path, changes, reason):
    with pytest.raises(library.Unusable, match=reason):
        library.opened(changed(folder, tmp_path, **changes))


def test_comments_do_not_make_a_library_old(folder, tmp_path):
    assert library.opened(changed(folder, tmp_path, bytes="0"))


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", "null"])
def test_a_damaged_index_is_refused(folder, tmp_path, content):
    (tmp_path / library.INDEX).write_text(content)
    with pytest.raises(library.Unusable, match="is damaged"):
        library.opened(tmp_path)


def test_without_a_library_there_is_nothing_to_say(tmp_path):
    assert library.opened(tmp_path) == {}


def test_a_library_may_be_left_out(folder, monkeypatch):
    monkeypatch.setattr(library, "FOLDER", folder)
    monkeypatch.setenv("FLANK_NATIVE", "0")
    library.library.cache_clear()
    assert library.library() == {}
    library.library.cache_clear()


def test_who_is_refused_compiles_and_says_so_once(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("FLANK_NATIVE", raising=False)
    monkeypatch.setattr(library, "FOLDER", changed(folder, tmp_path, interface=0))
    library.library.cache_clear()
    monkeypatch.setattr(count, "_entries", {})
    monkeypatch.setattr(fill, "_entries", {})
    assert count(np.zeros((4, 2))) == 4
    fill(np.zeros(1), 0.5)
    assert capsys.readouterr().err.count("is not used") == 1
    library.library.cache_clear()


def test_a_kernel_serves_itself_from_the_library(folder, monkeypatch):
    monkeypatch.delenv("FLANK_NATIVE", raising=False)
    monkeypatch.setattr(library, "FOLDER", folder)
    library.library.cache_clear()
    monkeypatch.setattr(count, "_entries", {})
    monkeypatch.setattr(Kernel, "dispatcher", None)  # whoever asks for Numba fails
    assert count(np.zeros((4, 2))) == 4
    library.library.cache_clear()


def test_what_only_kernels_call_is_in_no_library(folder):
    names = json.loads((folder / library.INDEX).read_text())["functions"]
    assert not any(twice.py_func.__name__ in name for name in names)


def test_no_linker_is_told(monkeypatch, tmp_path):
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(build.shutil, "which", lambda _: None)
    with pytest.raises(build.BuildError, match="No C compiler"):
        build.build(tmp_path / "none", calls())
    assert not (tmp_path / "none").exists()


def test_numba_is_not_imported_with_the_package():
    code = "import sys, flank.api, flank.engine; print('numba' in sys.modules)"
    environment = os.environ | {"PYTHONPATH": str(Path(sources.PACKAGE).parent)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


def test_a_library_may_be_built_anew_while_it_is_used(tmp_path):
    build.build(tmp_path, calls())
    entries = library.opened(tmp_path)
    index = json.loads((tmp_path / library.INDEX).read_text())
    before = (tmp_path / index["file"]).stat().st_ino
    build.build(tmp_path, calls())
    assert (tmp_path / index["file"]).stat().st_ino != before
    types, numbers = described((np.zeros((7, 2)),))
    assert entries[f"{count.name}|{types}"](numbers) == 7


def test_threads_call_side_by_side(folder):
    """More tuples than are remembered, each with numbers of its own."""
    entries = library.opened(folder)

    def total(k):
        given = outer(doubled=False)._replace(offset=k)
        out = np.zeros(1)
        for _ in range(50):
            types, numbers = described((given, given.rows[1], float(k), out))
            found = entries[f"{weigh.name}|{types}"](numbers)
            assert (found[1], out[0]) == (k + 4, 0.25 * k)
        return k

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(total, range(100))) == list(range(100))
