"""Flank from Python: make a machine, ask it something, look at the answer.

drive = flank.preset("cycloidal-drive", {"eccentricity": "1.31 mm"})
result = flank.run(drive, "hysteresis", torque="200 N*m")
print(flank.summary(result))
flank.save(result, "out")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from flank import units
from flank.errors import SpecError
from flank.notebook import attach
from flank.texts import echo, echo_path, with_article

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.design.comparison import Comparison
    from flank.design.designing import Shortlist
    from flank.design.optimization import Optimum
    from flank.design.verdict import Verdict
    from flank.dynamics.run import Progress
    from flank.machines.base import Machine
    from flank.report.document import Document
    from flank.report.dossier import Dossier
    from flank.studies.allocation import Allocation
    from flank.studies.evaluation import Evaluation
    from flank.studies.spec import StudySpec
    from flank.studies.study import Study, Tell


attach()


def preset(name: str, changes: Mapping[str, Any] | None = None) -> Machine:
    """A ready machine by name, with changes such as {"pins.count": 30, "eccentricity": "1 mm"}."""
    from flank.io.spec_files import read_spec_text
    from flank.machines.registry import changed_title
    from flank.presets import preset_text

    data = read_spec_text(preset_text(name), name)
    if changes and "title" in data:
        data["title"] = changed_title(data["title"], changes)
    return _machine(units.as_written(data), changes)


def load(path: str | Path, changes: Mapping[str, Any] | None = None) -> Machine:
    """The machine of a spec file; files that it names by relative paths count from its folder.

    A .rexs file holds a machine, too, if it has one stage, and all that its spec needs.
    """
    if Path(path).suffix.lower() == ".rexs":
        from flank.exchange.rexs_reader import import_rexs

        return import_rexs(path, None, changes).machine
    from flank.io.spec_files import read_spec_file

    data = units.as_written(read_spec_file(path))
    count_from(Path(path).resolve().parent, data)
    return _machine(data, changes)


def count_from(folder: Path, data: dict[str, Any]) -> None:
    """Lead relative paths of files, in all blocks, from a folder; an alias of YAML may put a block
    into many places, and into itself."""
    seen, waiting = set(), [data]
    while waiting:
        block = waiting.pop()
        if id(block) in seen:
            continue
        seen.add(id(block))
        for key, value in block.items():
            if isinstance(value, dict):
                waiting.append(value)
            elif key in ("file", "points_file") and isinstance(value, str):
                block[key] = str(folder / value)


def _machine(data: Mapping[str, Any], changes: Mapping[str, Any] | None) -> Machine:
    from flank.machines.registry import machine_from_mapping

    return machine_from_mapping(data, changes)


def run(
    machine: Machine,
    analysis: str | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Result:
    """Ask a machine one question; `settings` are the analysis' own, numbers in SI or with units.

    Without an analysis a reducer is asked for its transmission error, a joint for its turns.
    A wrong setting raises SpecError. A computation that fails does not raise: the result says so
    in `result.complete` and `result.outcome` and holds what was found until then.
    """
    from flank.analyses.registry import default_analysis, find_analysis

    _refuse_what_is_no_machine(machine)
    if progress is not None and not callable(progress):
        raise SpecError(
            f"{with_article(type(progress).__name__)} is given after the analysis, where the "
            "progress goes; give settings by name, as in flank.run(machine, 'hysteresis', "
            "torque='200 N*m'), or as **settings"
        )
    chosen = default_analysis(machine) if analysis is None else find_analysis(analysis)
    chosen.check_machine(machine)
    return chosen.run(machine, chosen.checked_settings(settings), progress)


def _refuse_what_is_no_machine(given: object) -> None:
    if isinstance(given, str):
        name = echo(given)
        raise SpecError(
            f"'{name}' is a name; make the machine first, flank.preset('{name}') for a preset or "
            f"flank.load('{name}') for a file"
        )
    if isinstance(given, Mapping):
        raise SpecError(
            "a spec is given; make the machine first, flank.preset(name, changes) for a preset or "
            "flank.load(path) for a file"
        )


def check(machine: Machine) -> Verdict:
    """Whether a machine may be released: derived figures, findings with remedies, margins, a light.

    A `Verdict` (flank.design.verdict) has `figures`, `findings`, `margins`, `light` and
    `to_mapping()`. The changes of a finding make a machine that passes its rule:
    flank.check(flank.preset(name, finding.changes)).
    """
    from flank.design.verdict import judge

    _refuse_what_is_no_machine(machine)
    return judge(machine)


def compare(
    *sides: Machine | Result | Mapping[str, Machine | Result],
    analyses: str | Sequence[str] = (),
    settings: Mapping[str, Mapping[str, Any]] | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Machines or results beside one another: what differs, and whose figures are better.

    Sides are called A, B, ... unless they are given by name, as {"before": drive, "after": other}.
    All are asked the `analyses` with their `settings` by name, those that fit all and take seconds
    if none is named; where a side is a result, the others are asked the same. The `Comparison` has
    `differences` and `rows`; flank.save(comparison, folder) writes its report.
    """
    from flank.design.comparison import compare as compared

    named: dict[str, Machine | Result] = {}
    for each in sides:
        if isinstance(each, Mapping):
            named |= each
        else:
            _refuse_what_is_no_machine(each)
            named[chr(ord("A") + len(named))] = each
    return compared(named, _several(analyses), settings, progress)


