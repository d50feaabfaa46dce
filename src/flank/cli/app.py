"""The command `flank`. Each command imports what it needs when it runs, so that help is quick."""

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from flank._version import __version__
from flank.cli.usage import FlankGroup

app = typer.Typer(
    cls=FlankGroup,
    help=(
        "How gears, reducers and joints transmit motion, computed from explicit contact "
        "geometry.\n\n"
        "\b\nExample:\n  flank run cycloidal-drive --analysis hysteresis"
    ),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

MachineArgument = Annotated[
    str, typer.Argument(metavar="PRESET|FILE", help="A preset's name or the path of a spec file.")
]
SetOption = Annotated[
    list[str],
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change one key of the spec; KEY= or KEY=null takes it away, so that its default "
        "holds. May be given repeatedly.",
    ),
]
FormatOption = Annotated[
    list[str],
    typer.Option(
        "--format",
        metavar="NAME",
        help="A further format of the files, as csv or markdown; may be given repeatedly.",
    ),
]
OpenOption = Annotated[bool, typer.Option("--open", help="Show the report in the browser.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"flank {__version__}")
        raise typer.Exit()


@app.callback()
def _flank(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


@app.command("list")
def list_command(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="A machine, a preset, an analysis, or materials."),
    ] = None,
) -> None:
    """List the presets and the analyses, or all that can be said to one of them.

    Of a machine or a preset: every key of its spec with unit, default and meaning, and its
    analyses. Of an analysis: its settings. Of materials: those that need no definition.

    \b
    Examples:
      flank list
      flank list rv-reducer
      flank list hysteresis
      flank list materials
    """
    from flank.cli.listing import listing, named_listing
    from flank.cli.terminal import refusals

    with refusals():
        typer.echo(listing() if name is None else named_listing(name))


@app.command("new")
def new_command(
    preset: Annotated[str, typer.Argument(metavar="PRESET", help="One of `flank list`.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A file that does not exist yet; printed if not given."),
    ] = None,
) -> None:
    """Write a preset's commented spec into a file, to be edited, or print it.

    \b
    Example:
      flank new cycloidal-drive --out my.yaml
    """
    from flank.cli.places import new
    from flank.cli.terminal import refusals

    with refusals():
        new(preset, out)


@app.command("check")
def check_command(
    machine: MachineArgument,
    changes: SetOption = [],  # noqa: B006
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 on warnings.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the verdict as JSON, values in SI.")
    ] = False,
) -> None:
    """Check whether a machine may be released, in a second.

    Prints a light, what is doubtful with value and limit and what to change by how much, the worst
    first, and derived figures: sizes, walls, and from static solves at rated and peak torque
    pressures, play and stiffness. Exits with 0 if nothing is an error, with 1 on warnings where
    --strict is given, and with 2 if the light is red or the machine cannot be built.

    \b
    Examples:
      flank check my.yaml --set eccentricity='1.5 mm'
      flank check my.yaml --set discs.points_file=null
      flank check my.yaml --strict --json
    """
    from flank.cli.check import check
    from flank.cli.terminal import refusals

    with refusals():
        status = check(machine, changes, strict, as_json)
    if status:
        raise typer.Exit(status)


@app.command("run")
def run_command(
    machine: MachineArgument,
    analysis: Annotated[
        str | None,
        typer.Option(
            "--analysis",
            metavar="NAME",
            help="One of `flank list`; transmission-error of a reducer, joint-turns of a joint if "
            "not given.",
        ),
    ] = None,
    options: Annotated[
        list[str],
        typer.Option(
            "--option",
            metavar="KEY=VALUE",
            help="A setting of the analysis; may be given repeatedly.",
        ),
    ] = [],  # noqa: B006
    changes: SetOption = [],  # noqa: B006
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Where the files go; flank-out/<machine>-<analysis> if not given.",
        ),
    ] = None,
    formats: FormatOption = [],  # noqa: B006
    measured: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A measured loop or transmission error, laid over the computed one.",
        ),
    ] = None,
    open_report: OpenOption = False,
) -> None:
    """Run one analysis of a machine.

    Prints its numbers and writes result, spec, pictures and report into a folder, where they
    replace those of an earlier run, and nothing else: a folder where they would is refused. Exits
    with 0 if the run completed, with 1 if it failed (what was found is written), with 2 if the
    input is refused and with 130 if it is stopped by Ctrl-C.

    \b
    Examples:
      flank run cycloidal-drive --open
      flank run my.yaml --analysis hysteresis --option torque='200 N*m' --out loop
      flank run cycloidal-drive --format csv --format markdown
      flank run monocrank --set pins.radius='3.4 mm' --set discs.equidistant='40 um'
      flank run my.yaml --analysis hysteresis --measured loop.csv
    """
    from flank.cli.terminal import interrupts, refusals

    with refusals(), interrupts():
        from flank.cli.run import run

        complete = run(machine, analysis, options, changes, out, open_report, formats, measured)
    if not complete:
        raise typer.Exit(1)


