"""`flank study`, a group of commands."""

from typing import Annotated

import typer

from flank.cli.commands.options import OpenOption

study_group = typer.Typer(
    help=(
        "Build a machine many times over, with the errors of its drawing: what share is good?\n\n"
        "\b\nExample:\n  flank study run study.yaml"
    ),
    no_args_is_help=True,
    rich_markup_mode=None,
)
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


@study_group.command("run")
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


@study_group.command("allocate")
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


@study_group.command("resume")
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


@study_group.command("status")
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


@study_group.command("show")
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


@study_group.command("report")
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
