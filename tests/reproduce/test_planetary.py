"""Jørgensen et al. computed anew: its tables within what was asked, and what shows its mistakes."""

import csv
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import expm
from shared import computed_once
from verdicts import check_verdicts, sentence_on

from flank.geometry.gear import involute
from flank.report.folder import write_document
from flank.report.text import study_text
from flank.report.writers import file_names, writers_of
from flank.reproduce.planetary.computing import (
    COARSE,
    PAPER,
    PRESET,
    STAGE,
    STAGE_TORQUE,
    TABLE_1C,
    TABLE_10A,
    GearboxRuns,
    StageRun,
    Swing,
    gearbox,
)
from flank.reproduce.planetary.findings import (
    as_printed,
    findings,
    frequencies_by_equation_13,
    mesh_frequencies,
    rigid_angle,
    willis,
)
from flank.reproduce.planetary.pictures import (
    damping_picture,
    inertia_picture,
    parts_picture,
    stage_picture,
    stiffness_picture,
    swing_picture,
)
from flank.reproduce.planetary.run import COMPUTATIONS, compute, study_of
from flank.reproduce.planetary.switching import mesh_contacts, offsets, phases, touching_arc
from flank.reproduce.planetary.turbulence import SEED, TurbulentRun, series
from flank.reproduce.registry import REPRODUCTIONS


def run_coarsely():
    """All that was computed, whether it completed, and the progress that was told."""
    progress = []
    runs = GearboxRuns(COARSE, COMPUTATIONS, progress.append)
    return compute(runs), runs.complete, progress


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return computed_once(tmp_path_factory, "planetary", run_coarsely)


@pytest.fixture(scope="module")
def computed(run):
    return run[:2]


@pytest.fixture(scope="module")
def progress(run):
    return run[2]


@pytest.fixture(scope="module")
def study(computed):
    return study_of(*computed)


def test_every_verdict_follows_from_its_numbers(study):
    check_verdicts(study)


def test_falsified_numbers_change_the_sentences(computed, study):
    evidence, _ = computed
    swings = {n: replace(each, angle=each.angle - 0.1) for n, each in evidence.text.items()}
    found = findings(replace(evidence, text=swings, caption=evidence.text))
    tables = sentence_on(found, "Tables 1c and 10a")
    assert tables.startswith("Tables 1c and 10a are met in part.")
    assert "Not met: of a flexible one 0.11" in tables
    mistakes = [each.sentence for each in found if each.mistake]
    assert mistakes[0].startswith("Mistake 1 is not confirmed: k = 1000 N/m gives the angles")
    assert mistakes[1:] == [each.sentence for each in study.findings if each.mistake][1:]
    broken = {key: replace(run, complete=False) for key, run in evidence.stages.items()}
    stage = sentence_on(findings(replace(evidence, stages=broken)), "Fig. 14")
    assert stage.startswith("Fig. 14 has no verdict: no planet's mean force")


def columns(table):
    return [dict(zip(table.headings, row, strict=True)) for row in table.rows]


def test_table_1c_within_what_was_asked(study):
    rows = columns(study.tables["angles"])
    assert [int(row["planets"]) for row in rows] == list(TABLE_1C)
    for row, paper in zip(rows, TABLE_1C.values(), strict=True):
        assert float(row["rigid here"]) == pytest.approx(paper.rigid, abs=0.005)
        assert float(row["flexible here"]) == pytest.approx(paper.flexible, abs=0.015)
        assert float(row["rigid here"]) == pytest.approx(float(row["closed form"]), abs=2e-4)
        assert float(row["ε here"]) == pytest.approx(float(row["ε paper"]), abs=0.02)


def test_damping_table_within_what_was_asked(study):
    for row, paper in zip(columns(study.tables["damping"]), TABLE_10A.values(), strict=True):
        assert float(row["here"]) == pytest.approx(paper, abs=0.003)


def test_only_the_texts_stiffness_and_the_base_radius_fit(study):
    rows = columns(study.tables["stiffness"])
    off = {row["stiffness and radius"]: float(row["largest"]) for row in rows}
    assert off.pop("500 N/m, base radius") < 0.015
    assert min(off.values()) > 0.09


def linear_model(count, stiffness):
    """M and K of carrier, equal planets and sun, by hand; planets move as one."""
    sun, planet, ring = np.array([0.1, 0.2, 0.5]) * math.cos(math.radians(20))
    in_sun = np.array([-(sun + planet), planet, sun])
    in_ring = np.array([ring - planet, planet, 0.0])
    carrier = 0.15 + (12 * 0.15**2 if count == 1 else 0.0)
    masses = np.diag([carrier + count * 98.75 * 0.3**2, count * 1.97, 0.123])
    return masses, count * stiffness * (np.outer(in_sun, in_sun) + np.outer(in_ring, in_ring))


