"""Explicit contact of involute teeth: conjugacy, search, stiffness against table and norm."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from cases import Case
from gear_geometry import CLOSE_TIPS
from gear_stand import BOTH, PLANET_RING, SUN_PLANET, Stand, standard_pair
from numpy.typing import NDArray
from plane_tooth import plane_mesh_stiffness

from flank.contact.tooth_pair import GearPlace
from flank.dynamics.assembly import assemble
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.model import Model, initial_state, workspace
from flank.elasticity import iso_6336
from flank.geometry.gear_pair import GearPair
from flank.machines.gear_spec import MeshSpec
from flank.machines.meshed_pair import MeshedPair
from flank.machines.meshes import add_mesh, slot_count

PAIRS = {
    name: standard_pair(*(int(z) for z in name.split("/")))
    for name in ("20/35", "20/40", "30/90", "40/100")
}
STAGE_MESHES = {"500 kW sun/planet": SUN_PLANET, "500 kW planet/ring": PLANET_RING}
CONTACTS = 3
"""Place in Model.counts."""

LINE_LOAD = 300e3
STAGE_LOAD = 100e3

EDGED = replace(
    CLOSE_TIPS,
    first=replace(CLOSE_TIPS.first, edge_radius=0.1e-3),
    second=replace(CLOSE_TIPS.second, edge_radius=0.1e-3),
    face_width=0.02,
)
"""The 60/62 set, whose tips come closest to each other outside the line of action."""


def load_of(name: str, pair: GearPair) -> float:
    return LINE_LOAD * pair.face_width if name in PAIRS else STAGE_LOAD


def free_pair(pair: GearPair, slots: int = 0) -> tuple[Model, NDArray]:
    """Two free gears in explicit contact; with another number of slots than the machine's."""
    b = ModelBuilder(0.1)
    first = b.body("first", 1.0, 1e-3)
    second = b.body("second", 1.0, 1e-3, (pair.sign * pair.centre_distance, 0.0, 0.0))
    tooth = (np.pi if pair.sign > 0 else 0.0) + np.pi / pair.second.teeth
    meshed = MeshedPair(pair, BOTH, MeshSpec(model="contact"), LINE_LOAD * pair.face_width)
    place = add_mesh(b, "mesh", meshed, GearPlace(first), GearPlace(second, tooth))
    model = b.build()
    if slots:
        model = _with_slots(model, len(place.contacts) // 2, slots)
    return model, b.pose()


def _with_slots(model: Model, own: int, slots: int) -> Model:
    """The contacts of both flanks once more, as if `slots` teeth were near the mesh."""
    rows = model.contacts[[flank * own for flank in (0, 1) for _ in range(slots)]].copy()
    rows["tooth_slot"], rows["tooth_slots"] = list(range(slots)) * 2, slots
    counts = model.counts.copy()
    counts[CONTACTS] = len(rows)
    return model._replace(contacts=rows, counts=counts)


def evaluated(model: Model, pose: NDArray) -> tuple[float, NDArray, NDArray]:
    """Energy, forces on the bodies, and touches at a pose."""
    state, work = initial_state(model, pose), workspace(model)
    energy, _ = assemble(model, state, pose, np.zeros_like(pose), 0.0, work, 0.0, 1.0, 1.0)
    return energy, work.force.copy(), state.contact_results


def rolled(pair: GearPair, pose: NDArray, angle: float, closer: float = 0.0) -> NDArray:
    """Rolled by an angle of the first gear; the second comes closer on flank +1."""
    moved = pose.copy()
    moved[1, 2] += angle
    moved[2, 2] += angle / pair.signed_ratio
    moved[2, 2] += pair.sign * closer / pair.second.base_radius
    return moved


def conjugacy_cases() -> Iterator[Case]:
    """At constant ratio the nearest flanks must just touch, and a light load must turn evenly."""
    for name, pair in {**PAIRS, **STAGE_MESHES, "60/62": EDGED}.items():
        model, pose = free_pair(pair)
        slots = len(model.contacts) // 2
        gaps = []
        for angle in np.linspace(-20, 20, 201):
            contact_results = evaluated(model, rolled(pair, pose, angle))[2]
            gaps += [contact_results["gap"][:slots].min(), contact_results["gap"][slots:].min()]
        yield Case(
            f"{name}: unloaded transmission error, from gaps over 40 rad",
            "conjugate flanks",
            0.0,
            float(np.abs(gaps).max()) / pair.second.base_radius,
            "rad",
            1e-9,
        )
    for name, pair in {**PAIRS, **STAGE_MESHES}.items():
        title = f"{name}: transmission error under 0.1 N, peak to peak"
        yield Case(title, "conjugate flanks", 0.0, turning_error(pair, 0.1), "rad", 1e-9)


def turning_error(pair: GearPair, load: float) -> float:
    """Transmission error of the second gear under a load in N, peak to peak over one pitch."""
    approaches = Stand(pair, "contact", load).approaches(48)
    return float(np.ptp(approaches)) / pair.second.base_radius


def light_loads() -> dict[str, float]:
    """Transmission error of 20/35 under 0.1 and 1 N, in rad."""
    pair = PAIRS["20/35"]
    return {"light": turning_error(pair, 0.1), "heavy": turning_error(pair, 1.0)}


def search_cases() -> Iterator[Case]:
    """The window of slots against one slot for every tooth, at random poses, both flanks."""
    for name, pair in (("20/35", PAIRS["20/35"]), ("60/62", EDGED)):
        pose = free_pair(pair)[1]
        models = [free_pair(pair)[0], free_pair(pair, pair.first.teeth)[0]]
        rng, worst, touching = np.random.default_rng(5), 0.0, 0
        for _ in range(60):
            deep = rng.uniform(0, 80e-6) * rng.choice([-1, 1])
            moved = rolled(pair, pose, rng.uniform(-9, 9), deep)
            moved[1:, :2] += rng.normal(size=(2, 2)) * 10e-6
            (_, few, contact_results), (_, every, _) = (evaluated(model, moved) for model in models)
            size = np.abs(every).max()
            worst = max(worst, float(np.abs(few - every).max() / size) if size else 0.0)
            touching += int(np.sum(contact_results["normal_force"] > 0))
        assert touching > 60
        yield Case(
            f"{name}: forces with {slot_count(pair)} pairs screened against all "
            f"{pair.first.teeth}, 60 poses",
            "equal",
            0.0,
            worst,
            "",
            1e-9,
        )


def balance_cases() -> Iterator[Case]:
    """Forces and moments of a mesh add up to nothing, tip edges included."""
    for name, pair in (("20/35", PAIRS["20/35"]), ("60/62", EDGED)):
        model, pose = free_pair(pair)
        rng, worst = np.random.default_rng(2), 0.0
        for _ in range(20):
            moved = rolled(pair, pose, rng.uniform(-3, 3), rng.choice([-1, 1]) * 50e-6)
            moved[1:, :2] += rng.normal(size=(2, 2)) * 10e-6
            _, force, _ = evaluated(model, moved)
            arms = moved[1:, 0] * force[1:, 1] - moved[1:, 1] * force[1:, 0] + force[1:, 2]
            off = max(np.abs(force[1:, :2].sum(axis=0)).max(), abs(arms.sum()))
            worst = max(worst, float(off / np.abs(force).max()))
        yield Case(f"{name}: action and reaction, 20 poses", "zero", 0.0, worst, "", 1e-12)


OFF_THE_NORM = ("40/100", "500 kW sun/planet", "500 kW planet/ring")
"""Meshes that miss the 15 % which we ask of the norm: finite elements decide between the two, and
the page tells by how much they miss it."""


def stiffness_cases() -> Iterator[Case]:
    """Mean over one pitch of load over approach; both mesh models from one elasticity."""
    for name, pair in {**PAIRS, **STAGE_MESHES}.items():
        load = load_of(name, pair)
        table, contact = (
            float(Stand(pair, model, load).stiffness().mean()) / pair.face_width / 1e9
            for model in ("table", "contact")
        )
        yield Case(
            f"{name}: mean stiffness of the mesh model contact",
            "mesh model table",
            table,
            contact,
            "N/(mm µm)",
            0.05,
        )
        if name in OFF_THE_NORM:
            yield Case(
                f"{name}: mean stiffness against elements",
                "both gears of finite elements, plane strain",
                plane_mesh_stiffness(pair, load) / 1e9,
                contact,
                "N/(mm µm)",
                0.03,
            )
        else:
            yield Case(
                f"{name}: mean stiffness against the norm",
                "ISO 6336-1 c_γα, method B",
                iso_6336.mean_stiffness(pair, BOTH) / 1e9,
                contact,
                "N/(mm µm)",
                0.15,
            )


def norm_misses() -> dict[str, str]:
    """Meshes that miss the norm's 15 %, in N/(mm µm), and those that keep it, as a sentence."""
    told = []
    for name in OFF_THE_NORM:
        pair = {**PAIRS, **STAGE_MESHES}[name]
        load, norm = load_of(name, pair), iso_6336.mean_stiffness(pair, BOTH) / 1e9
        elements = plane_mesh_stiffness(pair, load) / 1e9
        models = {
            model: float(Stand(pair, model, load).stiffness().mean()) / pair.face_width / 1e9
            for model in ("table", "contact")
        }
        off = models["contact"] / norm - 1
        verdict = "misses" if abs(off) > 0.15 else "keeps"
        told.append(
            f"{name} {verdict} it by {abs(off):.0%}: norm {norm:.1f}, "
            f"elements {elements:.1f}, table {models['table']:.1f}, contact {models['contact']:.1f}"
        )
    return {"misses": ";\n".join(told)}
