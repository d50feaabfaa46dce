"""Campbell diagrams: crossings in closed form, phases against forces on modes, loads over speed."""

import math

import numpy as np
import pytest

import flank
from flank.analyses.campbell import CampbellSettings, excitations
from flank.analyses.natural_frequencies import modes_of
from flank.analyses.runs import assemble_locked, linearize_at
from flank.dynamics.linearize import elastic_tangent
from flank.dynamics.run import solve_statics
from flank.errors import SpecError
from flank.plots import figures

SEQUENTIAL = {"sun.teeth": 62, "planets.teeth": 28, "ring.teeth": 118, "centre_distance": None}


def campbell(preset, changes=None, **settings):
    return flank.run(flank.preset(preset, changes), "campbell", **settings)


def column(result, name):
    return [each.item() for each in result[name].values]


def test_two_gears_meet_their_mesh_where_the_closed_form_says():
    """One spring k between two inertias: f = √(k (r₁²/J₁ + r₂²/J₂)) / 2π, Ω_c = 2π f / (l z₁)."""
    mesh = {"mesh.model": "spring", "mesh.stiffness": "3e8 N/m"}
    stiff = {"pinion.support": {"kind": "rigid"}, "wheel.support": {"kind": "rigid"}}
    machine = flank.preset("gear-pair", mesh | stiff)
    result = flank.run(machine, "campbell", input="free", count=1, harmonics=4)
    frequency = result["frequency"].values[0]
    teeth = machine.orders["mesh"]
    expected = sorted(60 * frequency / (harmonic * teeth) for harmonic in (1, 2, 3, 4))
    last = result["last_speed"] * 30 / math.pi
    found = sorted(result["critical_speed"].values * 30 / math.pi)
    assert found == pytest.approx([speed for speed in expected if speed <= last], rel=1e-9)
    margins = result["critical_speed"].values / result["speed"] - 1
    assert result["critical_margin"].values == pytest.approx(margins)
    assert result["least_margin"] == pytest.approx(min(abs(margins)))


@pytest.mark.parametrize("changes", [{}, {"planets.count": 4}, SEQUENTIAL | {"planets.count": 5}])
def test_phases_rule_out_what_forces_of_the_meshes_cannot_excite(changes):
    """What the diagram says against Σ g_mᵀφ e^(2πi l p_m): the forces of all meshes, each in its
    phase, on every mode. A mode that is ruled out has none of it to round-off."""
    machine = flank.preset("planetary-lin-parker", changes)
    settings = {"input": "free", "torque": 0.0, "count": 40, "harmonics": 5}
    result = flank.run(machine, "campbell", **settings)
    excited = forces_on_modes(machine, 5)
    families = column(result, "family")
    by_line = {line.name: line for line in excitations(machine, 5)}
    seen = set()
    for harmonic in range(1, 6):
        line = by_line["mesh" if harmonic == 1 else f"{harmonic} × mesh"]
        seen.add(line.family)
        for family, force in zip(families, excited[harmonic - 1], strict=True):
            if family != line.family:
                assert force < 1e-6 * excited[harmonic - 1].max()
    assert seen <= {"rotational", "translational", "planet"}
    for mode, name in zip(
        column(result, "critical_mode"), column(result, "critical_order"), strict=True
    ):
        assert families[mode - 1] == by_line[name].family


def forces_on_modes(machine, harmonics):
    """|Σ g_mᵀ φ e^(2πi l p_m)| (harmonic, mode) of springs as meshes, from their tangents alone."""
    assembly = assemble_locked(machine, 0.0)
    path = solve_statics(assembly.model, machine.ideal_pose(0.0), np.array([0.0]))
    at = linearize_at(assembly, path, 0)
    modes = modes_of(assembly, at, input_free=True)
    phases, total = machine.mesh_phases(), 0.0
    for number, mesh in enumerate(assembly.meshes):
        planet = number % machine.planet_count
        tangent = elastic_tangent(assembly.model, at, mesh.contacts, mesh.springs)
        size, vectors = np.linalg.eigh(tangent)
        pull = vectors[:, -1] * math.sqrt(size[-1])
        central = "sun" if number < machine.planet_count else "ring"
        row = 3 * (assembly.body(central) - 1) + 2
        pull *= np.sign(pull[row])
        ahead = phases.sun[planet] if central == "sun" else phases.ring[planet] + phases.between
        turns = np.exp(2j * np.pi * np.arange(1, harmonics + 1) * ahead)
        total = total + turns[:, None] * (pull @ modes.shapes)[None, :]
    return np.abs(total)