def test_periods_are_those_of_three_turning_bodies(study):
    published = {
        (1, 500): 1.768,
        (2, 500): 1.735,
        (3, 500): 1.728,
        (4, 500): 1.724,
        (3, 5000): 0.546,
    }
    for row in columns(study.tables["periods"]):
        key = int(row["planets"]), int(row["stiffness, N/m"])
        masses, stiffness = linear_model(*key)
        squares = np.sort(np.linalg.eigvals(np.linalg.solve(masses, stiffness)).real)[1:]
        found = [float(row[name]) for name in ("period here", "second period")]
        assert found == pytest.approx(2 * np.pi / np.sqrt(squares), abs=6e-4)
        assert found[0] == pytest.approx(published.pop(key), abs=6e-4)
    assert not published


def test_areas_are_those_of_the_exact_solution(study):
    """Impulses of the teeth change the momenta of sun and planet, exactly by an exponential."""
    masses, stiffness = linear_model(1, 500)
    system = np.zeros((7, 7))
    system[:3, 3:6] = np.eye(3)
    system[3:6, :3] = -np.linalg.solve(masses, stiffness)
    system[3:6, 6] = np.linalg.solve(masses, [-4.0, 0.0, 0.0])
    state = expm(2 * system) @ np.array([0, 0, 0, 0, 0, 0, 1.0])
    state = expm(3 * system) @ (state * [1, 1, 1, 1, 1, 1, 0])
    speeds = state[3:6]
    rigid = -8.0 / 18.168 * np.array([1.0, -1.5, 6.0])

    def areas(speed):
        sun = 0.123 * speed[2] / 0.1
        return np.array([sun, 1.97 * speed[1] / 0.2 - sun])

    exact = 100 * (areas(speeds) / areas(rigid) - 1)
    rows = columns(study.tables["areas"])
    assert [float(row["here, %"]) for row in rows] == pytest.approx(exact, abs=0.08)
    assert exact == pytest.approx([5.59, -1.16], abs=5e-3)  # the paper: around 5 and 1
    assert float(rows[0]["rigid force, normal, N"]) == pytest.approx(1.729, abs=1e-3)
    assert float(rows[1]["rigid force, normal, N"]) == pytest.approx(-5.191, abs=1e-3)


def test_peaks_are_normal_forces(study):
    first, last = (columns(study.tables["peaks"])[k] for k in (0, -1))
    assert float(first["sun, normal"]) == pytest.approx(0.470, abs=1e-3)
    assert float(first["ring, normal"]) == pytest.approx(3.296, abs=2e-3)
    assert float(last["ring, normal after 4 s"]) < 0.34  # not 2.3 N


def test_forces_of_the_stage_with_all_mesh_models(study):
    rows = columns(study.tables["stage"])
    assert len(rows) == 8
    for row in rows[1:]:
        for planet in (1, 2, 3):
            assert float(row[f"sun {planet}"]) == pytest.approx(-91, rel=0.02)
            assert float(row[f"ring {planet}"]) == pytest.approx(93, rel=0.02)
            assert float(row[f"sun {planet}"]) == pytest.approx(float(rows[1]["sun 1"]), rel=0.01)
    alone = rows[0]
    assert [alone["sun 2"], alone["sun 3"]] == ["-", "-"]
    assert float(alone["sun 1"]) == pytest.approx(-272, rel=0.005)
    assert float(alone["ring 1"]) == pytest.approx(277, rel=0.005)
    assert abs(float(alone["ring 2"])) < 0.1


def test_the_rings_sign_decides_the_speeds():
    teeth = gearbox(PRESET, {}).kinematics.teeth
    assert willis(teeth) == (-1.5, 6.0)
    assert as_printed(teeth) == (3.5, -4.0)
    assert rigid_angle(3) == pytest.approx(-41.17, abs=0.005)
    assert abs(rigid_angle(3, as_printed(teeth)) + 41.17) > 20


def test_both_meshes_pass_teeth_equally_fast():
    machine = gearbox(STAGE, {})
    right, wrong = mesh_frequencies(machine), frequencies_by_equation_13(machine)
    assert right.sun == right.ring == pytest.approx(91 * 2.86 / (2 * math.pi))
    assert wrong.sun / right.sun == pytest.approx(4.175 / 4.55)
    assert wrong.ring / right.ring == pytest.approx(0.8 / 2.6)
    time = np.linspace(0.0, 0.01, 11)
    for course in mesh_contacts(time).values():
        steps = np.diff(course.arc)
        falling = steps[steps < 0]  # sun and planets are driven: from tip to root
        assert len(falling) >= len(steps) - 1
        assert falling == pytest.approx(-right.sun * course.base_pitch * 1e-3)


@pytest.mark.parametrize("angle", [0.0, 0.05, -0.1])
def test_contact_is_where_the_outline_meets_the_line_of_action(angle):
    """Against the closed form, which the paper's Eqs. 17 to 20 miss."""
    gears = gearbox(STAGE, {}).layout.gears
    for pair in (gears.sun_planet, gears.planet_ring):
        gear, rack = pair.first, pair.first.pressure_angle
        turned = angle + math.pi / (2 * gear.teeth) + involute(rack) + pair.working_angle
        turned += 2 * gear.profile_shift * math.tan(rack) / gear.teeth
        found = touching_arc(gear, pair.working_angle, angle)
        assert found == pytest.approx(gear.base_radius * turned, abs=1e-12)
        assert found == pytest.approx(_roll(pair, angle), abs=1e-12)


