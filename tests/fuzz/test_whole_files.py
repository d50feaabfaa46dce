"""Whole files that are no specs: bombs, devices, other encodings, other formats."""

import os
import sys
import time

import pytest
from fuzzed import SECONDS, faults, names_below

from flank.presets import preset_text

QUICK = 2.5
"""Seconds of processor time within which what was made to take long is refused. It takes up to
half a second, twice that in a busy process that holds much; unrefused it takes minutes."""

DRIVE = preset_text("cycloidal-drive")


def merge_bomb(levels=9, width=9):
    lines = ["machine: cycloidal-drive", "m0: &m0 {a: 1, b: 2}"]
    for level in range(1, levels + 1):
        merged = ", ".join([f"*m{level - 1}"] * width)
        lines += [f"m{level}: &m{level}", f"  <<: [{merged}]", f"  x{level}: 1"]
    return "\n".join(lines)


def alias_bomb(levels=12, width=9):
    lines = ["machine: cycloidal-drive", "m0: &m0 [1, 2]"]
    for level in range(1, levels + 1):
        lines.append(f"m{level}: &m{level} [{', '.join([f'*m{level - 1}'] * width)}]")
    return "\n".join([*lines, f"pins: *m{levels}", f"assumptions: *m{levels}"])


def block_bomb(levels=9, width=9):
    lines = [DRIVE.replace("eccentricity: 1.3 mm", "eccentricity: 1.3"), "m0: &m0 {density: 1}"]
    for level in range(1, levels + 1):
        inner = ", ".join(f"k{k}: *m{level - 1}" for k in range(width))
        lines.append(f"m{level}: &m{level} {{{inner}}}")
    return "\n".join([*lines, f"materials: *m{levels}"])


def keys(count, line="k{}: 1"):
    return "machine: cycloidal-drive\n" + "".join(line.format(k) + "\n" for k in range(count))


TEXTS = {
    "merge keys": merge_bomb(),
    "aliases": alias_bomb(),
    "blocks": block_bomb(),
    "a block in itself": "machine: rv-reducer\npins: &a {count: *a}\n",
    "materials in themselves": DRIVE + "materials: &a {m: &b {x: *b, y: *a, z: *b}, n: *a}\n",
    "merged in itself": "machine: rv-reducer\npins: &a {<<: *a, count: 3}\n",
    "unknown keys": keys(5_000),
    "too many unknown keys": keys(100_000),
    "errors in a block": DRIVE
    + "materials:\n"
    + "".join(f"  m{k}: {{density: x}}\n" for k in range(2500)),
    "errors of pins": DRIVE + f"errors:\n  pin_radius: {dict.fromkeys(range(1, 6000), '1 m')}\n",
    "brackets": "machine: " + "[" * 10_000,
    "braces": "machine: " + "{a: " * 3000,
    "dashes": "- " * 3000,
    "a long line": "machine: " + "x" * 200_000,
    "a long key": "x" * 200_000 + ": 1",
    "list as machine": "machine: [x]\n",
    "block as machine": "machine: {a: 1}\n",
    "set as machine": "machine: !!set {a}\n",
    "number as machine": "machine: 3\n",
    "truth as machine": "machine: true\n",
    "digits": DRIVE.replace("count: 40", "count: " + "9" * 400),
    "very many digits": DRIVE.replace("count: 40", "count: " + "9" * 5000),
    "bool that is none": 'machine: cycloidal-drive\ntitle: !!bool "maybe"\n',
    "binary": "machine: cycloidal-drive\ntitle: !!binary aGFsbG8=\n",
    "timestamp": "machine: cycloidal-drive\ntitle: !!timestamp 2024-13-45\n",
    "ordered": "machine: cycloidal-drive\ntitle: !!omap [a: 1]\n",
    "python": "machine: !!python/object/apply:os.system ['touch written']\n",
    "python by a tag": "%TAG ! tag:yaml.org,2002:python/\n---\nmachine: !object:os.abort []\n",
    "surrogate": 'machine: cycloidal-drive\ntitle: "\\ud800"\n',
    "NUL": 'machine: cycloidal-drive\ntitle: "a\\0b"\n',
    "escape": 'machine: cycloidal-drive\ntitle: "\\e]0;owned\\a"\n',
    "escape in a key": 'machine: cycloidal-drive\n"\\e[31m": 1\n',
    "escape in a choice": 'machine: "\\e[31m"\n',
    "only a mark": "\ufeff",
    "JSON": '{"machine": "cycloidal-drive", "pins": {"count": 40}}',
    "XML": "<?xml version='1.0'?><machine>rv</machine>\n",
    "TOML": "[pins]\ncount = 40\n",
    "two specs": DRIVE + "---\n" + DRIVE,
    "a question mark": "? [a]\n: 1\n",
    "a path in quotes": DRIVE + 'source2: "C:\\new\\disc.csv"\n',
    "a material of a million names": DRIVE + "materials: {" + "a, " * 30_000 + "b}\n",
    "infinite": "machine: rv-reducer\nrated_torque: .inf\n",
}
BYTES = {
    "PNG": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 100,
    "zeros": bytes(100_000),
    "half of UTF-16": b"\xff\xfem\x00a",
    "UTF-32": DRIVE.encode("utf-32"),
    "too long": b"# comment\n" * 1_000_000,
    "empty": b"",
    "gzip": b"\x1f\x8b\x08\x00" + bytes(range(200)),
    "Latin-1": "machine: cycloidal-drive\ntitle: 5 µm\n".encode("latin-1"),
}


