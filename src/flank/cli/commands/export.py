"""`flank export`."""

from typing import Annotated

import typer

from flank.cli.commands.options import SetOption


def _file(name: str, meaning: str) -> typer.models.OptionInfo:
    """An option that names the file to write."""
    option: typer.models.OptionInfo = typer.Option(f"--{name}", metavar="FILE", help=meaning)
    return option


def export_command(
    source: Annotated[
        str,
        typer.Argument(
            metavar="PRESET|FILE|RESULT",
            help="A preset's name, the path of a spec file, or that of a result.nc.",
        ),
    ],
    fmu: Annotated[str | None, _file("fmu", "A unit for other programs.")] = None,
    dxf: Annotated[str | None, _file("dxf", "A drawing of all parts, on layers.")] = None,
    step: Annotated[str | None, _file("step", "All parts as solids.")] = None,
    svg: Annotated[str | None, _file("svg", "A drawing of all parts at true size.")] = None,
    csv: Annotated[str | None, _file("csv", "Points of all edges.")] = None,
    rexs: Annotated[str | None, _file("rexs", "Gears, shafts and bearings as REXS.")] = None,
    ross: Annotated[str | None, _file("ross", "A script for ROSS: rotors and a mesh.")] = None,
    opentorsion: Annotated[
        str | None, _file("opentorsion", "A script for openTorsion: what turns.")
    ] = None,
    mat: Annotated[str | None, _file("mat", "A result for Matlab.")] = None,
    xlsx: Annotated[str | None, _file("xlsx", "A result as a workbook.")] = None,
    version: Annotated[int, typer.Option("--version", help="Of the FMI standard: 2 or 3.")] = 2,
    contents: Annotated[
        str,
        typer.Option(
            "--contents",
            metavar="NAME",
            help="Of a unit. block: the machine between two shafts; force: what acts between two "
            "gears that touch in space.",
        ),
    ] = "block",
    options: Annotated[
        list[str],
        typer.Option(
            "--option",
            metavar="KEY=VALUE",
            help="A setting. Of a unit's block: step, drive, torque, initial_speed, start_angle or "
            "spectral_radius; of drawings: angle, curves, tolerance; of models for ROSS and "
            "openTorsion: angle, torque. May be given repeatedly.",
        ),
    ] = [],  # noqa: B006
    changes: SetOption = [],  # noqa: B006
) -> None:
    """Write a machine or a result for other programs: one file a call.

    DXF, STEP and SVG have all parts where they stand, as they are made: modifications, clearances
    and drawn errors are in them. STEP needs the extra `cad` of Flank, DXF too.

    REXS, ROSS and openTorsion take gear pairs, REXS and openTorsion also planetary gearboxes:
    gears, shafts and bearings; two rotors and a mesh; inertias and springs that turn, with the
    stiffness and the error of meshes over a cycle.

    A unit (FMU) is a block with two shafts for co-simulation: torques in, angles and speeds out;
    with drive=speed the speed of the input in, its torque out. Or the force between two gears in
    space: their motion in, forces and derivatives out, also for model exchange. It holds machine
    code for this platform and no Python. Friction, damping and stiffness are parameters; geometry
    is fixed.

    Replaces a file that Flank wrote, and nothing else. Exits with 0 if it was written, with 2 if
    the input is refused.

    \b
    Examples:
      flank export cycloidal-drive --dxf drive.dxf
      flank export rv-320 --step rv.step --option angle='30 deg'
      flank export my.yaml --dxf my.dxf --option curves=polylines --option tolerance='2 um'
      flank export gear-pair --rexs pair.rexs
      flank export planetary-500kw --opentorsion train.py --option torque='20000 N*m'
      flank export loop/result.nc --mat loop.mat
      flank export loop/result.nc --xlsx loop.xlsx
      flank export cycloidal-drive --fmu drive.fmu
      flank export my.yaml --fmu my.fmu --version 3 --option drive=speed
      flank export rv-320 --fmu rv.fmu --option step='20 us' --option initial_speed='0 rpm'
    """
    from flank.cli.terminal import interrupts, refusals

    with refusals(), interrupts():
        from flank.cli.export import Unit, export

        drawings = {"dxf": dxf, "step": step, "svg": svg, "csv": csv}
        models = {"rexs": rexs, "ross": ross, "opentorsion": opentorsion}
        files = {"fmu": fmu, **drawings, **models, "mat": mat, "xlsx": xlsx}
        asked = {name: path for name, path in files.items() if path is not None}
        export(source, asked, Unit(version, contents), options, changes)
