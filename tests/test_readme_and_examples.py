"""Every command of the README and every example runs."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from commands import run_command
from printed import shown

import flank
from flank.engine import DynamicSettings, constant, linear, solve_dynamics, solve_statics
from flank.errors import SpecError
from flank.machines.base import Drive
from flank.machines.crank_reducer.spec import CRANK_KINDS
from flank.machines.cv_joint.spec import KINDS as JOINT
from flank.machines.cycloidal.spec import KINDS as CYCLOIDAL
from flank.machines.error_kinds import ARCSECOND
from flank.machines.few_teeth.spec import KINDS as FEW_TEETH
from flank.machines.gear_pair.spec import KINDS as GEAR_PAIR
from flank.machines.planetary.spec import KINDS as PLANETARY
from flank.machines.rv.spec import KINDS as RV
from flank.native import library

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def readme_commands():
    return re.findall(r"^    \.venv/bin/flank (.+)$", README, flags=re.MULTILINE)


@pytest.mark.parametrize(
    "studies", [False, pytest.param(True, marks=pytest.mark.nightly)], ids=["quick", "studies"]
)
def test_readme_commands_run_in_order(studies, tmp_path, monkeypatch):
    """As a new user would: in one fresh folder, one after the other; whole studies by night."""
    monkeypatch.chdir(tmp_path)
    commands = [one for one in readme_commands() if studies or not one.startswith("reproduce")]
    assert len(commands) >= 6
    for command in commands:
        words, target = re.fullmatch(r"(.+?)(?: > (\S+))?", command).groups()
        ended = run_command(words)
        assert ended.status == 0, (command, ended.stderr)
        if target:
            (tmp_path / target).write_text(ended.stdout, encoding="utf-8")
    assert (tmp_path / "loop" / "report.html").exists()


def test_readme_python_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code = re.search(r"```python\n(.+?)```", README, flags=re.DOTALL).group(1)
    exec(compile(code, "README.md", "exec"), {})
    assert "Backlash" in capsys.readouterr().out
    assert (tmp_path / "out" / "result.nc").exists()


def test_readme_error_message_is_the_real_one():
    command, sentence = re.search(r"    \$ flank (.+)\n    (.+)\n", README).groups()
    ended = run_command(command)
    assert ended.status == 2
    assert ended.stderr.strip() == sentence


def test_first_screen_has_one_picture_and_two_commands():
    first = README.partition("\n## ")[0]
    (picture,) = re.findall(r"!\[.+\]\((.+)\)", first)
    assert (ROOT / picture).exists()
    assert re.findall(r"^    (make \w+)", first, flags=re.MULTILINE) == ["make run", "make test"]
    assert len(first.splitlines()) < 30


def test_links_of_the_readme_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_makefile_has_the_readmes_two_commands():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^    make (\w+)", README, flags=re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE)


def test_make_run_is_the_loop_of_an_rv_reducer():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "flank run rv-320 --analysis hysteresis --out out" in makefile
    assert "make run      # hysteresis loop of an RV reducer" in README


def test_example_rv_reducer_and_its_page():
    """The page shows what the example prints."""
    example = load(ROOT / "examples" / "rv_reducer.py")
    page = (ROOT / "docs" / "examples" / "rv_reducer.md").read_text(encoding="utf-8")
    reducer = example.machine()
    told = "{:.0f} N·m/arcmin, lost motion {:.3f} arcmin, backlash {:.3f} arcmin"
    assert shown(page, told.format(*example.loop(reducer)))
    rows = [*example.split(reducer)[:6], *example.kinds(reducer)[:5]]
    for name, value in rows:
        assert shown(page, f"| {name} | {value:.1f} |"), name


def test_example_unit_and_its_page(tmp_path):
    """The page shows what the example prints."""
    pytest.importorskip("fmpy", reason="FMPy is not installed")
    if not library.library():
        pytest.skip("no library of kernels was built")
    example = load(ROOT / "examples" / "unit.py")
    page = (ROOT / "docs" / "examples" / "unit.md").read_text(encoding="utf-8")
    rows, difference = example.compare(example.write(tmp_path / "drive.fmu"))
    for row in rows:
        assert shown(page, "| {:.1f} | {:.3f} | {:.3f} |".format(*row))
    assert difference < 1e-12


def test_example_study_and_its_page(tmp_path):
    """The page shows the file, and what the example prints."""
    example = load(ROOT / "examples" / "study.py")
    page = (ROOT / "docs" / "examples" / "study.md").read_text(encoding="utf-8")
    text = (ROOT / "examples" / "study.yaml").read_text(encoding="utf-8")
    assert text[text.index("machine:") :] in page
    study = example.drives(tmp_path)
    assert shown(page, "{:.1f} % are good ({:.1f} to {:.1f} %)".format(*example.good(study)))
    nominal, mean, deviation, far = example.spread(study)
    assert shown(page, f"lost motion is {nominal:.3f} arcmin; of the samples it is {mean:.3f}")
    assert shown(page, f"a deviation of {deviation:.3f}, and 95 % of them stay below {far:.3f}")
    for name, share in example.drivers(study):
        assert shown(page, f"| {name} | {share:.1f} |"), name
    assert shown(page, "sample {} with {:.3f} arcmin".format(*example.worst(study)))


def test_example_few_teeth_reducer_and_its_page():
    """The page shows what the example prints."""
    example = load(ROOT / "examples" / "few_teeth_reducer.py")
    page = (ROOT / "docs" / "examples" / "few_teeth_reducer.md").read_text(encoding="utf-8")
    reducer = example.flank.preset("few-teeth-60")
    told = "{:.0f} N·m/arcmin, lost motion {:.3f} arcmin, backlash {:.3f} arcmin"
    assert shown(page, told.format(*example.loop(reducer)))
    for name, value in example.split(reducer)[:6]:
        assert shown(page, f"| {name} | {value:.1f} |"), name
    for torque in (150, 1500):
        forces = ", ".join(f"{force:.0f}" for force in example.teeth(reducer, torque))
        assert shown(page, f"| {torque} | {forces} |"), torque
    for microns in (0, 10, 20):
        assert shown(page, "| {} | {:.2f} | {:.1f} |".format(microns, *example.relief(microns)))
    for model, stiffness in example.mesh_models():
        assert shown(page, f"| {model} | {stiffness:.0f} |"), model


def test_example_planetary_gearbox_and_its_page():
    """The page shows what the example prints."""
    example = load(ROOT / "examples" / "planetary_gearbox.py")
    page = (ROOT / "docs" / "examples" / "planetary_gearbox.md").read_text(encoding="utf-8")
    for name, changes in (("guided", {}), ("floating", example.FLOATING)):
        for microns in (0, 20, 40):
            told = example.sharing(microns, changes)
            assert shown(page, "| {} | {} | {:.3f} | {:.1f} |".format(name, microns, *told))
    for frequency, family in example.modes():
        assert shown(page, f"| {frequency:.0f} | {family} |"), family
    told = [f"| {speed:.0f} | {factor:.2f} |" for speed, factor in example.forces(example.sweep())]
    listed = [line for line in told if shown(page, line)]
    assert len(listed) >= 8
    assert max(told, key=lambda line: line.split()[3]) in listed


def test_example_turbulent_torque_and_its_page(tmp_path):
    """The page shows what the example prints."""
    example = load(ROOT / "examples" / "turbulent_torque.py")
    page = (ROOT / "docs" / "examples" / "planetary_gearbox.md").read_text(encoding="utf-8")
    example.write(tmp_path / "torque.csv")
    text = (tmp_path / "torque.csv").read_text()
    assert text.startswith("time [s]; rotor [kN*m]; generator [kN*m]\n0.00; ")
    for damping in (2e4, 4e4):
        told = example.told(example.response(tmp_path / "torque.csv", damping))
        assert shown(page, "| {:.0f} | {:.1f} | {:.1f} | {:.2f} |".format(damping, *told))


def test_example_measured_disc_and_its_page(tmp_path):
    """The page shows what the example prints."""
    example = load(ROOT / "examples" / "measured_disc.py")
    page = (ROOT / "docs" / "examples" / "rv_reducer.md").read_text(encoding="utf-8")
    for name, found in example.loops(example.write(tmp_path)).items():
        assert shown(page, "| {} | {:.0f} | {:.3f} | {:.3f} |".format(name, *found)), name


def test_example_gear_pair_and_its_page():
    """The page shows what the example prints."""
    example = load(ROOT / "examples" / "gear_pair.py")
    page = (ROOT / "docs" / "examples" / "gear_pair.md").read_text(encoding="utf-8")
    told = "from {:.0f} Hz with one pair of teeth to {:.0f} Hz with two; the\ndamping is {:.1f} %"
    assert told.format(*example.impact()) in page
    for damping in (8, 3):
        result = example.sweep(damping)
        ends = ", ".join(f"{low:.0f} to {high:.0f}" for low, high in example.bands(result))
        largest = 1e6 * result["largest_mesh_error"]
        assert shown(page, f"| {damping} | {largest:.1f} | {ends or 'none'} |"), damping
    for frequency in (1300, 2400):
        for branch, vibration, loss, count in example.dwell(frequency):
            told = f"| {frequency} | {branch} | {vibration:.1f} | {loss:.0f} | {count:.0f} |"
            assert shown(page, told), told


def test_example_joint_run_and_its_page():
    """The page shows what the example prints."""
    example = load(ROOT / "examples" / "joint_run.py")
    page = (ROOT / "docs" / "examples" / "cv_joint.md").read_text(encoding="utf-8")
    for name in example.RUNS:
        result = example.transient(name)
        assert abs(result["energy_remainder"]) < 0.005
        told = "{:.0f} | {:.1f} | {:.1f} | {:.2f}".format(*example.told(result))
        assert shown(page, f"| {name} | {told} |"), name
    for kind in ("rigid", "free"):
        assert shown(page, "| {} | {:.1f} | {:.2f} |".format(kind, *example.guided(kind))), kind
    for order, hertz, name, margin in example.margins(example.resonance()):
        assert shown(page, f"| {order} | {hertz:.0f} | {name} | {margin:+.1f} |"), order


def test_example_cv_joint_and_its_page():
    """The page shows what the example prints."""
    example = load(ROOT / "examples" / "cv_joint.py")
    page = (ROOT / "docs" / "examples" / "cv_joint.md").read_text(encoding="utf-8")
    for name, stiffness in example.STIFFNESSES.items():
        ratio, force = example.straight(stiffness)
        reversed_force = example.straight(stiffness, -2000.0)[1]
        torque, angle = example.deflected(stiffness)
        told = f"{ratio:.4f} | {force:.1f} | {reversed_force:.1f} | {torque:.3f} | {angle:.4f}"
        assert shown(page, f"| {name} | {told} |"), name
    for torque in (50, 200, 500, 2000):
        assert shown(page, "| {} | {:.1f} | {:.1f} |".format(torque, *example.limit(torque)))
    with pytest.raises(SpecError) as refused:
        example.joint({"operation.deflection": "30 deg"})
    assert refused.value.problems[0] in page
    for balls, changes in ((6, example.FEW), (8, {}), (10, example.MANY)):
        assert shown(page, f"| {balls} | {example.axial(changes):.2f} |"), balls
    for friction in example.FRICTIONS:
        told = "{:.1f} | {:.1f} | {:.0f} | {:.1f}".format(*example.turning(friction))
        assert shown(page, f"| {friction} | {told} |"), friction


OF_PAGES = {
    "rv_reducer": RV,
    "few_teeth_reducer": {kind: FEW_TEETH[kind] for kind in FEW_TEETH if kind not in CRANK_KINDS},
    "cycloidal_drive": CYCLOIDAL,
    "cv_joint": JOINT,
    "planetary_gearbox": PLANETARY,
    "gear_pair": GEAR_PAIR,
}
"""The page of the few-teeth reducer has the kinds of its own; the others stand on the RV's."""


