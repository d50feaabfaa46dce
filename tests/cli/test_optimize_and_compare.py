"""`flank optimize` and `flank compare`: what they print, write and refuse."""

import pytest
from commands import run_command

from flank.io.spec_files import read_spec_file

QUICK = "--option hysteresis.points_per_stage=5"
SEARCH = (
    "optimize cycloidal-drive --vary discs.equidistant='0..20 um' "
    "--for hysteresis.torsional_stiffness --subject-to 'backlash > 1.2 arcmin' "
    f"--evaluations 14 {QUICK}"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("optimize")
    run = run_command(f"{SEARCH} --out {place / 'out'}")
    assert run.status == 0, run.stderr
    (place / "out" / "printed.txt").write_text(run.stdout)
    return place / "out"


def test_an_optimum_is_printed_beside_the_machine_as_it_is(folder):
    printed = (folder / "printed.txt").read_text()
    for words in (
        "As it is, and best",
        "discs.equidistant",
        "N·m/arcmin",
        ">= 1.2",
        "About the optimum",
        "keeps limits",
        "It is held by hysteresis.backlash >= 1.2 arcmin",
        "does not keep hysteresis.backlash >= 1.2 arcmin",
    ):
        assert words in printed


def test_the_optimal_spec_is_written_and_passes_a_check(folder):
    spec = read_spec_file(folder / "optimum.yaml")
    assert "optimised: discs.equidistant" in spec["title"]
    assert "backlash >= 1.2 arcmin" in spec["assumptions"][-1]
    check = run_command(["check", str(folder / "optimum.yaml"), "--strict"])
    assert check.status == 0, check.stdout


def test_page_pictures_and_all_trials_are_written(folder):
    assert (folder / "search.png").stat().st_size > 10_000
    assert "Optimisation" in (folder / "report.html").read_text()
    lines = (folder / "trials.csv").read_text().splitlines()
    assert lines[0].startswith('trial,"discs.equidistant, µm"')
    assert len(lines) >= 15


def test_files_of_the_user_are_left_alone(folder):
    before = (folder / "optimum.yaml").read_text()
    (folder / "optimum.yaml").write_text(before + "# mine\n")
    run = run_command(f"{SEARCH} --out {folder}")
    (folder / "optimum.yaml").write_text(before)
    assert run.status == 2
    assert "optimum.yaml there was not written by Flank, or changed since" in run.stderr


def test_two_objectives_write_a_front(tmp_path):
    run = run_command(
        "optimize cycloidal-drive --vary discs.equidistant='0..20 um' --vary pins.radius='2..3 mm' "
        "--for hysteresis.torsional_stiffness --for hysteresis.largest_pin_pressure --points 3 "
        f"--evaluations 60 --seed 2 {QUICK} --out {tmp_path / 'out'}"
    )
    assert run.status == 0, run.stderr
    assert "Front: none is better in both" in run.stdout
    assert (tmp_path / "out" / "front.png").stat().st_size > 10_000
    assert (tmp_path / "out" / "front-1.yaml").exists()
    assert not (tmp_path / "out" / "optimum.yaml").exists()


def test_limits_that_nothing_keeps_end_with_1_and_what_is_missing(tmp_path):
    run = run_command(
        "optimize cycloidal-drive --vary discs.equidistant='0..20 um' "
        "--for hysteresis.torsional_stiffness --subject-to 'backlash > 90 arcmin' "
        f"--evaluations 5 {QUICK} --out {tmp_path / 'out'}"
    )
    assert run.status == 1
    assert "beyond 90 arcmin" in run.stdout
    assert not (tmp_path / "out" / "optimum.yaml").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("optimize cycloidal-drive --for backlash", "nothing varies"),
        (f"{SEARCH} --option points=3", "name the analysis too"),
        (f"{SEARCH} --minutes 0", "minutes are 0"),
        (f"{SEARCH} --vary discs.widht='1..2 mm'", "did you mean"),
        ("compare rv-40", "one machine only"),
        ("compare rv-40 no-such", "'no-such' is not a preset"),
        ("compare rv-40 rv-80 --analysis hysterisis", "did you mean 'hysteresis'"),
    ],
)
def test_what_is_wrong_is_refused_in_a_sentence(words, told):
    run = run_command(words)
    assert run.status == 2
    assert told in run.stderr
    assert "Traceback" not in run.stderr


def test_files_and_presets_are_compared(folder, tmp_path):
    run = run_command(
        f"compare cycloidal-drive {folder / 'optimum.yaml'} --analysis hysteresis {QUICK} "
        f"--out {tmp_path / 'out'}"
    )
    assert run.status == 0, run.stderr
    assert "What differs in the specs" in run.stdout
    assert "Torsional stiffness" in run.stdout
    assert " *" in run.stdout
    for name in ("curves.png", "differences.csv", "figures-hysteresis.csv", "report.html"):
        assert (tmp_path / "out" / name).stat().st_size > 50


def test_results_are_compared_and_folders_are_results(tmp_path):
    for name, gap in (("one", "5 um"), ("two", "9 um")):
        done = run_command(
            f"run cycloidal-drive --analysis load-distribution --set discs.equidistant='{gap}' "
            f"--out {tmp_path / name}"
        )
        assert done.status == 0
    run = run_command(
        f"compare {tmp_path / 'one'} {tmp_path / 'two' / 'result.nc'} --out {tmp_path / 'out'}"
    )
    assert run.status == 0, run.stderr
    assert "Wind-up of the output" in run.stdout
    assert (tmp_path / "out" / "loads.png").exists()