BOMBS = (
    "merge keys",
    "aliases",
    "blocks",
    "unknown keys",
    "too many unknown keys",
    "brackets",
    "too long",
)


@pytest.fixture(autouse=True, scope="module")
def _imported():
    """Nothing is timed while modules are loaded."""
    for name in ("cycloidal-drive", "rv-320", "few-teeth-60", "planetary-500kw", "cv-joint"):
        assert not faults(("check", name), statuses=(0,), seconds=600.0)


@pytest.mark.parametrize("name", [*TEXTS, *BYTES])
def test_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    content = BYTES[name] if name in BYTES else TEXTS[name].encode("utf-8", "surrogatepass")
    (tmp_path / "spec.yaml").write_bytes(content)
    seconds = QUICK if name in BOMBS else SECONDS
    assert not faults(("check", "spec.yaml"), statuses=(2,), seconds=seconds)
    assert names_below(tmp_path) == {"spec.yaml"}


@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_text_is_read_in_unicode(encoding, marked, tmp_path):
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    path = tmp_path / "spec.yaml"
    path.write_bytes(mark * marked + DRIVE.encode(encoding))
    assert not faults(("check", str(path)), statuses=(0,))


@pytest.mark.skipif(sys.platform == "win32", reason="no such files there")
@pytest.mark.parametrize("kind", ["device", "pipe", "folder", "linked device"])
@pytest.mark.parametrize("words", [("{}",), ("cycloidal-drive", "--set", "discs.points_file={}")])
def test_what_is_no_file_is_not_read(kind, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    os.mkdir("folder")
    os.symlink("/dev/zero", "linked")
    place = {"device": "/dev/zero", "linked device": "linked"}.get(kind, kind)
    measured = ("--set", "discs.profile=measured", "--set", "discs.equidistant=null")
    measured += ("--set", "discs.radial=null") if len(words) > 1 else ()
    start = time.monotonic()
    given = tuple(word.format(place) for word in words) + (measured if len(words) > 1 else ())
    assert not faults(("check", *given), statuses=(2,), seconds=QUICK)
    assert time.monotonic() - start < 30


@pytest.mark.parametrize(
    "words",
    [
        ("x" * 5000,),
        ("x" * 5000 + ".yaml",),
        ("a/" * 3000 + "x.yaml",),
        ("a\0b",),
        ("\x1b[31m.yaml",),
        ("\udcff",),
        ("",),
        ("cycloidal-drive", "--set", "k" * 5000 + "=1"),
        ("cycloidal-drive", "--set", "pins." * 2000 + "count=1"),
        ("cycloidal-drive", "--set", "pins.radius=" + "3" * 5000 + " mm"),
        ("cycloidal-drive", "--set", "discs.material=" + "m" * 5000),
        *(
            (name, "--set", f"{key}=10000000")
            for name, key in (
                ("rv-320", "pins.count"),
                ("rv-320", "first_stage.sun_teeth"),
                ("rv-320", "carrier.pillar_count"),
                ("rv-320", "main_bearings.ball_count"),
                ("rv-320", "turning_arm.count"),
                ("cycloidal-drive", "pins.count"),
                ("cycloidal-drive", "output.rollers.count"),
                ("few-teeth-60", "ring.teeth"),
                ("planetary-500kw", "planets.count"),
                ("cv-joint", "balls.count"),
            )
        ),
    ],
)
def test_odd_words_are_refused_within_a_second(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert not faults(("check", *words), statuses=(2,), seconds=QUICK)
    assert not names_below(tmp_path)


def test_a_private_file_is_not_shown(tmp_path):
    from typer.testing import CliRunner

    from flank.cli.app import app

    secret = tmp_path / "secret.txt"
    secret.write_text("user:correct-horse-battery-staple\n")
    words = ["check", "single-disc", "--set", f"discs.points_file={secret}"]
    off = ("generating_circle_radius", "generating_pin_radius", "equidistant", "radial")
    words += [w for key in off for w in ("--set", f"discs.{key}=null")]
    result = CliRunner().invoke(app, [*words, "--set", "discs.profile=measured"])
    assert result.exit_code == 2
    assert "has no line of numbers" in result.stderr
    assert "horse" not in result.stderr
    secret.write_text("1 2\nuser:correct-horse-battery-staple 3\n")
    result = CliRunner().invoke(app, [*words, "--set", "discs.profile=measured"])
    assert result.exit_code == 2
    assert "line 2" in result.stderr
    assert "horse" not in result.stderr