@pytest.mark.parametrize("name", OF_PAGES)
def test_the_pages_error_kinds_are_the_real_ones(name):
    page = (ROOT / "docs" / "theory" / f"{name}.md").read_text(encoding="utf-8")
    for key, kind in OF_PAGES[name].items():
        scale, unit = (1e6, "µm") if kind.unit == "m" else (1 / ARCSECOND, "arcsec")
        limit = f"{kind.tolerance * scale:.3g} {unit}" if kind.tolerance else ".+"
        assert re.search(rf"\| `{key}` \| .+ \| {'/'.join(kind.over)} ?\| {limit} \|", page), key


def test_example_cycloidal_drive_and_its_page():
    """The page shows what the example prints."""
    rows = load(ROOT / "examples" / "cycloidal_drive.py").study()
    page = (ROOT / "docs" / "examples" / "cycloidal_drive.md").read_text(encoding="utf-8")
    for row in rows:
        assert shown(page, "| {:.0f} | {:.3f} | {:.3f} | {:.3f} |".format(*row))


def test_example_cycloidal_structure_and_its_page():
    """The page shows what the example prints."""
    example = load(ROOT / "examples" / "cycloidal_structure.py")
    page = (ROOT / "docs" / "examples" / "cycloidal_drive.md").read_text(encoding="utf-8")
    for held in (None, "one end", "both ends"):
        stiffness, parts = example.split(example.drive(held))
        share = dict(parts).get("Output pins", 0.0)
        assert shown(page, f"| {held or 'contacts only'} | {stiffness:.0f} | {share:.1f} |"), held


