"""How far to trust loaded and rolling gears: the load, mesh models, rolling, what is refused.

    python validation/gear_dynamics.py      writes docs/validation/gear_dynamics.md

Every case is also a test.
"""

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from cases import Case, as_table, finish
from flexible_gears import flexible_pair_cases, flexible_ring_cases, sprung_pair_cases
from gear_finite_elements import PAPER, PAPER_BODY, PAPER_STEEL
from gear_refusals import problems_of, told
from loaded_teeth import (
    beam_cases,
    direct_cases,
    ladder_table,
    rigid_body_cases,
    solver_cases,
)
from rolling_gears import (
    HIGHEST,
    LOWEST,
    body_cases,
    energy_cases,
    hand_over_cases,
    homogeneity_cases,
    integrator_cases,
    momentum_cases,
    rattle_cases,
    slow_cases,
    spur,
    sweep_cases,
)
from sliced_teeth import slice_cases

import flank
from flank.elasticity.finite_elements import store
from flank.elasticity.finite_elements.influence import FlankGrid, flank_influence
from flank.elasticity.finite_elements.reduction import check_matrices, natural_modes
from flank.elasticity.finite_elements.sector_mesh import MeshDensity
from flank.errors import SpecError
from flank.report.writers import markdown_table

PAGE = Path(__file__).parent.parent / "docs" / "validation" / "gear_dynamics.md"

RING = {
    "wheel.internal": True,
    "wheel.teeth": 120,
    "wheel.body": None,
    "wheel.profile_shift": None,
    "pinion.profile_shift": None,
    "pinion.teeth": 40,
    "centre_distance": None,
    "mesh.model": "fe",
}

SPECS = (
    # what it is, preset and changes, part of the sentence that refuses it
    (
        "bore above the root circle",
        "spur-bruzzone",
        {"pinion.body.bore_diameter": "150 mm"},
        "it must be less than the root diameter",
    ),
    (
        "web thicker than the face",
        "spur-bruzzone",
        {"wheel.body": {"web_thickness": "30 mm", "rim_thickness": "9 mm"}},
        "it must not exceed the face width",
    ),
    ("`fe`, ring of a pair without a rim", "gear-pair", RING, "rim_thickness is missing"),
    (
        "`fe`, ring of a planetary without a rim",
        "planetary-lin-parker",
        {"ring_mesh": {"model": "fe"}},
        "outer_radius is missing",
    ),
    (
        "flexible ring, mesh model without elements",
        "planetary-500kw",
        {"ring.flexible": True, "ring.mass": None, "ring.inertia": None},
        "needs the ring_mesh model 'fe'",
    ),
    (
        "flexible gear whose mass is given",
        "spur-bruzzone",
        {"wheel.flexible": True, "wheel.mass": "2 kg", "mesh.model": "fe"},
        "is that of the elements of a flexible body",
    ),
    (
        "bedding of a ring that turns",
        "planetary-500kw",
        {
            "ring_mesh.model": "fe",
            "ring.bedding": "1e10 N/m^3",
            "operation.input": "ring",
        },
        "ties the ring to a housing that stands still",
    ),
)

SWEEPS = (
    # what it is, analysis and settings, part of the sentence
    ("speed sweep through zero", "speed-sweep", {"lowest": "-100 rpm"}, "goes through zero"),
    ("rolling sweep through zero", "rolling-sweep", {"lowest": "-100 rpm"}, "goes through zero"),
    (
        "fewer steps than the fastest mode needs",
        "rolling-sweep",
        {"modes": 12, "steps_per_period": 16, "points": 1},
        "swings of the fastest mode",
    ),
    (
        "modes that creep",
        "rolling-sweep",
        {"modes": 12, "body_damping": 1.0, "points": 1},
        "times its critical damping",
    ),
)

ODD = np.array([[2.0, 1.0], [0.0, 2.0]])
COARSE = MeshDensity(tooth=2, flank=4, space=1, layers=1)

CALLS: tuple[tuple[str, Callable[[], object], str], ...] = (
    (
        "mesh too coarse for the contact width",
        lambda: flank_influence(PAPER, PAPER_BODY, PAPER_STEEL, FlankGrid(9, 5), COARSE),
        "too coarse for the contact width",
    ),
    (
        "modes beyond the model",
        lambda: natural_modes(np.eye(3), np.eye(3), 4),
        "4 modes are asked for; the body has 3",
    ),
    ("matrix that is not symmetric", lambda: check_matrices(np.eye(2), ODD), "is not symmetric"),
    (
        "matrices of different sizes",
        lambda: check_matrices(np.eye(3), np.eye(2)),
        "both must belong to the same coordinates",
    ),
)


def refusal_cases() -> Iterator[Case]:
    """One where it is refused in one sentence, for the reason named."""
    for name, preset, changes, words in SPECS:
        yield _refused(name, problems_of(preset, changes), words)
    for name, analysis, settings, words in SWEEPS:
        sentence = _sentence(lambda a=analysis, s=settings: flank.run(spur(), a, **s))
        yield _refused(name, sentence, words)
    for name, call, words in CALLS:
        yield _refused(name, _sentence(call), words)
    yield told("damaged cache file: computed anew, and told in one line", _cache_recovers())


def _refused(name: str, sentence: str, words: str) -> Case:
    return told(f"{name}: refused, '{words}'", words in sentence and "\n" not in sentence.strip())


