"""Mesh stiffness: teeth in mesh under load, as finite elements, over a mesh cycle and over loads.

Static: who carries what, between the teeth and across the face; the transmission error of the mesh
alone and its parts; the stiffness over position and load, and its harmonics: of the whole mesh, and
k_c of its contacts alone, which a model needs whose teeth and bodies are elastic by themselves.
Bearings, shafts and what else a machine has are left out. Beside it stand the parts of one pair of
teeth, and those of a lobe of a cycloid disc (`stiffness_parts`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated

import numpy as np

from flank.analyses import stiffness_parts
from flank.analyses.forces import MESH_NAMES
from flank.analyses.quantities import Declared, Quantities, Values
from flank.analyses.result import Ending, Result, make_result
from flank.analyses.settings import value_list
from flank.arrays import Floats
from flank.contact.gear_loading import GearLoading
from flank.contact.loaded_mesh import LoadedMesh, harmonics, loaded_mesh
from flank.dynamics.run import Progress
from flank.elasticity import iso_6336
from flank.errors import SpecError
from flank.machines.base import HasLobes, HasToothPairs, Machine
from flank.machines.gear_bodies import is_assumed, mesh_bodies
from flank.machines.meshed_pair import MeshedPair
from flank.machines.quantities import WholeNumber
from flank.machines.spec import Spec, key

HARMONICS = 6

QUANTITIES = Quantities(
    "mesh-stiffness",
    {
        "rated_force": Declared("Force of a mesh at the rated torque", "N", "N", "mesh"),
        "mean_stiffness": Declared(
            "Mean stiffness at the rated torque, secant", "N/m", "N/um", "mesh"
        ),
        "static_error": Declared(
            "Static transmission error of the mesh there, peak to peak", "m", "um", "mesh"
        ),
        "carrying_pairs": Declared(
            "Pairs of teeth that carry load there, in the mean", over="mesh"
        ),
        "contact_ratio": Declared("Contact ratio of the path", over="mesh"),
        "face_factor": Declared(
            "Largest load per width there over its mean across the face", over="mesh"
        ),
        "mean_contact_stiffness": Declared(
            "Mean stiffness of the contacts alone there, secant", "N/m", "N/um", "mesh"
        ),
        "iso_stiffness": Declared(
            "Mean stiffness by ISO 6336-1, solid gears", "N/m", "N/um", "mesh"
        ),
        "first_body": Declared("Body of the first gear", over="mesh"),
        "second_body": Declared("Body of the second gear", over="mesh"),
        "error": Declared("Static transmission error of the mesh", "m", "um", "mesh load cycle"),
        "contact_part": Declared("Part of it in the contacts", "m", "um", "mesh load cycle"),
        "stiffness": Declared("Stiffness of the mesh", "N/m", "N/um", "mesh load cycle"),
        "harmonic_stiffness": Declared(
            "Harmonics of the stiffness of the mesh", "N/m", "N/um", "mesh load harmonic"
        ),
        "contact_stiffness": Declared(
            "Stiffness of the contacts alone", "N/m", "N/um", "mesh load cycle"
        ),
        "harmonic_contact_stiffness": Declared(
            "Harmonics of the stiffness of the contacts alone", "N/m", "N/um", "mesh load harmonic"
        ),
        "pairs": Declared("Pairs of teeth that carry load, in the mean", over="mesh load"),
        "tooth_share": Declared(
            "Share of a pair of teeth", "", "percent", "mesh load cycle tooth_pair"
        ),
        "load_per_width": Declared(
            "Load per width at the rated torque", "N/m", "N/mm", "mesh cycle tooth_pair face"
        ),
        **stiffness_parts.DECLARED,
    },
    {
        **MESH_NAMES,
        "load": Declared("Load over that of the rated torque", "", "percent", "load"),
        "cycle": Declared("Share of the mesh cycle", "", "percent", "cycle"),
        "harmonic": Declared("Harmonic of the mesh frequency, the mean first", over="harmonic"),
        "face": Declared("Place across the face, over half of it", over="face"),
        **stiffness_parts.COORDINATES,
    },
    {
        "Meshes": (
            "mesh",
            "rated_force",
            "mean_stiffness",
            "static_error",
            "carrying_pairs",
            "contact_ratio",
            "face_factor",
            "mean_contact_stiffness",
            "iso_stiffness",
        ),
        "Bodies under the teeth": ("mesh", "first_body", "second_body"),
        **stiffness_parts.TABLES,
    },
)


class MeshStiffnessSettings(Spec):
    """At which loads, and how finely."""

    loads: Annotated[tuple[float, ...], value_list("")] = key(
        "loads over that of the rated torque",
        [0.1, 0.5, 1.0, 1.5],
        default=(0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5),
    )
    points: Annotated[int, WholeNumber(minimum=16, maximum=2000)] = key(
        "positions in a mesh cycle", default=64
    )
    first_tooth: Annotated[int, WholeNumber(minimum=1, maximum=10_000)] = key(
        "the tooth of the first gear that comes into mesh in the cycle, where teeth differ",
        default=1,
    )

    def cross_checks(self) -> Sequence[str]:
        if any(load <= 0 for load in self.loads):
            return ["loads: teeth share a load that presses them; give positive ones"]
        return []


DEFAULTS = MeshStiffnessSettings()


def run(
    machine: Machine,
    settings: MeshStiffnessSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """All different meshes of a machine."""
    pairs = machine.tooth_pairs() if isinstance(machine, HasToothPairs) else {}
    loads = np.union1d(settings.loads, [1.0])
    meshes: dict[str, LoadedMesh] = {}
    for number, (name, meshed) in enumerate(pairs.items()):
        meshes[name] = _loaded(name, meshed, loads, settings.points, settings.first_tooth)
        if progress is not None:
            progress((number + 1) / len(pairs))
    values = _values(pairs, meshes, loads) | stiffness_parts.of_teeth(pairs) if pairs else {}
    if isinstance(machine, HasLobes):
        values |= stiffness_parts.of_lobe(machine.lobe_mesh())
    ending = Ending("Completed.", True, {"positions": settings.points * len(loads) * len(pairs)})
    return make_result(QUANTITIES, machine, settings, ending, values, list(_assumptions(pairs)))


def _assumptions(pairs: Mapping[str, MeshedPair]) -> Iterator[str]:
    """Bodies that nobody gave."""
    for name, meshed in pairs.items():
        bodies = mesh_bodies(meshed, elements=True)
        if any(is_assumed(words) for words in bodies):
            yield (
                f"The stiffness of {name} hangs on bodies that are assumed where the spec tells no "
                f"bore or rim: {'; '.join(bodies)}."
            )


def _from_tooth(loading: GearLoading, first_tooth: int) -> GearLoading:
    """With teeth numbered from another one on; run-out, which moves the gears as a whole, is left
    out."""
    first, second = (
        replace(
            deviation,
            pitch=np.roll(deviation.pitch, 1 - first_tooth),
            profile=np.roll(deviation.profile, 1 - first_tooth, axis=0),
            eccentricity=0.0,
        )
        for deviation in loading.deviations
    )
    return replace(loading, deviations=(first, second))


def _loaded(
    name: str, meshed: MeshedPair, loads: Floats, points: int, first_tooth: int
) -> LoadedMesh:
    torques = loads * meshed.load * meshed.pair.first.base_radius
    try:
        return loaded_mesh(_from_tooth(meshed.loading(), first_tooth), torques, points)
    except ValueError as error:
        raise SpecError(f"the mesh {name} as finite elements: {error}") from None


def _values(
    pairs: Mapping[str, MeshedPair], meshes: Mapping[str, LoadedMesh], loads: Floats
) -> Values:
    rated = int(np.flatnonzero(loads == 1.0)[0])
    every = list(meshes.values())
    forces = [_by_tooth(mesh) for mesh in every]
    most = max(each.shape[2] for each in forces)
    across = max(len(mesh.face) for mesh in every)
    shape = len(every), len(loads), len(every[0].positions)
    share = np.zeros((*shape, most))
    width = np.full((len(every), shape[2], most, across), np.nan)
    for k, (mesh, meshed) in enumerate(zip(every, pairs.values(), strict=True)):
        count, strips = forces[k].shape[2], len(mesh.face)
        share[k, :, :, :count] = forces[k].sum(axis=3) / mesh.total[:, :, None]
        strip = meshed.pair.face_width / strips
        width[k, :, :count, :strips] = forces[k][rated] / strip
    stiffness, contacts = (
        np.stack([getattr(mesh, name) for mesh in every])
        for name in ("stiffness", "contact_stiffness")
    )
    bodies = [mesh_bodies(meshed, elements=True) for meshed in pairs.values()]
    return {
        "first_body": np.array([first for first, _ in bodies], dtype=str),
        "second_body": np.array([second for _, second in bodies], dtype=str),
        "mesh": np.array(list(meshes), dtype=str),
        "rated_force": np.array([meshed.load for meshed in pairs.values()]),
        "mean_stiffness": stiffness[:, rated].mean(axis=1),
        "static_error": np.array([np.ptp(mesh.transmission_error[rated]) for mesh in every]),
        "carrying_pairs": np.array([mesh.effective_contact_ratio[rated] for mesh in every]),
        "contact_ratio": np.array([meshed.pair.contact_ratio for meshed in pairs.values()]),
        "face_factor": np.array([mesh.face_factor[rated].max() for mesh in every]),
        "mean_contact_stiffness": contacts[:, rated].mean(axis=1),
        "iso_stiffness": np.array([_by_iso(meshed) for meshed in pairs.values()]),
        "error": np.stack([mesh.transmission_error for mesh in every]),
        "contact_part": np.stack([mesh.contact_part for mesh in every]),
        "stiffness": stiffness,
        "harmonic_stiffness": harmonics(stiffness, HARMONICS),
        "contact_stiffness": contacts,
        "harmonic_contact_stiffness": harmonics(contacts, HARMONICS),
        "pairs": np.stack([mesh.effective_contact_ratio for mesh in every]),
        "tooth_share": share,
        "load_per_width": width,
        "load": loads,
        "cycle": (np.arange(shape[2]) + 0.5) / shape[2],
        "harmonic": np.arange(HARMONICS + 1),
        "face": (2 * np.arange(across) + 1) / across - 1,
    }


def _by_tooth(mesh: LoadedMesh) -> Floats:
    """Forces (load, position, pair, point) of each pair of teeth in a column of its own."""
    there = np.isfinite(mesh.gaps[:, :, 0])
    first = int(mesh.pairs[there].min())
    count = int(mesh.pairs[there].max()) - first + 1
    forces = np.zeros((*mesh.forces.shape[:2], count, len(mesh.face)))
    for position, slot in np.argwhere(there):
        column = mesh.pairs[position, slot] - first
        forces[:, position, column] = mesh.forces[:, position, slot]
    return np.asarray(forces[:, :, (forces > 0).any(axis=(0, 1, 3))])


def _by_iso(meshed: MeshedPair) -> float:
    """N/m, of solid gears without a bore."""
    return iso_6336.mean_stiffness(meshed.pair, meshed.materials) * meshed.pair.face_width