def test_example_loaded_gears_and_its_page():
    """The page shows what the example prints."""
    example = load(ROOT / "examples" / "loaded_gears.py")
    page = (ROOT / "docs" / "examples" / "loaded_gears.md").read_text(encoding="utf-8")
    assert shown(page, f"has {example.norm():.0f}:")
    for name, values in example.ladder(150.0).items():
        assert shown(page, "| {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |".format(name, *values)), name
    torques = np.array([10.0, 150.0, 500.0])
    for torque, told in zip(torques, example.growth(torques), strict=True):
        row = "| {:.0f} | {:.2f} | {:.2f} | {:.2f} | {:.0f} |".format(torque, *told)
        assert shown(page, row), torque
    for name, told in example.modified().items():
        assert shown(page, "| {} | {:.2f} | {:.2f} |".format(name, *told)), name


def test_example_rolling_sweep_and_its_page():
    """The page shows what the example prints."""
    example = load(ROOT / "examples" / "rolling_sweep.py")
    page = (ROOT / "docs" / "examples" / "rolling_sweep.md").read_text(encoding="utf-8")
    for damping in (8, 5):
        for edges in (True, False):
            vibration, loss, bands = example.figures(example.sweep(edges, damping))
            words = "with" if edges else "without"
            told = f"| {damping} | {words} | {vibration:.1f} | {loss:.1f} | {bands} |"
            assert shown(page, told), told


