"""Pictures of what the stiffness of one contact of teeth is made of, along its path."""

from matplotlib.axes import Axes

from flank.analyses.result import Result
from flank.plots.style import COLOURS, MAIN, WIDE, Picture, label, legend_beside, shown


def draw(result: Result) -> dict[str, Picture]:
    """A row for each involute mesh, and one for the lobe of a cycloid disc."""
    data = result.data
    names = [str(name) for name in data["mesh"].values] if "pair_stiffness" in data else []
    lobes = "lobe_stiffness" in data
    picture = Picture(
        WIDE,
        0.6 + 2.5 * (len(names) + lobes),
        "Stiffness of one contact (left) and the compliances of its parts in series, one upon the "
        "other (right), under the load at the rated torque.",
    )
    panels = picture.panels(len(names) + lobes, 2)
    for k, name in enumerate(names):
        _teeth(panels[k], result, k, name)
    if lobes:
        _lobe(panels[-1], result)
    return {"stiffness-parts": picture}


def _teeth(panels: list[Axes], result: Result, number: int, name: str) -> None:
    data = result.data
    path, parts = shown(data["path"]), shown(data["part_compliance"])[number]
    left, right = panels
    left.plot(path, shown(data["pair_stiffness"])[number], color=MAIN)
    right.stackplot(path, parts, labels=list(data["part"].values), colors=COLOURS)
    left.set_title(name)
    _labels(panels, result, "pair_stiffness", "part_compliance", "path", "Path of contact")


def _lobe(panels: list[Axes], result: Result) -> None:
    data, (left, right) = result.data, panels
    place = shown(data["lobe_path"])
    contact, body, beam = (
        shown(data[f"lobe_{name}_compliance"]) for name in ("contact", "body", "beam")
    )
    left.plot(place, shown(data["lobe_stiffness"]), color=MAIN)
    right.stackplot(place, [contact, body], labels=["contact", "body"], colors=COLOURS[4::-1])
    right.plot(place, contact + beam, color="black", linestyle="--", label="body as a beam")
    left.set_title("lobe/pin")
    _labels(panels, result, "lobe_stiffness", "lobe_body_compliance", "lobe_path", "Root to tip")


def _labels(
    panels: list[Axes], result: Result, stiffness: str, compliance: str, path: str, along: str
) -> None:
    data, (left, right) = result.data, panels
    left.set_ylabel(label(data[stiffness], "Stiffness"))
    right.set_ylabel(label(data[compliance], "Compliance"))
    left.set_ylim(bottom=0.0)
    legend_beside(right)
    for axes in panels:
        axes.set_xlim(*shown(data[path])[[0, -1]])
        axes.set_xlabel(label(data[path], along))