def _sentence(call: Callable[[], object]) -> str:
    try:
        call()
    except (SpecError, ValueError) as error:
        return str(error)
    return ""


def _cache_recovers() -> bool:
    """Whether a file that lost its end is replaced, and a line says so."""
    with tempfile.TemporaryDirectory() as folder:
        with patch.dict(os.environ, {"FLANK_CACHE_DIR": folder}):
            store.stored("case", 1, lambda: {"a": np.arange(3.0)})
            (file,) = Path(folder).rglob("*.*")
            good = file.read_bytes()
            file.write_bytes(good[:-1])
            said = io.StringIO()
            with contextlib.redirect_stderr(said):
                again = store.stored("case", 1, lambda: {"a": np.arange(3.0)})
        whole = len(file.read_bytes()) == len(good)
    lines = said.getvalue().splitlines()
    return whole and again["a"].sum() == 3.0 and len(lines) == 1 and "is damaged" in lines[0]


SECTIONS = {
    "solver": (solver_cases,),
    "rigid": (rigid_body_cases, slice_cases),
    "direct": (direct_cases,),
    "beam": (beam_cases,),
    "kept": (energy_cases, rattle_cases, momentum_cases, hand_over_cases),
    "integrator": (integrator_cases, homogeneity_cases),
    "sweeps": (sweep_cases, body_cases),
    "flexible": (flexible_pair_cases, sprung_pair_cases, flexible_ring_cases),
    "errors": (slow_cases,),
    "refusals": (refusal_cases,),
}
GROUPS = tuple(group for groups in SECTIONS.values() for group in groups)

PROSE = """# How far to trust loaded and rolling gears

Written by `make validation`; every row is also a test. What the gears themselves are made of has a
page of its own, [gears of finite elements](gear_finite_elements.md). Theory:
[load distribution](../theory/load_distribution.md), [gears that roll](../theory/rolling_gears.md),
[vibration over the speed](../theory/gear_dynamics.md).

## The load on many points

With straight laws the load distribution is a problem of least squares with bounds, which SciPy
solves too; with contacts by load its conditions are looked at themselves.

{solver}

## Without common bodies

The mesh model `fe` with the beam model's numbers, rigid bodies and contacts linearised at the load
is `table`; with teeth that bear their share of the bodies it is `contact`, slice by slice: helical
and crowned teeth, gears out of line or out of centre. Errors are over the largest figure. They are
where teeth come into mesh, which the map of `fe` rounds off.

{rigid}

## Against a direct solve

The 50/50 pair of module 3 mm at 150 N·m: influence numbers between a grid of nine points on a
flank, neighbours by cyclic symmetry, against all 50 teeth of both gears, solved at eight positions
of the cycle with forces at the very points in mesh. Both have the same coarse elements.

{direct}

## Mesh models

The preset `spur-bruzzone`: stiffness over one pitch, force over approach. Each tooth moves its
neighbour by some 40 % of its own deflection, which the norm and other codes' figures leave out;
without it finite elements lie between plane stress and plane strain, as a face of 20 mm should.
None of these figures is a target.

{ladder}

`table` is the beam model with one common body; explicit contacts, `contact`, know their own force
only, count the common body in the mean, and so have the larger harmonics.
Beams are in plane strain. The faces of these gears, 20 mm apart, are free, which makes `fe` some
per cent softer than elements in plane strain; those are what a beam is to be held against.

{beam}

Tip edges carry load beyond the path, which lowers harmonics, the more the higher the torque. They
are sharp: without their curvature `table` would miss the harmonics at 500 N·m by a quarter.

## What rolling keeps

A mass on one spring, two gears that hit each other, a wave around a gear.

{kept}

Steps in which a compliant contact is lost or regained give or take energy; it does not add up over
the cycles. Impulses lose nothing.

## One degree of freedom

{integrator}

## Sweeps of the spur pair

Preset `spur-bruzzone` of finite elements, one point a tooth, {lowest:.0f} to {highest:.0f} rpm,
where nothing jumps.

{sweeps}

## Elastic bodies in the engine

The spur pair with twelve modes a gear and 1 % damping of the mesh, of which the engine lets the
flanks feel what the rolling formulation gives to the shafts; also on bearings of 1e8 N/m, whose
centres both let move. A planetary gear with four planets in
a thin ring, whose outside stands in a bedding of 2e9 N/m³. Amplitudes of modes are taken as their
mean over a pitch; how much they vary is told.

{flexible}

## Gears with errors

Rolled so slowly that they hardly vibrate: run-out of both gears of the spur pair over a revolution,
the helical pair of the preset `gear-pair` out of line, and a spur pair whose teeth all differ.

{errors}

## Refused

One sentence each, before anything is rolled.

{refusals}

## What is not validated

- **No measured gears stand behind these figures.** What the pair's experiment shows is compared by
  `flank reproduce spur`.
- Bodies vibrate in modes with their bores held; shafts twist and do not bend.
- Damping of bodies and meshes is what a spec says.
"""


def main() -> None:
    cases = {
        section: [case for group in groups for case in group()]
        for section, groups in SECTIONS.items()
    }
    text = PROSE.format(
        **{section: as_table(rows) for section, rows in cases.items()},
        ladder=markdown_table(ladder_table()),
        lowest=LOWEST,
        highest=HIGHEST,
    )
    finish(PAGE, text, [case for rows in cases.values() for case in rows])


if __name__ == "__main__":
    main()
