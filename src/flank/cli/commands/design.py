"""`flank design`, a group of commands."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from flank.cli.commands.options import OpenOption

design_group = typer.Typer(
    help="Find what a machine could look like, before there is a spec.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
TorqueOption = Annotated[
    str, typer.Option("--torque", metavar="AMOUNT", help="The rated torque of the output.")
]
PeakOption = Annotated[
    str | None,
    typer.Option("--peak-torque", metavar="AMOUNT", help="What it bears at times."),
]
OperatingOption = Annotated[
    str | None,
    typer.Option(
        "--operating-torque", metavar="AMOUNT", help="What it runs on with, for heat and losses."
    ),
]
RatioOption = Annotated[
    str | None,
    typer.Option("--ratio", metavar="NUMBER", help="Input over output speed; or give both speeds."),
]
RatioToleranceOption = Annotated[
    str | None,
    typer.Option("--ratio-tolerance", metavar="PART", help="How far off the ratio may be."),
]
InputSpeedOption = Annotated[
    str | None, typer.Option("--input-speed", metavar="AMOUNT", help="Speed of the input.")
]
OutputSpeedOption = Annotated[
    str | None, typer.Option("--output-speed", metavar="AMOUNT", help="Speed of the output.")
]
DiameterOption = Annotated[
    str | None,
    typer.Option("--outer-diameter", metavar="AMOUNT", help="The largest diameter of the housing."),
]
LengthOption = Annotated[
    str | None, typer.Option("--length", metavar="AMOUNT", help="The largest length of it.")
]
BoreOption = Annotated[
    str | None, typer.Option("--bore", metavar="AMOUNT", help="The least hole through the middle.")
]
LifeOption = Annotated[
    str | None, typer.Option("--life", metavar="AMOUNT", help="Of bearings at rated torque.")
]
ProcessOption = Annotated[
    str | None,
    typer.Option("--process", metavar="NAME", help="ground, eroded, machined, moulded or printed."),
]
ToleranceOption = Annotated[
    str | None,
    typer.Option(
        "--tolerance", metavar="AMOUNT|GRADE", help="Half of what parts deviate, or as IT6."
    ),
]
PressureOption = Annotated[
    str | None, typer.Option("--pressure", metavar="AMOUNT", help="The largest contact pressure.")
]
MaterialOption = Annotated[
    str | None, typer.Option("--material", metavar="NAME", help="Of toothed parts.")
]
BacklashOption = Annotated[
    str | None, typer.Option("--backlash", metavar="AMOUNT", help="The largest backlash.")
]
LostMotionOption = Annotated[
    str | None, typer.Option("--lost-motion", metavar="AMOUNT", help="The largest lost motion.")
]
StiffnessOption = Annotated[
    str | None,
    typer.Option("--stiffness", metavar="AMOUNT", help="The least torsional stiffness."),
]
RankOption = Annotated[
    str | None,
    typer.Option(
        "--rank",
        metavar="RULE",
        help="size (if not given), diameter, length, stiffness, play or margin.",
    ),
]
DesignsOption = Annotated[
    str | None, typer.Option("--designs", metavar="N", help="How many are wanted; 3.")
]
DrawsOption = Annotated[
    str | None,
    typer.Option("--draws", metavar="N", help="Drawn machines that each design is verified by."),
]
SeedOption = Annotated[
    str | None, typer.Option("--seed", metavar="N", help="By which deviations are drawn; 0.")
]
SaveOption = Annotated[
    str | None,
    typer.Option("--save", metavar="FOLDER", help="Write specs and a report there."),
]

REDUCERS = {
    "cycloidal": """Find cycloidal drives that do what is wanted.

    Whole numbers are gone through, continuous values found by static solves; what is shown passes
    `flank check` and was verified by a loop, its transmission error and drawn machines. Exits with
    0 if designs are found, with 2 if none are or the input is refused and with 130 if it is stopped
    by Ctrl-C.

    \b
    Examples:
      flank design cycloidal --ratio 29 --torque '50 N*m' --outer-diameter '120 mm'
      flank design cycloidal --ratio 29 --torque '50 N*m' --tolerance '10 um' --save drives
    """,
    "rv": """Find RV reducers that do what is wanted: first stage, cranks, discs among pins.

    As `flank design cycloidal`; the pin circle follows from pressure, bearing life and room.

    \b
    Example:
      flank design rv --ratio 121 --torque '412 N*m' --save reducers
    """,
    "few-teeth": """Find reducers with few teeth of difference that do what is wanted.

    As `flank design rv`: cranks and discs as there, toothed discs in a toothed ring, with a first
    stage or without one.

    \b
    Example:
      flank design few-teeth --ratio 30 --torque '60 N*m' --save reducers
    """,
    "gear-pair": """Find pairs of involute gears that do what is wanted, rated by ISO 6336.

    Teeth without a common factor, modules of ISO 54, spur and helical. The torque is the wheel's.

    \b
    Example:
      flank design gear-pair --ratio 3.08 --torque '700 N*m' --input-speed '1480 rpm'
    """,
}
"""Kinds that are asked for in the same words, and what their help says."""


def _reducer_command(kind: str) -> Callable[..., None]:
    """The command of a kind of REDUCERS."""

    def command(
        torque: TorqueOption,
        ratio: RatioOption = None,
        ratio_tolerance: RatioToleranceOption = None,
        input_speed: InputSpeedOption = None,
        output_speed: OutputSpeedOption = None,
        peak_torque: PeakOption = None,
        operating_torque: OperatingOption = None,
        outer_diameter: DiameterOption = None,
        length: LengthOption = None,
        bore: BoreOption = None,
        life: LifeOption = None,
        process: ProcessOption = None,
        tolerance: ToleranceOption = None,
        pressure: PressureOption = None,
        material: MaterialOption = None,
        backlash: BacklashOption = None,
        lost_motion: LostMotionOption = None,
        stiffness: StiffnessOption = None,
        rank: RankOption = None,
        designs: DesignsOption = None,
        draws: DrawsOption = None,
        seed: SeedOption = None,
        save: SaveOption = None,
        open_report: OpenOption = False,
    ) -> None:
        _design(kind, {name: each for name, each in locals().items() if name != "kind"})

    return command


for _kind, _help in REDUCERS.items():
    design_group.command(_kind, help=_help)(_reducer_command(_kind))


def _design(kind: str, given: dict[str, Any]) -> None:
    """`given` are the options of a command by their names."""
    from flank.cli.terminal import interrupts, refusals

    save, open_report = given.pop("save"), given.pop("open_report")
    with refusals(), interrupts():
        from flank.cli.designs import design

        design(kind, given, save, open_report)


@design_group.command("cv-joint")
def design_joint_command(
    torque: Annotated[
        str, typer.Option("--torque", metavar="AMOUNT", help="What it transmits for long.")
    ],
    deflection: Annotated[
        str,
        typer.Option(
            "--deflection", metavar="AMOUNT", help="The largest angle between the shafts."
        ),
    ],
    plunge: Annotated[
        str | None,
        typer.Option("--plunge", metavar="AMOUNT", help="Way to either side along the axis; 0."),
    ] = None,
    speed: Annotated[
        str | None, typer.Option("--speed", metavar="AMOUNT", help="Of both shafts; 1000 rpm.")
    ] = None,
    peak_torque: PeakOption = None,
    outer_diameter: DiameterOption = None,
    length: LengthOption = None,
    bore: BoreOption = None,
    process: ProcessOption = None,
    tolerance: ToleranceOption = None,
    pressure: PressureOption = None,
    material: MaterialOption = None,
    axial_force: Annotated[
        str | None,
        typer.Option(
            "--axial-force", metavar="AMOUNT", help="The largest axial force, peak to peak."
        ),
    ] = None,
    secondary_torque: Annotated[
        str | None,
        typer.Option(
            "--secondary-torque", metavar="AMOUNT", help="The largest torque across the shafts."
        ),
    ] = None,
    loss: Annotated[
        str | None,
        typer.Option("--loss", metavar="AMOUNT", help="The largest power lost to friction."),
    ] = None,
    rank: Annotated[
        str | None,
        typer.Option(
            "--rank", metavar="RULE", help="size (if not given), diameter, length or margin."
        ),
    ] = None,
    designs: DesignsOption = None,
    seed: SeedOption = None,
    save: SaveOption = None,
    open_report: OpenOption = False,
) -> None:
    """Find plunging ball joints with crossed tracks that do what is wanted.

    Balls are as they are sold; what is shown passes `flank check` and was run: equilibria over a
    turn, and turns in time with friction where axial force or secondary torque are limited.

    \b
    Example:
      flank design cv-joint --torque '500 N*m' --deflection '6 deg' --plunge '10 mm'
    """
    _design("cv-joint", dict(locals()))


@design_group.command("planetary")
def design_planetary_command(
    ratio: Annotated[float, typer.Option(help="Speed of the faster over the slower member.")],
    tolerance: Annotated[
        float, typer.Option(help="How far off the ratio may be, as a part of it.")
    ] = 0.02,
    held: Annotated[str, typer.Option(metavar="MEMBER", help="ring, sun or carrier.")] = "ring",
    planets: Annotated[str, typer.Option(metavar="N,N", help="Planet counts to try.")] = "3,4,5",
    teeth_min: Annotated[int, typer.Option(help="Fewest teeth of sun and planets.")] = 12,
    sun_max: Annotated[int, typer.Option(help="Most teeth of the sun.")] = 60,
    ring_max: Annotated[int, typer.Option(help="Most teeth of the ring.")] = 200,
    shift: Annotated[
        float,
        typer.Option(
            help="Modules by which the centre distances of the meshes without profile shift may "
            "differ; 0 for gears that need none."
        ),
    ] = 0.5,
    clearance: Annotated[
        float, typer.Option(help="Least gap between the tips of planets, in modules.")
    ] = 0.0,
    limit: Annotated[int, typer.Option(help="Most rows to print.")] = 20,
    torque: Annotated[
        str | None,
        typer.Option(
            metavar="AMOUNT", help="The rated torque of the carrier: sets with module and widths."
        ),
    ] = None,
    input_speed: InputSpeedOption = None,
    outer_diameter: DiameterOption = None,
    length: LengthOption = None,
    bore: BoreOption = None,
    life: LifeOption = None,
    rank: RankOption = None,
    designs: DesignsOption = None,
    save: SaveOption = None,
    open_report: OpenOption = False,
) -> None:
    """List tooth numbers and planet counts that assemble for a wanted ratio, with their phasing.

    With a torque: find sets with the ring held, module, widths and profile shifts, that are rated
    by ISO 6336, pass `flank check` and were run.

    Planets stand at equal distances. With the ring held, the ratio is that of sun to carrier; with
    the sun held, of ring to carrier; with the carrier held, of sun to ring, which turn oppositely.

    \b
    Examples:
      flank design planetary --ratio 5.55
      flank design planetary --ratio 4 --held carrier --planets 3 --shift 0
      flank design planetary --ratio 5.55 --torque '500 N*m' --save sets
    """
    sized = {
        "input_speed": input_speed,
        "outer_diameter": outer_diameter,
        "length": length,
        "bore": bore,
        "life": life,
        "rank": rank,
        "designs": designs,
        "save": save,
    }
    if torque is not None or any(each is not None for each in sized.values()):
        listed = {
            "--held": held != "ring",
            "--planets": planets != "3,4,5",
            "--teeth-min": teeth_min != 12,
            "--sun-max": sun_max != 60,
            "--ring-max": ring_max != 200,
            "--shift": shift != 0.5,
            "--clearance": clearance != 0.0,
            "--limit": limit != 20,
        }
        from flank.cli.designs import refuse_listing_options
        from flank.cli.terminal import refusals

        with refusals():
            refuse_listing_options(torque, [name for name, given in listed.items() if given])
        wanted = {"ratio": str(ratio), "ratio_tolerance": str(tolerance), "torque": torque}
        _design("planetary", wanted | sized | {"open_report": open_report})
        return
    from flank.cli.design import design_planetary, parse_held, parse_planets
    from flank.cli.terminal import refusals
    from flank.geometry.planetary_design import Search

    with refusals():
        member = parse_held(held)
        search = Search(
            abs(ratio) if member == "carrier" else ratio,
            member,
            parse_planets(planets),
            tolerance,
            teeth_min,
            sun_max,
            ring_max,
            shift,
            clearance,
        )
        design_planetary(search, limit)
