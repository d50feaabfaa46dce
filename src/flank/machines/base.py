"""What every machine offers, and all that an analysis may know of it.

Machines say what is there, analyses say what is asked. A machine becomes an `Assembly` under a
`Drive`, which says by shaft what turns it: an angle or a torque, functions of time. Whether the
model behind it is planar or spatial shows only in the model's type: shafts, groups of contacts,
parts, meshes and bodies have names in both, and trajectories of both answer the same questions.

What a machine can be asked follows from what it offers, the protocols below; see
`machines/capabilities.py`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, runtime_checkable

import numpy as np

from flank.arrays import Floats
from flank.contact.gear_loading import GearLoading
from flank.contact.table import FRICTION_NONE
from flank.contact.tooth_pair import GearPlace
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import Function
from flank.dynamics.grouping import ContactGroup, LinePressure, Part, PointPressure
from flank.dynamics.model import Model
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.model import SpatialModel
from flank.dynamics.trajectory import AnyTrajectory, Pose, Shaft
from flank.errors import suggestion
from flank.geometry.findings import Finding
from flank.machines.error_kinds import ErrorParameter as ErrorParameter
from flank.machines.outlines import Outline
from flank.machines.spec import Spec

if TYPE_CHECKING:
    from flank.contact.spatial.loaded_flanks import LoadedFlanks
    from flank.dynamics.rolling import Modes
    from flank.dynamics.rolling_mesh import RollingPair
    from flank.elasticity.material import Material
    from flank.geometry.cycloid import Cycloid
    from flank.geometry.flank_pair import FlankPair
    from flank.geometry.gear_pair import GearPair
    from flank.machines.measured.points import MeasuredFlank
    from flank.machines.meshed_pair import MeshedPair

__all__ = ["ContactGroup", "LinePressure", "Part", "PointPressure", "Shaft"]


@dataclass(frozen=True)
class Drive:
    """What turns a machine's shafts: angles of some and torques on others; the rest turn freely.

    `in_time` says that time is time. Elsewhere it stands for an angle or a torque, and what a
    machine does over time by itself is held as its operating point has it.
    """

    angles: Mapping[str, Function] = field(default_factory=dict)
    torques: Mapping[str, Function] = field(default_factory=dict)
    in_time: bool = False

    @classmethod
    def of_ends(
        cls,
        input_angle: Function | None = None,
        output_torque: Function | None = None,
        input_torque: Function | None = None,
        in_time: bool = False,
    ) -> Self:
        """Of the two shafts that every machine knows by 'input' and 'output', too."""
        torques = {"input": input_torque, "output": output_torque}
        return cls(
            {} if input_angle is None else {"input": input_angle},
            {name: torque for name, torque in torques.items() if torque is not None},
            in_time,
        )

    def named(self, shafts: Iterable[str], input: str, output: str) -> Self:
        """The same by a machine's own names; ValueError if it has no such shaft, or if one has an
        angle and a torque."""
        known, ends = list(shafts), {"input": input, "output": output}
        angles, torques = (
            {ends.get(name, name): function for name, function in given.items()}
            for given in (self.angles, self.torques)
        )
        for name in (*angles, *torques):
            if name not in known:
                raise ValueError(
                    f"there is no shaft {name!r} to turn{suggestion(name, (*ends, *known))} "
                    f"Shafts: {', '.join(known)}"
                )
            if name in angles and name in torques:
                raise ValueError(f"shaft {name!r} has an angle, and a torque on it does nothing")
        return replace(self, angles=angles, torques=torques)

    def turn(
        self,
        builder: ModelBuilder,
        bodies: Mapping[str, int],
        input: str = "input",
        output: str = "output",
    ) -> dict[str, Shaft]:
        """The shafts of a planar machine, each turned as the drive says."""
        drive = self.named(bodies, input, output)
        return {
            name: builder.shaft(body, drive.angles.get(name), drive.torques.get(name))
            for name, body in bodies.items()
        }


@dataclass(frozen=True)
class ToothLimits:
    """What tells whether teeth can carry a force: nominal Hertz pressure, and how far they bend.

    `pressure_factor` is p0²/F in Pa²/N for the normal force F of the mesh in the transverse plane,
    `deepest` the approach in m that no tooth survives.
    """

    pressure_factor: float
    deepest: float


@dataclass(frozen=True)
class MeshPlace:
    """A gear mesh in the model: its name, its model, and the rows that carry its force."""

    name: str
    model: str
    springs: tuple[int, ...] = ()
    contacts: tuple[int, ...] = ()  # flank +1 first, then flank -1, equally many
    flanks: tuple[int, ...] = ()  # elements in space: flanks that drive, then those that coast
    multiplier: int = -1
    flank: int = 1  # that a rigid mesh holds
    working_angle: float = 0.0  # α_wt as designed: a force times its cosine is tangential
    limits: ToothLimits | None = None  # where it is no contact that knows its own pressure
    gears: tuple[GearPlace, GearPlace] | None = None  # none where a spring's row tells them
    base_radii: tuple[float, float] = (0.0, 0.0)  # that of a ring is negative
    line: np.void | None = None  # of flanks in space: their line of action, as a row of a mesh
    helix: float = 0.0  # in space: ± tan β_b, positive where the first gear is right-handed
    path: tuple[float, float] | None = None  # roll length where it begins, and base pitch, m
    pair: "GearPair | None" = None  # of involute gears
    always_damped: bool = False  # whether its damper acts without contact, too
    loading: GearLoading | None = None  # of a mesh solved for beforehand: who carries what


@dataclass(frozen=True)
class PinMeshPlace:
    """A disc among pins in the model: its contacts, its body and the one that leads it."""

    name: str
    contacts: tuple[int, ...]
    disc: int
    leader: int  # whose turn over that of the disc is the ratio, as designed
    ratio: float
    lever: float  # e z_c, the largest of a pin, in m


@dataclass(frozen=True)
class Assembly:
    """A machine made ready to run: the model, its start pose, and where to read."""

    model: Model | SpatialModel
    pose: Pose
    shafts: Mapping[str, Shaft]
    input: str
    output: str
    body_names: tuple[str, ...]
    groups: Mapping[str, ContactGroup] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()
    meshes: tuple[MeshPlace, ...] = ()
    friction_left_out: bool = False
    pin_meshes: tuple[PinMeshPlace, ...] = ()  # of a machine whose output they turn

    @classmethod
    def of(
        cls,
        builder: ModelBuilder | SpatialBuilder,
        pose: Pose,
        shafts: Mapping[str, Shaft],
        input: str = "input",
        output: str = "output",
        meshes: Sequence[MeshPlace] = (),
        **more: Any,
    ) -> Self:
        """What a builder has collected, with its groups and parts."""
        return cls(
            builder.build(),
            pose,
            shafts,
            input,
            output,
            tuple(builder.names),
            {group.name: group for group in builder.groups},
            tuple(builder.parts),
            tuple(meshes),
            **more,
        )

    @property
    def input_shaft(self) -> Shaft:
        return self.shafts[self.input]

    @property
    def output_shaft(self) -> Shaft:
        return self.shafts[self.output]

    @property
    def planar(self) -> Model:
        """The model of a machine in the plane, for those who read its tables."""
        assert isinstance(self.model, Model)
        return self.model

    @property
    def spatial(self) -> SpatialModel:
        """The model of a machine in space."""
        assert isinstance(self.model, SpatialModel)
        return self.model

    def body(self, name: str) -> int:
        return self.body_names.index(name)

    def frictionless(self) -> Self:
        """The same without friction: only then has a pose one tangent, whatever came before it."""
        contacts = self.model.contacts.copy()
        rough = contacts["friction_form"] != FRICTION_NONE
        contacts["friction_form"] = FRICTION_NONE
        return replace(
            self,
            model=self.model._replace(contacts=contacts),
            friction_left_out=bool(rough.any()),
        )


@dataclass(frozen=True)
class Derived:
    """A value that a spec leaves out and a rule fills in: its key, SI value and units, and the ends
    of what others have published."""

    key: str
    value: float
    unit: str
    shown_unit: str
    published: tuple[float, float] | None = None


@dataclass(frozen=True)
class DataRow:
    """One quantity in several columns, SI values, nan where a column has none."""

    title: str
    values: tuple[float, ...]
    unit: str
    shown_unit: str
    digits: int


@dataclass(frozen=True)
class DataTable:
    """What follows from a spec, to be looked over before anything is computed."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[DataRow, ...]
    notes: tuple[str, ...] = ()