@app.command("dossier")
def dossier_command(
    machine: MachineArgument,
    changes: SetOption = [],  # noqa: B006
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Where the files go; flank-out/<machine>-dossier if not given.",
        ),
    ] = None,
    revision: Annotated[
        str, typer.Option(metavar="TEXT", help="Of the drawing, for the title block.")
    ] = "",
    author: Annotated[str, typer.Option(metavar="TEXT", help="For the title block.")] = "",
    formats: FormatOption = [],  # noqa: B006
    open_report: OpenOption = False,
) -> None:
    """Ask a machine all that fits it, and write one dated report.

    Title block, verdict with its margins, drawing with dimensions, loads and lives, and a part for
    every analysis that fits; a page that prints on A4, all numbers as spreadsheet and JSON. An
    analysis that fails is told in its place, and the others go on. Exits with 0 if all completed,
    with 1 if one did not, with 2 if the input is refused and with 130 if it is stopped by Ctrl-C.

    \b
    Examples:
      flank dossier my.yaml --out dossier --revision B --author 'E. Noether'
      flank dossier cycloidal-drive --open
    """
    from flank.cli.terminal import interrupts, refusals

    with refusals(), interrupts():
        from flank.cli.dossier import dossier

        complete = dossier(machine, changes, out, revision, author, formats, open_report)
    if not complete:
        raise typer.Exit(1)


@app.command("animate")
def animate_command(
    source: Annotated[
        str,
        typer.Argument(
            metavar="PRESET|FILE|RESULT", help="A preset, a spec file, or a result.nc of a run."
        ),
    ],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="The file to write, .gif or .mp4 (with ffmpeg).")
    ],
    changes: SetOption = [],  # noqa: B006
    mode: Annotated[
        int | None, typer.Option("--mode", metavar="K", help="Swing in this mode instead.")
    ] = None,
    frames: Annotated[int, typer.Option("--frames", help="Pictures, at most.")] = 60,
    turns: Annotated[
        int,
        typer.Option("--turns", help="Turns of the shaft in which whole teeth or pins pass."),
    ] = 1,
    rate: Annotated[float, typer.Option("--rate", help="Pictures a second.")] = 20.0,
    width: Annotated[
        int | None,
        typer.Option(
            "--width", metavar="PIXELS", help="How wide the picture is; 560 to 900 if not given."
        ),
    ] = None,
) -> None:
    """Write a picture that moves: the machine turning with its loads, or swinging in a mode.

    Arrows are contact forces, all on one scale; colours are pressures. A run over whole turns is
    computed first, or a result is shown as it is. A file that Flank did not write is left alone.

    \b
    Examples:
      flank animate cycloidal-drive --out drive.gif
      flank animate planetary-lin-parker --mode 4 --out mode.gif
      flank animate flank-out/cv-joint-joint-turns/result.nc --out joint.mp4
    """
    from flank.cli.terminal import interrupts, refusals

    with refusals(), interrupts():
        from flank.cli.animate import Asked, animate

        complete = animate(Asked(source, out, changes, mode, frames, turns, rate, width))
    if not complete:
        raise typer.Exit(1)


def _file(name: str, meaning: str) -> typer.models.OptionInfo:
    """An option that names the file to write."""
    option: typer.models.OptionInfo = typer.Option(f"--{name}", metavar="FILE", help=meaning)
    return option


@app.command("studio")
def studio_command(
    machine: Annotated[
        str | None,
        typer.Argument(
            metavar="PRESET|FILE",
            help="A preset's name or the path of a spec file; cycloidal-drive if none is given.",
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(metavar="NUMBER", help="Of this computer; any that is free if 0.")
    ] = 0,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the page's address and open nothing.")
    ] = False,
) -> None:
    """Open a page on this computer: a spec under sliders, its picture and answers beside it.

    The machine is drawn and its loads are computed anew while a slider moves; findings light their
    field and offer a remedy. Specs and reports are saved into the present folder. Nothing outside
    this computer reaches the page, nor does it ask for anything there. Needs the extra
    flank[studio]. Ctrl-C ends it.

    \b
    Examples:
      flank studio my.yaml
      flank studio rv-320 --port 8000 --no-browser
    """
    from flank.cli.studio import studio
    from flank.cli.terminal import refusals

    with refusals():
        studio(machine, port, not no_browser)