def _roll(pair, angle):
    """The geometry room's own, less the thickness that the preset takes off for backlash."""
    gear = pair.first
    off = gear.thickness_deviation / (2 * gear.reference_radius)
    return pair.roll(1, angle - off)


def test_the_papers_offsets_contradict_each_other():
    found = {(each.gears, each.equation): each for each in offsets()}
    pair = gearbox(PRESET, {}).layout.gears.sun_planet
    first, second = (found["20/40, x = 0", number] for number in (17, 19))
    start, pitch = pair.path[0], pair.base_pitch
    both = (first.paper - start) + (second.paper - start)  # their sum is s_min
    assert math.remainder(both - start, pitch) == pytest.approx(0.0, abs=1e-12)
    assert abs(first.tooth - second.tooth) > 0.05
    assert min(abs(found["20/35, shifted", 19].tooth), abs(found["20/35, shifted", 19].space)) > 0.1


def test_three_planets_do_not_switch_together():
    together = [len(set(np.round(phases(count), 6) % 1.0)) == 1 for count in (1, 2, 3, 4)]
    assert together == [True, True, False, True]


def test_it_completes_with_all_notes_cited(study, progress):
    assert study.complete
    assert progress == sorted(progress)
    assert len(progress) == COMPUTATIONS
    cited = {
        row["note"] for table in study.tables.values() for row in columns(table) if "note" in row
    }
    assert cited == set(study.notes) == set(PAPER.marks.values())
    assert sum(finding.startswith("Mistake ") for finding in study.sentences) == 10
    assert "are met" in study.sentences[0]
    assert "is met" in study.sentences[1]


def test_pictures_leave_out_what_failed():
    failed = Swing()
    stage = StageRun()
    by_count = dict.fromkeys((1, 2, 3, 4), failed)
    assert len(swing_picture(by_count, by_count).axes) == 8
    assert len(damping_picture(failed, dict.fromkeys((0, 30, 60), failed)).axes) == 6
    assert stage_picture(stage, {2e4: stage}).png()


def test_files_hold_what_is_printed(study, tmp_path):
    names = {path.name for path in write_document(study.document, tmp_path)}
    assert names == {path.name for path in tmp_path.iterdir()}
    known = REPRODUCTIONS["planetary"]
    assert names == set(file_names(known.outline, writers_of("study")))
    assert {"angles.csv", "stage.csv", "tables.md", "report.html", "tooth-forces.png"} <= names
    with (tmp_path / "angles.csv").open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    assert [row["rigid here"] for row in read] == [
        row["rigid here"] for row in columns(study.tables["angles"])
    ]
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.count("<img src='data:image/png;base64,") == len(study.pictures) == 8
    assert "Mistake 10." in study_text(study.document)


def test_the_turbulent_series_is_the_seeds():
    """The same every time, a longer one begins as a shorter does; its mean is the stage's."""
    short, long = series(SEED, 0.5), series(SEED, 60.0)
    assert np.array_equal(series(SEED, 0.5).rotor, short.rotor)
    assert long.rotor[: len(short.rotor)] == pytest.approx(short.rotor, rel=1e-9)
    assert long.rotor.mean() == pytest.approx(STAGE_TORQUE, rel=0.1)
    assert 0.02 < long.rotor.std() / STAGE_TORQUE < 0.2
    assert not np.array_equal(series(SEED + 1, 0.5).rotor, short.rotor)


def test_parts_of_a_turbulent_run_are_those_of_its_meshes(computed):
    evidence, _ = computed
    machine = gearbox(STAGE, {})
    for each in evidence.turbulent.values():
        for kind, meshed in (("sun", machine.sun_pair(0)), ("ring", machine.ring_pair(0))):
            record, start = each.meshes[kind], meshed.pair.path[0]
            assert record.roll.min() >= start
            assert record.roll.max() <= start + meshed.pair.base_pitch
            force = np.linalg.norm(record.spring, axis=1)
            assert force.min() > 0
            assert record.stiffness.max() < 2 * meshed.mean_stiffness
        sun = each.inertia_torque / machine.masses.sun[1]
        assert each.acceleration["sun"] == pytest.approx(sun)


def test_falsified_turbulent_numbers_change_the_sentences(computed):
    evidence, _ = computed
    swapped = dict(zip(evidence.turbulent, reversed(evidence.turbulent.values()), strict=True))
    found = findings(replace(evidence, turbulent=swapped))
    assert "Not met: from 2e4 to 4e4" in sentence_on(found, "Figs. 11 and 15")
    failed = dict.fromkeys(evidence.turbulent, TurbulentRun())
    found = findings(replace(evidence, turbulent=failed))
    assert "no verdict" in sentence_on(found, "Fig. 13")


def test_pictures_of_failed_turbulent_runs_are_drawn():
    failed = TurbulentRun()
    for picture in (
        stiffness_picture(failed),
        parts_picture(failed),
        inertia_picture({1.0: failed, 2.0: failed}),
    ):
        assert picture.axes