class Machine(Protocol):
    """What machines of every kind offer."""

    @property
    def spec(self) -> Spec: ...

    @property
    def title(self) -> str: ...

    def findings(self) -> Sequence[Finding]: ...

    def ideal_pose(self, input_angle: float) -> Pose:
        """Pose of all bodies in the rigid machine without clearance.

        In space its velocities are those at an input speed of 1 rad/s, where the machine knows
        better than differences of poses; else they are zero.
        """
        ...


@runtime_checkable
class Transmission(Machine, Protocol):
    """A machine with one input, one output and a ratio between them."""

    @property
    def ratio(self) -> float:
        """θ_in / θ_out of the ideal machine; negative when they turn against each other."""
        ...

    @property
    def load_torque(self) -> float:
        """Torque on the output at the operating point, in the output's positive sense."""
        ...

    @property
    def input_speed(self) -> float: ...

    @property
    def orders(self) -> dict[str, float]:
        """Named orders per input turn, such as {'input': 1, 'pin': 40}; `Orders` say which of them
        are passings of teeth or pins."""
        ...

    @property
    def deviates(self) -> bool:
        """Whether parts have manufacturing errors: only then do orders of turning parts show."""
        ...

    def assemble(self, drive: Drive) -> Assembly: ...


@runtime_checkable
class Reducer(Transmission, Protocol):
    """A transmission with a rating: what catalogues state of it holds at the rated torque."""

    @property
    def rated_torque(self) -> float: ...

    @property
    def output_inertia(self) -> float:
        """Inertia that the output drags along when the input is locked, in kg·m²."""
        ...