def test_example_flexible_ring_and_its_page():
    """The page shows what the example prints."""
    example = load(ROOT / "examples" / "flexible_ring.py")
    page = (ROOT / "docs" / "examples" / "flexible_ring.md").read_text(encoding="utf-8")
    for name, ring in example.RINGS.items():
        told = "| {} | {:.3f} | {:.0f} | {} |".format(name, *example.figures(ring))
        assert shown(page, told), told


def test_example_own_mechanism():
    """Beyond the clearance of 5 µm the bearing stiffens with load."""
    moved = load(ROOT / "examples" / "own_mechanism.py").deflection(np.array([10.0, 100.0, 1000.0]))
    assert moved[0] == pytest.approx(5.08e-6, rel=0.01)
    assert moved[1] - moved[0] < 0.3 * (moved[2] - moved[1])


def lines_of(name):
    return len((ROOT / "examples" / name).read_text(encoding="utf-8").splitlines())


def test_example_cycloidal_drive_from_parts():
    """In under 60 lines, by the engine: equilibria and motion of the machine of the preset."""
    assert lines_of("cycloidal_from_parts.py") < 60
    made = load(ROOT / "examples" / "cycloidal_from_parts.py").drive(linear(1.0), constant(200.0))
    drive = Drive.of_ends(linear(1.0), constant(200.0))
    assembly = flank.preset("cycloidal-drive").assemble(drive)
    times = np.linspace(0.0, 0.3, 7)
    machine = solve_statics(assembly.model, assembly.pose, times)
    parts = solve_statics(made.build(), made.pose(), times)
    assert parts.complete
    assert parts.position == pytest.approx(machine.position, abs=1e-12)
    settings, start = DynamicSettings(2e-5), machine.position[0]
    motions = [solve_dynamics(m, start, 1e-3, settings) for m in (made.build(), assembly.model)]
    assert motions[0].complete
    assert motions[0].position == pytest.approx(motions[1].position, abs=1e-12)
    assert motions[0].velocity == pytest.approx(motions[1].velocity, abs=1e-6)