@app.command("compare")
def compare_command(
    sides: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PRESET|FILE|RESULT...",
            help="Two or more: presets, spec files, result files or folders with one.",
        ),
    ] = None,
    analyses: Annotated[
        list[str],
        typer.Option(
            "--analysis",
            metavar="NAME",
            help="What all are asked; may be given repeatedly. Those that fit all and take seconds "
            "if not given.",
        ),
    ] = [],  # noqa: B006
    options: Annotated[
        list[str],
        typer.Option(
            "--option",
            metavar="ANALYSIS.KEY=VALUE",
            help="A setting of an analysis; may be given repeatedly.",
        ),
    ] = [],  # noqa: B006
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Where the files go; flank-out/compare-<names> if not given."
        ),
    ] = None,
    formats: FormatOption = [],  # noqa: B006
    open_report: OpenOption = False,
) -> None:
    """Set machines or results beside one another.

    Prints which keys of their specs differ, and figures of the analyses that fit all side by side,
    the better one marked; writes tables, curves over one another and a report. Where one of them is
    a result, the others are asked the same. Exits with 0, with 1 if a run failed, with 2 if the
    input is refused and with 130 if it is stopped by Ctrl-C.

    \b
    Examples:
      flank compare rv-40 rv-80
      flank compare my.yaml flank-out/my-optimize/optimum.yaml --analysis transmission-error
    """
    from flank.cli.terminal import interrupts, refusals

    with refusals(), interrupts():
        from flank.cli.compare import compare

        complete = compare(sides or [], analyses, options, out, formats, open_report)
    if not complete:
        raise typer.Exit(1)


@app.command("optimize")
def optimize_command(
    machine: MachineArgument,
    vary: Annotated[
        list[str],
        typer.Option(
            "--vary",
            metavar="KEY=LOW..HIGH",
            help="A key of the spec and its bounds; may be given repeatedly.",
        ),
    ] = [],  # noqa: B006
    better: Annotated[
        list[str],
        typer.Option(
            "--for",
            metavar="FIGURE",
            help="A figure to be improved, as transmission-error.peak_to_peak; two give a front.",
        ),
    ] = [],  # noqa: B006
    smallest: Annotated[
        list[str],
        typer.Option("--minimize", metavar="FIGURE", help="The same, to be as small as can be."),
    ] = [],  # noqa: B006
    largest: Annotated[
        list[str],
        typer.Option("--maximize", metavar="FIGURE", help="The same, to be as large as can be."),
    ] = [],  # noqa: B006
    subject_to: Annotated[
        list[str],
        typer.Option(
            "--subject-to",
            metavar="LIMIT",
            help="What a figure may be, as 'backlash < 1 arcmin'; may be given repeatedly.",
        ),
    ] = [],  # noqa: B006
    options: Annotated[
        list[str],
        typer.Option(
            "--option",
            metavar="ANALYSIS.KEY=VALUE",
            help="A setting of an analysis; may be given repeatedly.",
        ),
    ] = [],  # noqa: B006
    changes: SetOption = [],  # noqa: B006
    evaluations: Annotated[
        int | None,
        typer.Option(metavar="N", help="Specs tried at most; 80 a key if not given, 160 of two."),
    ] = None,
    minutes: Annotated[float | None, typer.Option(help="Time at most.")] = None,
    seed: Annotated[
        int, typer.Option(min=0, help="By which points are spread; another finds other paths.")
    ] = 0,
    points: Annotated[int, typer.Option(min=2, max=100, help="Of a front, that are wanted.")] = 9,
    allow_findings: Annotated[
        bool,
        typer.Option(
            "--allow-findings",
            help="Also specs about which `flank check` finds what it does not find now.",
        ),
    ] = False,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Where the files go; flank-out/<machine>-optimize if not given."
        ),
    ] = None,
    formats: FormatOption = [],  # noqa: B006
    open_report: OpenOption = False,
) -> None:
    """Vary keys of a spec until a figure is as good as can be within limits.

    Every spec that is tried is run. Prints the machine as it is and the optimum side by side, what
    holds the optimum, and figures around it; writes the optimal spec, all trials, pictures and a
    report. A figure is one of an analysis, or of the check as check.wall_to_root. Ctrl-C ends it
    with the best so far. Exits with 0 if a spec keeps all limits, with 1 if none does, with 2 if
    the input is refused and with 130 if it is stopped.

    \b
    Examples:
      flank optimize cycloidal-drive --vary discs.equidistant='0..20 um'
          --for transmission-error.peak_to_peak --subject-to 'backlash > 1 arcmin'
      flank optimize my.yaml --vary eccentricity='0.8..1.6 mm' --vary pins.radius='2..4 mm'
          --for hysteresis.torsional_stiffness --for hysteresis.largest_pin_pressure
    """
    from flank.cli.terminal import INTERRUPTED, interrupts, refusals

    with refusals(), interrupts():
        from flank.cli.optimize import Effort, Wanted, optimize

        found, stopped = optimize(
            machine,
            vary,
            Wanted(better, smallest, largest, subject_to),
            options,
            changes,
            Effort(evaluations, minutes, seed, points),
            allow_findings,
            out,
            formats,
            open_report,
        )
    if stopped or not found:
        raise typer.Exit(INTERRUPTED if stopped else 1)