@runtime_checkable
class HasErrors(Protocol):
    """What a machine offers besides if its manufacturing errors can be told apart."""

    def error_parameters(self) -> Sequence[ErrorParameter]: ...

    def with_error(self, name: str, value: float) -> Self:
        """The machine with the error `name` changed by `value` in SI; bodies, joints and contacts
        stay the same in number and order."""
        ...


@runtime_checkable
class HasMeshes(Protocol):
    """What a machine offers besides if it knows its gear meshes before it is assembled."""

    @property
    def mesh_count(self) -> int: ...


@runtime_checkable
class HasPinMeshes(Protocol):
    """What a machine offers besides if discs that roll among pins take the place of gears."""

    @property
    def pin_mesh_count(self) -> int: ...


@runtime_checkable
class HasBallTracks(Protocol):
    """What a machine offers besides if it is a joint of balls in tracks, as CvJoint is."""

    def track_origins(self, race: int) -> Floats: ...

    def track_frames(self, race: int) -> Floats: ...


@dataclass(frozen=True)
class MeshPhases:
    """In base pitches, 0 to 1: how far a planet's mesh is ahead of the first planet's."""

    angle: Floats  # of the planets on their carrier
    sun: Floats
    ring: Floats | None = None  # where planets mesh with a ring, too
    between: float = 0.0  # of the ring mesh against the sun mesh of the same planet


def pitches(travelled: Floats) -> Floats:
    """From 0 to 1, whole pitches and round-off taken away."""
    phase = np.mod(travelled, 1.0)
    return np.where((phase > 1.0 - 1e-9) | (phase < 1e-9), 0.0, phase)


@dataclass(frozen=True)
class PlanetLoads:
    """What planets carry in a run, (time, planet) in N: normal forces of their meshes, and the
    tangential load of their pins on the carrier, in the sense of the sum of all pins."""

    sun: Floats
    pin: Floats
    ring: Floats | None = None


@runtime_checkable
class HasToothPairs(Protocol):
    """What a machine offers besides if involute teeth mesh in it."""

    def tooth_pairs(self) -> "Mapping[str, MeshedPair]":
        """Two gears of every different mesh by name, none where this machine has no such mesh."""
        ...


@dataclass(frozen=True)
class LobeMesh:
    """A lobe of a cycloid disc and a pin: flank, pin radius, materials of disc and pin, width of a
    disc, depth to which its contact is counted, and the largest pin force at the rated torque."""

    profile: "Cycloid"
    pin_radius: float
    materials: "tuple[Material, Material]"
    width: float
    depth: float
    force: float


@runtime_checkable
class HasLobes(Protocol):
    """What a machine offers besides if the lobes of cycloid discs touch pins."""

    def lobe_mesh(self) -> LobeMesh: ...


@runtime_checkable
class HasFlanks(Protocol):
    """What a machine offers besides if two members touch with flanks in space."""

    @property
    def teeth_differ(self) -> bool:
        """Whether teeth of a member have flanks or pitches of their own."""
        ...

    def flank_pair(self, driving: bool = True) -> "FlankPair":
        """The flanks that drive, or those that coast, as they are mounted, in the mean over all
        teeth; NoContact where they touch nowhere."""
        ...

    def loaded_flanks(
        self,
        driving: bool = True,
        points: int | None = None,
        method: str = "proportion",
        friction: float | None = None,
    ) -> "LoadedFlanks":
        """The same under load on axes that stand still; points and friction of the machine where
        none are given."""
        ...


