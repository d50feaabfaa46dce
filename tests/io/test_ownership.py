"""Flank replaces what it wrote, and nothing else."""

import functools

import pytest

import flank
from flank.errors import SpecError
from flank.io.ownership import spec_body, spec_file_text
from flank.io.results import write_result
from flank.report.folder import check_replaceable, is_replaceable, write_folder


@functools.cache
def result_of(analysis="load-distribution"):
    return flank.run(flank.preset("monocrank"), analysis)


FILES = {"result.nc", "spec.yaml", "drive.png", "contact-loads.png", "report.html"}


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_all_files_of_a_run_are_known(tmp_path):
    write_folder(result_of(), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == FILES
    assert all(is_replaceable(path) for path in tmp_path.iterdir())


@pytest.mark.parametrize("name", sorted(FILES))
@pytest.mark.parametrize("other", [b"mine", b"", b"\x89PNG\r\n\x1a\n", b"\xff\xfem\0"])
def test_a_file_of_the_users_refuses_the_folder(tmp_path, name, other):
    (tmp_path / name).write_bytes(other)
    with pytest.raises(SpecError, match=f"{name} there was not written by Flank"):
        flank.save(result_of(), tmp_path)
    assert content(tmp_path) == {name: other}


def test_a_folder_of_the_name_of_a_file(tmp_path):
    (tmp_path / "report.html").mkdir()
    with pytest.raises(SpecError, match=r"report\.html there"):
        flank.save(result_of(), tmp_path)


def test_several_are_named(tmp_path):
    for name in ("spec.yaml", "result.nc"):
        (tmp_path / name).write_text("mine")
    with pytest.raises(SpecError, match=r"result\.nc, spec\.yaml there were not written by Flank"):
        check_replaceable(tmp_path, ["spec.yaml", "result.nc", "report.html"])


def test_a_spec_that_was_changed_is_the_users(tmp_path):
    write_folder(result_of(), tmp_path)
    spec = tmp_path / "spec.yaml"
    spec.write_bytes(spec.read_bytes().replace(b"\n", b"\r\n"))
    assert is_replaceable(spec)
    spec.write_text(spec.read_text() + "# my note\n")
    before = content(tmp_path)
    with pytest.raises(SpecError, match=r"spec\.yaml there was not written by Flank, or changed"):
        flank.save(result_of(), tmp_path)
    assert content(tmp_path) == before


def test_a_picture_of_the_users_is_not_taken_for_an_old_one(tmp_path):
    write_folder(result_of("transmission-error"), tmp_path)
    (tmp_path / "spectrum.png").write_bytes(b"mine")
    flank.save(result_of(), tmp_path)
    assert set(content(tmp_path)) == FILES | {"spectrum.png"}
    assert (tmp_path / "spectrum.png").read_bytes() == b"mine"


def as_earlier_versions_wrote(folder):
    """No marks in pages and pictures, no checksum of the spec, no version of the format."""
    result = result_of()
    old = result.dataset.copy()
    del old.attrs["format_version"]
    write_result(type(result)(old), folder / "result.nc")
    first, _, body = (folder / "spec.yaml").read_text().split("\n", 2)
    (folder / "spec.yaml").write_text(f"{first}\n{body}")
    page = (folder / "report.html").read_text()
    (folder / "report.html").write_text(page.replace("name='generator'", "name='other'"))
    for picture in folder.glob("*.png"):
        picture.write_bytes(picture.read_bytes().replace(b"Flank ", b"Other "))


def test_folders_of_earlier_versions_are_known(tmp_path):
    write_folder(result_of(), tmp_path)
    as_earlier_versions_wrote(tmp_path)
    assert not is_replaceable_alone(tmp_path / "drive.png", tmp_path / "alone")
    write_folder(result_of(), tmp_path)
    assert all(b"Software\0Flank " in path.read_bytes()[:500] for path in tmp_path.glob("*.png"))


def is_replaceable_alone(path, folder):
    folder.mkdir()
    (folder / path.name).write_bytes(path.read_bytes())
    return is_replaceable(folder / path.name)


def test_the_heading_of_a_spec_comes_off_again():
    body = "machine: rv\npins:\n  count: 3\n"
    text = spec_file_text(body)
    assert spec_body(text) == body
    assert spec_body(text.replace("\n", "\r\n")) == body
    assert spec_body(text.split("\n", 1)[0] + "\n" + body) == body
    assert spec_body(body) == body
    assert spec_body("") == ""


@pytest.mark.parametrize("empty", ["report.html", "result.nc"])
def test_an_empty_page_beside_other_files_is_nobodys(tmp_path, empty):
    for name in (empty, "drive.png"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "drive.png").write_bytes(b"mine")
    with pytest.raises(SpecError, match="not written by Flank"):
        check_replaceable(tmp_path, ["drive.png", empty])