@app.command("export")
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
            "spectral_radius; of drawings: angle, curves, tolerance. May be given repeatedly.",
        ),
    ] = [],  # noqa: B006
    changes: SetOption = [],  # noqa: B006
) -> None:
    """Write a machine or a result for other programs: one file a call.

    DXF, STEP and SVG have all parts where they stand, as they are made: modifications, clearances
    and drawn errors are in them. STEP needs the extra `cad` of Flank, DXF too.

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
        files = {"fmu": fmu, **drawings, "mat": mat, "xlsx": xlsx}
        asked = {name: path for name, path in files.items() if path is not None}
        export(source, asked, Unit(version, contents), options, changes)


@app.command("reproduce")
def reproduce_command(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The study; without it all are listed.")
    ] = None,
    coarse: Annotated[
        bool,
        typer.Option(
            "--coarse", help="Fewer points and shorter ramps; still takes a minute or two."
        ),
    ] = False,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Where the files go; flank-out/reproduce-<name> if not given."
        ),
    ] = None,
    formats: FormatOption = [],  # noqa: B006
    open_report: OpenOption = False,
) -> None:
    """Redo a published study and set its figures beside ours, with the reasons for differences.

    Prints the tables and writes them (CSV, Markdown), pictures and a page into a folder. Exits with
    0 if every computation completed, with 1 if one failed, with 2 if the input is refused and with
    130 if it is stopped by Ctrl-C.

    \b
    Examples:
      flank reproduce
      flank reproduce reducers --out study
    """
    from flank.cli.terminal import interrupts, refusals
    from flank.reproduce.registry import listing

    if name is None:
        typer.echo(listing())
        return
    with refusals(), interrupts():
        from flank.cli.run import reproduce

        complete = reproduce(name, coarse, out, open_report, formats)
    if not complete:
        raise typer.Exit(1)


study_app = typer.Typer(
    help=(
        "Build a machine many times over, with the errors of its drawing: what share is good?\n\n"
        "\b\nExample:\n  flank study run study.yaml"
    ),
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(study_app, name="study")

StudyFolder = Annotated[
    str, typer.Argument(metavar="FOLDER", help="The folder of a study, as `run` names it.")
]
ThreadsOption = Annotated[
    int | None,
    typer.Option(min=1, max=1024, help="Samples computed at once; as many as cores if not given."),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Of a Dask scheduler, or local (processes here): workers compute, not threads.",
    ),
]
CudaOption = Annotated[
    bool,
    typer.Option(
        "--cuda", help="On GPUs, this machine's or the cluster's: loops of machines with pins."
    ),
]
OtherKernelsOption = Annotated[
    bool,
    typer.Option(
        "--other-kernels", help="Go on though samples by now were computed with other kernels."
    ),
]


@study_app.command("run")
def study_run_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file of a study.")],
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Where its files go; flank-out/study-<file> if not given."
        ),
    ] = None,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    cuda: CudaOption = False,
    other_kernels: OtherKernelsOption = False,
    open_report: OpenOption = False,
) -> None:
    """Run a study, or go on with it where its folder has a part of it.

    Samples are kept in a store in the folder, which survives whatever ends the study. A report
    beside it is written anew while the study runs. Exits with 0 if every sample completed, with 1
    if one failed, with 2 if the input is refused and with 130 if it is stopped by Ctrl-C.

    \b
    Examples:
      flank study run study.yaml
      flank study run study.yaml --out pins --threads 8 --open
    """
    from flank.cli.terminal import interrupts, refusals

    with refusals(), interrupts():
        from flank.cli.study import chosen_backend, run_study

        backend = chosen_backend(threads, cluster, cuda)
        complete = run_study(file, out, backend, open_report, other_kernels)
    if not complete:
        raise typer.Exit(1)


@study_app.command("allocate")
def study_allocate_command(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The file of a study, with its block `allocate`.")
    ],
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Where its files go; flank-out/allocate-<file> if not given."
        ),
    ] = None,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    open_report: OpenOption = False,
) -> None:
    """Find the cheapest grades of tolerances that keep a yield, and prove them by a study.

    All combinations of grades are gone through by a map that a pilot of exact samples makes; the
    cheapest whose yield it takes for enough is computed exactly, until one is proved. Studies are
    kept in the folder, and gone on with by the same command. Exits with 0 if grades are proved,
    with 1 if none are, with 2 if the input is refused and with 130 if it is stopped by Ctrl-C.

    \b
    Example:
      flank study allocate study.yaml
    """
    from flank.cli.terminal import interrupts, refusals

    with refusals(), interrupts():
        from flank.cli.study import allocate_grades

        proved = allocate_grades(file, out, threads, cluster, open_report)
    if not proved:
        raise typer.Exit(1)


@study_app.command("resume")
def study_resume_command(
    folder: StudyFolder,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    cuda: CudaOption = False,
    other_kernels: OtherKernelsOption = False,
    open_report: OpenOption = False,
) -> None:
    """Go on with a study that was stopped, by Ctrl-C, a full disk or anything else.

    \b
    Example:
      flank study resume flank-out/study-pins
    """
    from flank.cli.terminal import interrupts, refusals

    with refusals(), interrupts():
        from flank.cli.study import chosen_backend, resume_study

        backend = chosen_backend(threads, cluster, cuda)
        complete = resume_study(folder, backend, open_report, other_kernels)
    if not complete:
        raise typer.Exit(1)


@study_app.command("status")
def study_status_command(folder: StudyFolder) -> None:
    """Say how far a study is, how fast, and what failed.

    \b
    Example:
      flank study status flank-out/study-pins
    """
    from flank.cli.study import study_status
    from flank.cli.terminal import refusals

    with refusals():
        study_status(folder)


@study_app.command("show")
def study_show_command(
    folder: StudyFolder,
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="Of a sample, from 0 on.")],
    out: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Where its files go; beside the study if not given."),
    ] = None,
) -> None:
    """Compute one sample of a study again: its spec, its full report.

    \b
    Example:
      flank study show flank-out/study-pins 4711
    """
    from flank.cli.terminal import interrupts, refusals

    with refusals(), interrupts():
        from flank.cli.study import show_sample

        complete = show_sample(folder, number, out)
    if not complete:
        raise typer.Exit(1)


@study_app.command("report")
def study_report_command(folder: StudyFolder, open_report: OpenOption = False) -> None:
    """Write the report of what a study has by now.

    \b
    Example:
      flank study report flank-out/study-pins --open
    """
    from flank.cli.study import report_study
    from flank.cli.terminal import refusals

    with refusals():
        report_study(folder, open_report)


design_app = typer.Typer(
    help="Find what a machine could look like, before there is a spec.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(design_app, name="design")


TorqueOption = Annotated[
    str, typer.Option("--torque", metavar="AMOUNT", help="The rated torque of the output.")
]
PeakOption = Annotated[
    str | None,
    typer.Option("--peak-torque", metavar="AMOUNT", help="What it bears at times."),
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
    design_app.command(_kind, help=_help)(_reducer_command(_kind))


def _design(kind: str, given: dict[str, Any]) -> None:
    """`given` are the options of a command by their names."""
    from flank.cli.terminal import interrupts, refusals

    save, open_report = given.pop("save"), given.pop("open_report")
    with refusals(), interrupts():
        from flank.cli.designs import design

        design(kind, given, save, open_report)


@design_app.command("planetary")
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


def main() -> None:
    """Entry point of the command."""
    # Most of a short run is imports, and a tenth of their time is the collector.
    gc.disable()
    app(prog_name="flank")


if __name__ == "__main__":
    main()