def test_example_planetary_stage_from_parts():
    """In under 60 lines, by the engine: the motion of the machine of the preset."""
    assert lines_of("planetary_from_parts.py") < 60
    torques = {"carrier": constant(-4.0), "sun": constant(0.6667)}
    made = load(ROOT / "examples" / "planetary_from_parts.py").stage(torques)
    assembly = flank.preset("planetary-paper").assemble(Drive(torques=torques, in_time=True))
    settings, starts = DynamicSettings(2e-3), (made.pose(), assembly.pose)
    models = made.build(), assembly.model
    parts, machine = (
        solve_dynamics(m, start, 2.0, settings) for m, start in zip(models, starts, strict=True)
    )
    assert parts.complete
    assert parts.position == pytest.approx(machine.position, abs=1e-10)
    assert parts.velocity == pytest.approx(machine.velocity, abs=1e-9)


def test_example_own_contact(tmp_path):
    """In a process of its own: a kind and a pre-screen stay registered for the life of one.

    Pressed by 500 N onto a bushing of 1e6 N/m and, beyond 10 um, an edge of 1e9 N/m."""
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "own_contact.py"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    depth = (500.0 - 1e6 * 1e-5) / (1e9 + 1e6)
    assert "at -20 mm: 0.0 N, 0.000 um deep" in done.stdout
    assert f"at +20 mm: {1e9 * depth:.1f} N, {depth * 1e6:.3f} um deep" in done.stdout


def test_example_gears_in_space_and_its_page():
    """The page shows what the example prints."""
    example = load(ROOT / "examples" / "gears_in_space.py")
    page = (ROOT / "docs" / "examples" / "gears_in_space.md").read_text(encoding="utf-8")
    for crossing in (0, 50):
        values = example.row(example.loaded(example.helical(crossing)))
        row = "| {} | {:.2f} | {:.0f} | {:.1f} |".format(crossing, *values)
        assert shown(page, row), row
    *first, last = (f"{value:.0f}" for value in example.frequencies(example.helical()))
    assert f"{', '.join(first)} and {last} Hz" in page


def test_example_bevel_gears_and_its_page():
    """The page shows what the example prints."""
    example = load(ROOT / "examples" / "bevel_gears.py")
    page = (ROOT / "docs" / "examples" / "bevel_gears.md").read_text(encoding="utf-8")
    for relief in ((15, 20), (30, 40), (60, 80)):
        row = "| {}/{} | {:.1f} | {:.0f} | {:.0f} |".format(
            *relief, *example.pattern(example.pair(*relief))
        )
        assert shown(page, row), row
    for torque in (100, 350, 700):
        values = example.row(example.loaded(example.pair(), torque))
        row = "| {} | {:.1f} | {:.0f} | {:.1f} | {:.1f} |".format(torque, *values)
        assert shown(page, row), row
