"""Spec files: the YAML dialect, its refusals and the way back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flank.errors import SpecError
from flank.io.spec_files import parse_assignments, read_spec_file, read_spec_text, write_yaml
from flank.io.yaml_mistakes import mistake
from flank.presets import preset_names, preset_text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e9", 1e9),
        ("-1E-3", -1e-3),
        ("1.5e+3", 1500.0),
        (".5", 0.5),
        ("3", 3),
        ("010", 10),
        ("1:30", "1:30"),
        ("no", "no"),
        ("on", "on"),
        ("true", True),
        ("null", None),
        ("", None),
        ("~", None),
        ("2024-01-01", "2024-01-01"),
        ("0x10", "0x10"),
        ("1_000", "1_000"),
        ("1.3 mm", "1.3 mm"),
        ("1.3 mm # why", "1.3 mm"),
        ("'1e9'", "1e9"),
        ("[1, 2]", [1, 2]),
    ],
)
def test_reads_scalars_as_people_mean_them(text, value):
    read = read_spec_text(f"key: {text}")["key"]
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a: 1\nb: 2\na: 3\n", "drive.yaml, line 3: the key 'a' is given twice; keep one of them"),
        ("a:\n  b: 1\n  b: 2\n", "drive.yaml, line 3: the key 'b' is given twice"),
        ("a: [1, 2\nb: 3\n", "drive.yaml, line 1: the bracket [ is not closed"),
        ("a: 1\n  b: 2\n", "drive.yaml, line 2: "),
        ("a:\n\tb: 2\n", "drive.yaml, line 2: a tab is given; indent with spaces"),
        ("", "drive.yaml is empty; a spec begins with"),
        ("# only a comment\n", "drive.yaml is empty"),
        ("- 1\n- 2\n", "drive.yaml, line 1: a list is given; a spec is lines of 'key: value'"),
        ("just words\n", "drive.yaml, line 1: a single value is given"),
        ("a: 1\n---\nb: 2\n", "drive.yaml, line 2: "),
        ("a: *nowhere\n", "drive.yaml, line 1: "),
        ("? {a: 1}\n: 2\n", "drive.yaml, line 1: "),
        ("a: !!python/object/apply:os.getcwd []\n", "drive.yaml, line 1: "),
        ("a: " + "[" * 5000, "drive.yaml"),
        ("a: \x00", "drive.yaml is not readable YAML"),
        ("a: " + "9" * 5000, "drive.yaml, line 1: a number of 5000 digits is given"),
    ],
)
def test_refuses_with_file_and_line(tmp_path, monkeypatch, text, sentence):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "drive.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        read_spec_file("drive.yaml")
    assert len(caught.value.problems) == 1
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def test_refuses_files_that_cannot_be_read(tmp_path):
    with pytest.raises(SpecError, match=r"absent.yaml does not exist; give the path"):
        read_spec_file(tmp_path / "absent.yaml")
    with pytest.raises(SpecError, match="cannot be read"):
        read_spec_file(tmp_path)
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SpecError, match="is not a text file in UTF-8"):
        read_spec_file(tmp_path / "binary.yaml")


def test_blocks_may_be_shared_by_merge_keys():
    data = read_spec_text("base: &base {a: 1, b: 2}\nother: {<<: *base, b: 3}\n")
    assert data["other"] == {"a": 1, "b": 3}


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**18), 10**18)
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]))
    | st.sampled_from(["1e9", "no", "yes", "1:30", "010", "0x1f", "<<", "=", "~", "2024-01-01"])
)
KEYS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1)
DATA = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(KEYS, DATA, min_size=1, max_size=4))
def test_written_yaml_comes_back_equal(mapping):
    assert read_spec_text(write_yaml(mapping)) == mapping


def test_write_yaml_keeps_the_order_and_is_plain():
    mapping = {"b": "1.3 mm", "a": {"count": 40, "errors": {3: "5 um"}}}
    assert write_yaml(mapping) == "b: 1.3 mm\na:\n  count: 40\n  errors:\n    3: 5 um\n"


def test_parse_assignments():
    assert parse_assignments(
        [
            "eccentricity=1.31 mm",
            "pins.count = 41",
            "contact.stiffness=1e9",
            "a=null",
            "b=",
            "t=x=y",
        ]
    ) == {
        "eccentricity": "1.31 mm",
        "pins.count": 41,
        "contact.stiffness": 1e9,
        "a": None,
        "b": None,
        "t": "x=y",
    }


@pytest.mark.parametrize(
    ("assignments", "sentence"),
    [
        (["eccentricity 1.3 mm"], "'eccentricity 1.3 mm' is not a change; write 'key=value'"),
        (["=3"], "'=3' is not a change"),
        (["a=1", "a=2"], "a is changed twice; keep one of them"),
        (["a=[1"], "the value of a, line 1: "),
    ],
)
def test_parse_assignments_refuses(assignments, sentence):
    with pytest.raises(SpecError) as caught:
        parse_assignments(assignments)
    assert str(caught.value).startswith(sentence)


MISTAKES = {
    "indented more": ("a: 1\n  b: 2\n", 2, "indented more than line 1"),
    "indented more in a block": ("a:\n  b: 1\n    c: 2\n", 3, "indented more than line 2"),
    "block left out": ("a:\nb: 40\n  c: 3 mm\n", 3, "indented more than line 2"),
    "indented less": ("a:\n  b: 40\n c: 3 mm\n", 3, "indented less than line 2"),
    "no colon in a block": ("a:\n  b 40\n  c: 3 mm\n  d: 1\n", 2, "a colon is missing in 'b 40'"),
    "no colon": ("m: x\ne 1.3 mm\npins:\n  a: 1\n", 2, "a colon is missing in 'e 1.3 mm'"),
    "apostrophe in a comment": ("# a gear's\na: 1 # it's\nb 2\n", 3, "a colon is missing in 'b 2'"),
    "no colon at the end": ("a: 1\nb 2\n", 2, "a colon is missing in 'b 2'"),
    "no space": ("m: x\ne:1.3 mm\npins:\n  a: 1\n", 2, "a space is missing after the colon"),
    "no space in a block": ("a:\n  b:40\n  c: 3\n", 2, "a space is missing after the colon"),
    "bracket": ("a: [1, 2\nb: 3\nc: 4\n", 1, "the bracket [ is not closed"),
    "brace": ("x: 1\na: {b: 1, c: 2\nd: 3\n", 2, "the bracket { is not closed"),
    "bracket at the end": ("x: 1\na: [1, 2,\n  3\n", 2, "the bracket [ is not closed"),
    "quote": ('x: 1\na: "b\nc: 2\nd: 3\n', 2, 'the quote " is not closed'),
    "single quote": ("x: 1\na: 'b\nc: 'd'\n", 2, "the quote ' is not closed"),
    "colon in a value": ("x: 1\na: RV: the best\n", 2, "has a colon in it; put it in quotes"),
    "tab": ("a:\n\tb: 2\n", 2, "a tab is given; indent with spaces"),
    "reserved": ("x: 1\na: @b\n", 2, "begins with '@'; put it in quotes"),
    "unknown alias": ("x: 1\na: *b\n", 2, "begins with '*'; put it in quotes"),
    "backslash": ('x: 1\na: "C:\\new\\disc"\n', 2, "use single quotes"),
    "second spec": ("a: 1\n---\nb: 2\n", 2, "'---' begins a second spec"),
    "given twice": ("a: 1\nb: 2\na: 3\n", 3, "the key 'a' is given twice"),
    "tag": ("x: 1\na: !!set {b}\n", 2, "the tag '!!set' has no place in a spec"),
    "not what its tag says": ("x: 1\na: !!bool maybe\n", 2, "'maybe' is no bool"),
    "digits": ("x: 1\na: " + "9" * 400, 2, "a number of 400 digits"),
    "control character": ('x: 1\na: "\\e"\n', 2, "the character \\x1b"),
    "half a character": ('x: 1\na: "\\ud800"\n', 2, "the character \\ud800"),
    "list as a key": ("x: 1\n? [a]\n: 2\n", 2, "a key is a word or a number"),
    "after a text of many lines": (
        "a: >\n  one: two\n  three\nb: [1,\n  2]\nc: 'x\n  y'\nd 1\ne: 1\n",
        8,
        "a colon is missing in 'd 1'",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told_with_their_line(name):
    text, line, words = MISTAKES[name]
    with pytest.raises(SpecError) as caught:
        read_spec_text(text, "my.yaml")
    assert str(caught.value).startswith(f"my.yaml, line {line}: ")
    assert words in str(caught.value)


def test_presets_have_no_mistakes():
    for name in preset_names():
        text = preset_text(name)
        assert mistake(text, text.count("\n") + 1) is None


def test_blocks_merged_many_times_over_are_read_once():
    text = "m0: &m0 {a: 1}\n" + "".join(
        f"m{k}: &m{k}\n  <<: [{', '.join([f'*m{k - 1}'] * 9)}]\n  x{k}: {k}\n" for k in range(1, 10)
    )
    assert read_spec_text(text)["m9"] == {"a": 1, **{f"x{k}": k for k in range(1, 10)}}


def test_another_encoding_is_told_with_its_line(tmp_path):
    (tmp_path / "my.yaml").write_bytes("a: 1\nb: 5 µm\n".encode("latin-1"))
    with pytest.raises(SpecError, match=r"line 2 .*Latin-1 it is 'µ'.*save the file as UTF-8"):
        read_spec_file(tmp_path / "my.yaml")


def test_a_file_too_large_for_a_spec(tmp_path):
    (tmp_path / "my.yaml").write_text("# much\n" * 20_000)
    with pytest.raises(SpecError, match="has more than 100 kB"):
        read_spec_file(tmp_path / "my.yaml")