def optimize(
    machine: Machine,
    vary: Mapping[str, Any],
    objective: str | Sequence[str] = (),
    subject_to: str | Iterable[str] = (),
    *,
    minimize: str | Sequence[str] = (),
    maximize: str | Sequence[str] = (),
    settings: Mapping[str, Mapping[str, Any]] | None = None,
    evaluations: int | None = None,
    minutes: float | None = None,
    seed: int = 0,
    points: int = 9,
    allow_findings: bool = False,
    tell: Tell | None = None,
) -> Optimum:
    """Vary keys of a spec between bounds until a figure is as good as can be within limits.

    `vary` has bounds by key, as {"discs.equidistant": "-20..20 um"}. An `objective` is a figure
    of an analysis, as "transmission-error.peak_to_peak", which is improved the way its analysis
    declares; what is better neither small nor large goes to `minimize` or `maximize`. Two give a
    front. Limits are texts as "backlash < 1 arcmin", `settings` those of analyses by their names.
    Specs about which `flank.check` finds what it does not find now are out, unless
    `allow_findings`. The `Optimum` has `best`, `changes`, `machine`, `front`, `path`, `active`
    and `around`; flank.save(optimum, folder) writes its report and specs.
    """
    from flank.design.optimization import checked_budget
    from flank.design.optimization import optimize as search
    from flank.design.problem import make_problem

    _refuse_what_is_no_machine(machine)
    ways = (("better", objective), ("smallest", minimize), ("largest", maximize))
    wanted = [(name, way) for way, names in ways for name in _several(names)]
    given: Any = machine
    problem = make_problem(
        given, vary, wanted, _several(subject_to), settings or {}, allow_findings
    )
    return search(problem, checked_budget(evaluations, minutes), seed, tell, points)


