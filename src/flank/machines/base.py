"""What every machine offers, and all that an analysis may know of it.

Machines say what is there, analyses say what is asked: an analysis drives the input by an angle
and loads the output by a torque, both functions of time, and reads angles and contacts. There are
two kinds: reducers, planar, with a ratio between input and output, and joints, spatial, whose
shafts meet at an angle. An analysis asks about one of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self, runtime_checkable

from numpy.typing import NDArray

from flank.dynamics.functions import Function
from flank.dynamics.model import Model
from flank.dynamics.trajectory import SpatialPose
from flank.elasticity.elliptic_contact import EllipticContact
from flank.geometry.findings import Finding
from flank.machines.cv_joint.assembly import JointAssembly, JointDrive
from flank.machines.error_kinds import ErrorParameter as ErrorParameter
from flank.machines.spec import Spec


@dataclass(frozen=True)
class ContactGroup:
    """Contacts of one kind, numbered from `first`, as a grid of named dimensions.

    `length` and `modulus` (E*) turn a force into a Hertz pressure; zero where the group is not a
    single line contact. `curvature` (1/ρ) is that of the contact asked about where a row stands for
    several, as a roller between its races; zero where the contact knows its own.
    """

    name: str
    title: str
    first: int
    dimensions: tuple[str, ...]
    shape: tuple[int, ...]
    length: float = 0.0
    modulus: float = 0.0
    curvature: float = 0.0

    @property
    def count(self) -> int:
        total = 1
        for size in self.shape:
            total *= size
        return total


@dataclass(frozen=True)
class Part:
    """What a designer would name when asked where the compliance sits.

    The numbers are rows of the model's contact, spring and beam tables; every row belongs to one
    part.
    """

    name: str
    title: str
    contacts: tuple[int, ...] = ()
    springs: tuple[int, ...] = ()
    beams: tuple[int, ...] = ()


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
    """A gear mesh in the model: its name, its rung, and the rows that carry its force."""

    name: str
    model: str
    springs: tuple[int, ...] = ()
    contacts: tuple[int, ...] = ()  # flank +1 first, then flank -1, equally many
    multiplier: int = -1
    flank: int = 1  # that a rigid mesh holds
    working_angle: float = 0.0  # α_wt as designed: a force times its cosine is tangential
    limits: ToothLimits | None = None  # where it is no contact that knows its own pressure


@dataclass(frozen=True)
class Assembly:
    """A machine made ready to run: the model, its start pose, and where to read."""

    model: Model
    pose: NDArray
    input_body: int
    output_body: int
    groups: tuple[ContactGroup, ...]
    parts: tuple[Part, ...] = ()
    body_names: tuple[str, ...] = ()
    meshes: tuple[MeshPlace, ...] = ()


@dataclass(frozen=True)
class Derived:
    """A value that a spec leaves out and a rule fills in: its key, SI value and units."""

    key: str
    value: float
    unit: str
    shown_unit: str


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


def part_of(group: ContactGroup) -> Part:
    """The part that a group of contacts is by itself."""
    numbers = tuple(range(group.first, group.first + group.count))
    return Part(group.name, group.title, contacts=numbers)


class Machine(Protocol):
    """What machines of every kind offer."""

    @property
    def spec(self) -> Spec: ...

    @property
    def title(self) -> str: ...

    def findings(self) -> Sequence[Finding]: ...


class Reducer(Machine, Protocol):
    """A machine with one input, one output and a ratio between them."""

    @property
    def ratio(self) -> float:
        """θ_in / θ_out of the ideal machine; negative when they turn against each other."""
        ...

    @property
    def rated_torque(self) -> float: ...

    @property
    def load_torque(self) -> float:
        """Torque on the output at the operating point; positive opposes a positive input speed."""
        ...

    @property
    def input_speed(self) -> float: ...

    @property
    def output_inertia(self) -> float:
        """Inertia that the output drags along when the input is locked, in kg·m²."""
        ...

    @property
    def orders(self) -> dict[str, float]:
        """Named orders per input turn, such as {'input': 1, 'pin': 40}."""
        ...

    @property
    def deviates(self) -> bool:
        """Whether parts have manufacturing errors: only then do orders of turning parts show."""
        ...

    def ideal_pose(self, input_angle: float) -> NDArray:
        """Pose of all bodies in the rigid machine without clearance."""
        ...

    def assemble(self, input_angle: Function, output_torque: Function) -> Assembly: ...

    def assemble_driven(self, input_torque: Function, output_torque: Function) -> Assembly:
        """The same with the input free to turn, under a torque."""
        ...


class JointHertz(Protocol):
    """Where the balls of a joint touch, as designed: from it come pressures, whatever law holds."""

    @property
    def outer_track(self) -> EllipticContact: ...

    @property
    def inner_track(self) -> EllipticContact: ...

    @property
    def window(self) -> EllipticContact: ...


@runtime_checkable
class Joint(Machine, Protocol):
    """A joint of balls in tracks between two shafts that meet at an angle."""

    @property
    def torque(self) -> float:
        """Torque at the operating point, from the outer to the inner race."""
        ...

    @property
    def speed(self) -> float:
        """Speed of the outer race at the operating point, rad/s."""
        ...

    @property
    def deflection(self) -> float:
        """Angle between the shafts at the operating point, rad."""
        ...

    @property
    def contacts(self) -> JointHertz: ...

    @property
    def friction(self) -> float:
        """Coefficient of sliding friction, the same in all contacts."""
        ...

    def at(self, torque: float, deflection: float, friction: float) -> Self:
        """The same joint at another operating point, with another sliding friction."""
        ...

    def drive(self) -> JointDrive:
        """What moves and loads the joint at its operating point."""
        ...

    def assemble(self, drive: JointDrive) -> JointAssembly: ...

    def ideal_pose(self, drive: JointDrive, time: float) -> SpatialPose:
        """Pose and motion of the rigid joint without clearance."""
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
class HasShafts(Protocol):
    """What a machine offers besides if torques may act on more shafts than input and output."""

    @property
    def shafts(self) -> Mapping[str, int]:
        """Names of the shafts that turn, and their bodies."""
        ...

    @property
    def input_shaft(self) -> str: ...

    @property
    def output_shaft(self) -> str: ...

    def assemble_free(self, torques: Mapping[str, Function]) -> Assembly:
        """All shafts free to turn, under torques on some of them."""
        ...


@dataclass(frozen=True)
class MeshPhases:
    """In base pitches, 0 to 1: how far a planet's mesh is ahead of the first planet's."""

    angle: NDArray  # of the planets on their carrier
    sun: NDArray
    ring: NDArray
    between: float  # of the ring mesh against the sun mesh of the same planet


@runtime_checkable
class HasPlanets(Protocol):
    """What a machine offers besides if planets between a sun and a ring share its load."""

    @property
    def mesh_rows(self) -> Mapping[str, Sequence[int]]:
        """Rows of Assembly.meshes by kind, 'sun' and 'ring', planet by planet."""
        ...

    def mesh_phases(self) -> MeshPhases: ...

    def excited_family(self, harmonic: int) -> str:
        """The family of modes that a harmonic of the mesh frequency excites; '' if not known."""
        ...


@runtime_checkable
class HasModeFamilies(Protocol):
    """What a machine offers besides if its symmetry sorts the modes into families."""

    def mode_families(self, weighed: NDArray, pose: NDArray) -> Sequence[str]:
        """The family of each mode; `weighed` (mode, body, 3) are shapes times roots of masses."""
        ...


@runtime_checkable
class HasDerived(Protocol):
    """What a machine offers besides if a rule fills in what its spec leaves out."""

    def derived(self) -> Sequence[Derived]: ...


@runtime_checkable
class HasGearData(Protocol):
    """What a machine offers besides if it has involute gears."""

    def gear_data(self) -> Sequence[DataTable]:
        """Gears and meshes as designed, errors left out."""
        ...