@runtime_checkable
class Rolling(HasToothPairs, Protocol):
    """What a machine offers besides if it is two gears of finite elements that roll."""

    @property
    def has_flexible_bodies(self) -> bool:
        """Whether a gear's body vibrates by its spec."""
        ...

    @property
    def driven_inertia(self) -> float:
        """Of all that turns with the second gear, in kg·m²."""
        ...

    @property
    def output_base_radius(self) -> float:
        """By which a torque of the output is a force along the line of action."""
        ...

    def rolling_pair(
        self,
        places: "int | Callable[[Modes], int]",
        strips: int | None,
        modes: int,
        damping: float | None,
        rotating_frame: bool = False,
    ) -> "RollingPair":
        """Mesh and modes, at so many places of a mesh period, which may follow from the modes,
        with so many of each gear's body. These have a share of critical damping, that of the spec
        if none is given, and may feel that their gears turn."""
        ...


@runtime_checkable
class HasForceElement(Protocol):
    """What a machine offers besides if its two gears touch in space, whoever moves them."""

    def force_element(self) -> Assembly:
        """Both gears as bodies in space, where they stand as built, with nothing but what acts
        between them: no joints, no shafts, no loads."""
        ...


@runtime_checkable
class HasPlanets(Protocol):
    """What a machine offers besides if planets on a carrier, around a sun, share its load."""

    @property
    def planet_count(self) -> int:
        """None where this machine has no planets, though others of its kind do."""
        ...

    @property
    def planet_mesh_order(self) -> float:
        """Teeth of a planet that mesh in one turn of the input."""
        ...

    @property
    def sharing_error(self) -> str:
        """The kind of error that changes most how planets share: the place of their pins."""
        ...

    def planet_loads(self, assembly: Assembly, trajectory: AnyTrajectory) -> PlanetLoads: ...

    def mesh_phases(self) -> MeshPhases: ...

    def excited_family(self, harmonic: int) -> str:
        """The family of modes that a harmonic of the mesh frequency excites; '' if not known."""
        ...


class Tilts(NamedTuple):
    """How bodies in space stand against the machine's axis, (time, body) in rad and m: turned about
    the radius and about the tangent, as the carrier has them, and shifted along the axis."""

    bodies: tuple[str, ...]
    about_radius: Floats
    about_tangent: Floats
    shift: Floats


@runtime_checkable
class HasTilts(Protocol):
    """What a machine offers besides if its parts tilt about, and shift along, one axis."""

    def tilts(self, assembly: Assembly, trajectory: AnyTrajectory) -> Tilts | None:
        """None where this machine is one of the plane."""
        ...


@runtime_checkable
class HasModeFamilies(Protocol):
    """What a machine offers besides if its symmetry sorts the modes into families."""

    def mode_families(self, weighed: Floats, pose: Floats) -> Sequence[str]:
        """The family of each mode; `weighed` (mode, body, 3) are shapes times roots of masses."""
        ...


@runtime_checkable
class HasOutlines(Protocol):
    """What a machine offers besides if it can be drawn."""

    def outlines(self) -> Sequence[Outline]:
        """How its parts look, in the frames of their bodies."""
        ...


@runtime_checkable
class MayLackStructure(Protocol):
    """A machine that can be asked for its stiffness before it is told what bends in it."""

    @property
    def contacts_only(self) -> str:
        """A sentence where nothing but contacts gives way, else empty."""


def notes_of(machine: Machine) -> list[str]:
    """What is assumed of a machine where its spec says nothing, a sentence each."""
    notes = [each.sentence for each in machine.findings() if each.severity == "note"]
    if isinstance(machine, MayLackStructure) and machine.contacts_only:
        notes.append(machine.contacts_only)
    return notes


@runtime_checkable
class HasDerived(Protocol):
    """What a machine offers besides if a rule fills in what its spec leaves out."""

    @property
    def derived_heading(self) -> str: ...

    def derived(self) -> Sequence[Derived]: ...


@runtime_checkable
class HasRatedLoads(Protocol):
    """What a machine offers besides if it can tell what its parts bear at rated torque."""

    def rated_loads(self) -> Sequence[DataTable]:
        """Of pins and bearings; empty where no equilibrium is found."""
        ...


@runtime_checkable
class HasGearData(Protocol):
    """What a machine offers besides if it has involute gears."""

    def gear_data(self) -> Sequence[DataTable]:
        """Gears and meshes as designed, errors left out."""
        ...


@runtime_checkable
class HasMeasuredParts(Protocol):
    """What a machine offers besides if parts of it may be given as measured."""

    def measured_flanks(self) -> "Sequence[MeasuredFlank]":
        """Of every disc; none where discs are not measured."""
        ...

    def measured_pin_errors(self) -> Mapping[str, Floats]:
        """By kind and pin in m; none where pins are not measured."""
        ...

    def measured_data(self) -> Sequence[DataTable]:
        """How measured points lie on their nominal parts."""
        ...