def test_a_mode_that_does_not_strain_the_teeth_is_not_excited_by_them():
    """Bearings stiff against the line of action alone: shifts across it strain no tooth."""
    result = campbell("gear-pair")
    share = result["strain_share"].values[column(result, "line").index("mesh")]
    assert np.all((share > -1e-12) & (share < 1 + 1e-9))
    quiet = {mode + 1 for mode in np.flatnonzero(share < 0.01)}
    assert quiet
    assert quiet == set(column(result, "ruled_out_mode"))
    assert not quiet & set(column(result, "critical_mode"))


def test_frequencies_follow_a_torque_over_the_speed():
    """At every speed those of `natural-frequencies` under the torque there."""
    points = [{"speed": "0 rpm", "torque": "20 N*m"}, {"speed": "3000 rpm", "torque": "300 N*m"}]
    machine = flank.preset("cycloidal-drive")
    result = flank.run(machine, "campbell", torque_over_speed=points, points=5, count=3)
    swept = result["swept_frequency"]
    for place in (0, len(swept) - 1):
        torque = float(result["swept_torque"].values[place])
        alone = flank.run(machine, "natural-frequencies", torque=torque, count=3)
        assert np.sort(swept.values[place]) == pytest.approx(alone["frequency"].values, rel=1e-5)
    assert swept.values[-1, 0] > 1.1 * swept.values[0, 0]


def test_what_turns_counts_where_it_has_errors():
    assert not any(
        line.counts for line in excitations(flank.preset("gear-pair"), 1) if not line.kind
    )
    changes = {"errors.pin_tangential": {"1": "10 um"}}
    machine = flank.preset("planetary-500kw", changes)
    assert all(line.counts for line in excitations(machine, 1))


def test_a_joint_has_the_orders_of_its_axial_force():
    names = [line.name for line in excitations(flank.preset("cv-joint"), 2)]
    assert names == ["input, output", "4 × input", "12 × input"]


@pytest.mark.parametrize("preset", ["rv-320", "bevel-pair", "planetary-grc"])
def test_modes_are_drawn_in_plane_and_space(preset):
    pictures = figures(campbell(preset, count=4))
    assert list(pictures) == ["campbell", "mode-motions", "drive"]
    titles = [axes.get_title(loc="left") for axes in pictures["mode-motions"].axes]
    assert any(title.startswith("Mode 1: ") for title in titles)


def test_a_machine_at_rest_asks_for_a_speed():
    machine = flank.preset("gear-pair", {"operation.input_speed": 0.0})
    with pytest.raises(SpecError, match="give last_speed"):
        flank.run(machine, "campbell")
    result = flank.run(machine, "campbell", last_speed="1000 rpm")
    assert "least_margin" not in result.dataset
    assert result["critical_count"] > 0


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"last_speed": "-5 rpm"}, "last_speed must be positive"),
        ({"torque_over_speed": [{"speed": 0, "torque": 1}]}, "has one point"),
        (
            {
                "torque": 3.0,
                "torque_over_speed": [{"speed": 0, "torque": 1}, {"speed": 9, "torque": 2}],
            },
            "say the same twice",
        ),
        (
            {"torque_over_speed": [{"speed": 9, "torque": 1}, {"speed": 9, "torque": 2}]},
            "must rise",
        ),
    ],
)
def test_settings_that_make_no_sense(settings, sentence):
    with pytest.raises(SpecError, match=sentence):
        CampbellSettings.from_settings(settings, "campbell")