def _several(given: str | Iterable[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def design(
    kind: str,
    progress: Callable[[float, str], None] | None = None,
    folder: str | Path | None = None,
    **requirements: Any,
) -> Shortlist:
    """Machines for requirements, the best first: flank.design("cycloidal", ratio=29,
    torque="50 N*m", outer_diameter="120 mm", tolerance="10 um").

    Requirements are those of `flank design KIND`, numbers in SI or with units. A `Shortlist`
    (flank.design.designing) has `designs`, each with `machine`, `spec`, `measured` and
    `verification`, and `falls`, why the others are none. `progress` is told the share done and what
    is being done. With a `folder` specs and a report are written there. SpecError if requirements
    contradict each other or nothing meets them, with what limits it and by how much.
    """
    from flank.design.designable import design as find

    shortlist = find(kind, requirements, progress)
    if folder is not None:
        from flank.report.design import design_document
        from flank.report.folder import write_document

        write_document(design_document(shortlist), Path(folder))
    return shortlist


def study(
    data: Mapping[str, Any] | str | Path,
    folder: str | Path,
    threads: int | None = None,
    tell: Tell | None = None,
    other_kernels: bool = False,
    cluster: str | None = None,
    cuda: bool = False,
) -> Evaluation:
    """Run a study, or go on with it where its folder has a part of it; returns its evaluation.

    `data` is what a study's file holds, or the path of one. `tell` is called with the pace after
    every sample. `cluster` is the address of a Dask scheduler, or 'local', whose workers compute in
    place of threads of this process; with `cuda` GPUs do, theirs or this machine's. Whatever ends a
    study, the same call goes on with it.
    """
    from flank.studies.assisted import run_study
    from flank.studies.backends import make_backend
    from flank.studies.evaluation import Evaluation
    from flank.studies.store import STORE_FOLDER

    checked = check_study(data)
    backend = make_backend(threads, cluster, cuda)
    backend.refuse(checked.sampler)
    store = checked.open(Path(folder) / STORE_FOLDER, other_kernels)
    run_study(checked, store, backend, tell)
    return Evaluation(checked, store)


def allocate(
    data: Mapping[str, Any] | str | Path,
    folder: str | Path,
    threads: int | None = None,
    tell: Tell | None = None,
    cluster: str | None = None,
    say: Callable[[str], None] = lambda sentence: None,
) -> Allocation:
    """The cheapest grades of tolerances that keep a yield, proved by an exact study.

    `data` is what a study's file holds, its block `allocate` with it, or the path of one. Studies
    are kept in `folder`; the same call goes on with what is there. `say` is told what is found on
    the way.
    """
    from flank.studies import allocation
    from flank.studies.backends import make_backend

    spec, machine, base = _read_study(data)
    backend = make_backend(threads, cluster, cuda=False)
    return allocation.allocate(spec, machine, base, Path(folder), backend, tell, say)


def check_study(data: Mapping[str, Any] | str | Path) -> Study:
    """A study, checked but not begun; SpecError says what is wrong with it."""
    from flank.studies.study import make_study

    spec, machine, base = _read_study(data)
    return make_study(spec.model_copy(update={"allocate": None}), machine, base)


def _read_study(data: Mapping[str, Any] | str | Path) -> tuple[StudySpec, Any, Path]:
    """The spec of a study, its machine, and the folder from which names of files count."""
    from flank.io.spec_files import read_spec_file
    from flank.machines.registry import machine_from_mapping
    from flank.presets import preset_names
    from flank.studies.spec import StudySpec

    base, written = Path.cwd(), data
    if isinstance(data, (str, Path)):
        base, written = Path(data).resolve().parent, units.as_written(read_spec_file(data))
    spec = StudySpec.from_mapping(written)
    given = spec.machine
    machine: Any
    if isinstance(given, Mapping):
        machine = machine_from_mapping(given, spec.changes)
    elif given in preset_names() and not (base / str(given)).exists():
        machine = preset(given, spec.changes)
    else:
        machine = load(base / str(given), spec.changes)
    return spec, machine, base


def summary(result: Result) -> str:
    """What came out, as a table in plain text with units."""
    from flank.report.text import summary_text

    return summary_text(result)


def save(
    result: Result | Optimum | Comparison, folder: str | Path, formats: Iterable[str] = ()
) -> Path:
    """Write result.nc, spec.yaml, pictures and report.html into a folder; returns the folder.

    `formats` are further ones beside these: "csv" for all numbers, "markdown" for the tables,
    "xlsx" and "json" for both.
    Files of an earlier run are replaced together, other files are left alone; SpecError if a file
    would be replaced that Flank did not write. Where something fails the folder stays as it was.
    """
    from flank.report.folder import write_document, write_folder

    if not str(folder).strip():
        raise SpecError("the folder's name is empty; name one, for example 'results'")
    if Path(folder).exists() and not Path(folder).is_dir():
        raise SpecError(f"{echo_path(folder)} is a file; name a folder, for example 'results'")
    if (document := _document_of(result)) is not None:
        write_document(document, Path(folder), formats)
    else:
        write_folder(cast("Result", result), Path(folder), formats)
    return Path(folder)


def dossier(
    machine: Machine,
    folder: str | Path | None = None,
    revision: str = "",
    author: str = "",
    tell: Callable[[float, str], None] | None = None,
) -> Dossier:
    """Ask a machine all that fits it; its verdict, its answers and the document of both.

    An analysis that fails is kept as a sentence, and the others go on. With a `folder` the report
    is written there, as `flank dossier` does it. `tell` is called with the share done and words.
    """
    from flank.report.dossier import Dossier, dossier_outline
    from flank.report.folder import check_folder, write_document

    _refuse_what_is_no_machine(machine)
    if folder is not None:
        check_folder(Path(folder), dossier_outline())
    made = Dossier.of(machine, revision, author, tell)
    if folder is not None:
        write_document(made.document, Path(folder))
    return made


def _document_of(given: object) -> Document | None:
    """Of what is not the result of one analysis."""
    if type(given).__name__ == "Optimum":  # known by its name: designs need not be imported
        from flank.report.optimization import optimization_document

        return optimization_document(cast("Optimum", given))
    if type(given).__name__ == "Comparison":
        from flank.report.comparison import comparison_document

        return comparison_document(cast("Comparison", given))
    return None


def export_fmu(
    machine: Machine,
    path: str | Path,
    version: int = 2,
    contents: str = "block",
    **settings: Any,
) -> Path:
    """Write a machine as a unit that other programs load by FMI 2 or 3; returns the path.

    Its contents are a "block" with two shafts, or the "force" between two gears that touch in
    space. Settings of a block are numbers in SI or with units: `step`, `drive` ("torque" or "speed"
    of the input), `torque` on the output and `initial_speed` and `start_angle` of the input where
    it begins, and `spectral_radius`. SpecError if a machine cannot be a unit, or the file would
    replace one that Flank did not write.
    """
    from flank.fmi.export import export_unit

    _refuse_what_is_no_machine(machine)
    return export_unit(machine, path, version, contents, settings).path


def export(
    given: Machine | Result, path: str | Path, *, to: str | None = None, **settings: Any
) -> Path:
    """Write a machine's parts as .dxf, .svg, .step or .csv (points), its gears, shafts and bearings
    as .rexs, a script with `to` "ross" or "opentorsion" as .py, or a result as .mat or .xlsx.

    Settings of drawings are numbers in SI or with units: `angle` of the input, `curves` ("splines"
    or "polylines") and `tolerance` of lines; of scripts `angle` and `torque`. SpecError if the
    file is not Flank's to replace.
    """
    from flank.analyses.result import Result

    if isinstance(given, Result):
        from flank.report.result_files import result_format_of, write_result_file

        return write_result_file(given, path, result_format_of(path))
    _refuse_what_is_no_machine(given)
    name = to or ("rexs" if Path(path).suffix.lower() == ".rexs" else None)
    if name is not None:
        from flank.exchange.export import TARGETS, export_model

        if name not in TARGETS:
            raise SpecError(f"to: '{echo(name)}' is not one of {', '.join(TARGETS)}")
        return export_model(given, path, name, settings)[0]
    from flank.cad.export import export_drawing, format_of

    return export_drawing(given, path, format_of(path), settings)[0]


def read(path: str | Path) -> Result:
    """A result that was saved: the path of its result.nc, or of the folder that holds it."""
    from flank.io.ownership import RESULT_FILE
    from flank.io.results import read_result

    return read_result(Path(path) / RESULT_FILE if Path(path).is_dir() else path)
