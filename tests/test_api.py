"""Flank from Python."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

import flank
from flank.analyses.result import Result
from flank.errors import SpecError
from flank.geometry.curve import equal_arc_length_points
from flank.io.spec_files import write_yaml
from flank.presets import preset_names

HEAVY = ("numba", "numpy", "xarray", "pandas", "matplotlib", "pint", "pydantic", "yaml", "typer")


def test_importing_flank_imports_nothing_heavy():
    code = f"import sys, flank; dir(flank); print([m for m in {HEAVY} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_every_public_name_is_there():
    for name in flank.__all__:
        assert getattr(flank, name)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = flank.nothing


def test_preset_with_changes():
    drive = flank.preset("monocrank", {"pins.radius": "3.4 mm", "eccentricity": 0.0014})
    assert drive.spec.pins.radius == 0.0034
    assert drive.spec.eccentricity == 0.0014
    assert flank.preset("monocrank").title == "Monocrank, 3D printed"


def test_load_resolves_points_beside_the_spec(tmp_path, monkeypatch):
    data = flank.preset("monocrank").spec.to_mapping()
    for key in ("equidistant", "radial", "angular"):
        data["discs"].pop(key, None)
    data["discs"] |= {"profile": "measured", "points_file": "points/disc.csv"}
    folder = tmp_path / "specs"
    folder.mkdir()
    (folder / "my.yaml").write_text(write_yaml(data))
    (folder / "points").mkdir()
    points = equal_arc_length_points(flank.preset("monocrank").profile, 400)
    np.savetxt(folder / "points" / "disc.csv", points)
    monkeypatch.chdir(tmp_path)
    machine = flank.load("specs/my.yaml")
    assert machine.spec.discs.points_file == str(folder / "points" / "disc.csv")


def test_load_takes_changes(tmp_path):
    path = tmp_path / "my.yaml"
    path.write_text(write_yaml(flank.preset("monocrank").spec.to_mapping()))
    assert flank.load(path) == flank.preset("monocrank")
    assert flank.load(path, {"discs.count": 2}).spec.discs.count == 2


def test_run_takes_settings_with_units_and_reports_progress():
    shares: list[float] = []
    drive = flank.preset("monocrank")
    result = flank.run(drive, "load-distribution", shares.append, torque="20 N*m", crank_angle=0.5)
    assert isinstance(result, Result)
    assert result.complete
    assert result["torque"] == 20.0
    assert shares[-1] == 1.0


@pytest.mark.parametrize(
    ("analysis", "settings", "sentence"),
    [
        ("hystersis", {}, "'hystersis' is not an analysis; did you mean 'hysteresis'?"),
        ("hysteresis", {"torqe": 1}, "torqe is not a setting; did you mean 'torque'?"),
        ("hysteresis", {"torque": "1 mm"}, "settings of hysteresis: torque: '1 mm' is a length"),
        ("hysteresis", {"step": "1 ms"}, "step does nothing in static mode"),
    ],
)
def test_wrong_settings_are_refused(analysis, settings, sentence):
    with pytest.raises(SpecError) as refusal:
        flank.run(flank.preset("monocrank"), analysis, **settings)
    assert sentence in str(refusal.value)


def test_a_name_is_not_a_machine():
    with pytest.raises(SpecError, match=r"flank.preset\('monocrank'\)"):
        flank.run("monocrank")  # type: ignore[arg-type]


def test_summary_shows_units_outcome_and_warnings():
    result = flank.run(flank.preset("single-disc"), "load-distribution")
    text = flank.summary(result)
    title, warning = text.splitlines()[:2]
    assert title == "Single-disc cycloidal drive, 60 rolling pins, 1100 N·m: load distribution"
    assert warning.startswith("Warning: profile")
    assert "  Output torque " in text
    assert "1100 N·m" in text
    lines = [line for line in text.splitlines() if line.startswith("  Largest")]
    assert len({line.rindex(" ") for line in lines}) == 1


def test_save_and_read(tmp_path):
    result = flank.run(flank.preset("monocrank"), "load-distribution")
    folder = flank.save(result, tmp_path / "a" / "b")
    assert folder == tmp_path / "a" / "b"
    for path in (folder, folder / "result.nc"):
        assert flank.read(path).dataset.identical(result.dataset)
    assert flank.load(folder / "spec.yaml") == flank.preset("monocrank")


def test_settings_that_are_not_given_by_name_are_refused():
    with pytest.raises(SpecError, match=r"a dict is given after the analysis.*\*\*settings"):
        flank.run(flank.preset("monocrank"), "hysteresis", {"torque": "20 N*m"})


def test_a_spec_is_not_a_machine():
    with pytest.raises(SpecError, match="make the machine first"):
        flank.run({"machine": "cycloidal-drive"}, "hysteresis")  # type: ignore[arg-type]


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    result = flank.run(flank.preset("monocrank"), "load-distribution")
    with pytest.raises(SpecError, match="is a file; name a folder"):
        flank.save(result, tmp_path / "mine.txt")


@pytest.mark.parametrize("name", preset_names())
def test_machines_travel_between_processes(name):
    machine = flank.preset(name)
    assert pickle.loads(pickle.dumps(machine)).spec == machine.spec
