"""Numbers of a result for Python people: one figure in a unit, and tidy tables as pandas frames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from flank import units
from flank.arrays import AnyArray
from flank.errors import SpecError, suggestion
from flank.texts import echo

if TYPE_CHECKING:
    import pandas

    from flank.analyses.labelled import LabelledArray
    from flank.analyses.result import Result


def value_of(result: Result, name: str, unit: str | None = None) -> float:
    """A figure in `unit`, or in the unit that people read."""
    figures = {figure.name: figure for figure in result.figures()}
    if name not in figures:
        if name in result.data:
            raise SpecError(
                f"{name} is not one number but {_size(result.data[name])}; take it by "
                f"result['{name}'], or with its places by result.table('{name}')"
            )
        raise SpecError(
            f"'{echo(name)}' is no figure of {result.analysis}{suggestion(name, figures)} Figures: "
            f"{', '.join(figures) or 'none'}"
        )
    figure = figures[name]
    wanted = figure.shown_unit if unit is None else unit
    try:
        return units.convert(figure.value, figure.unit, wanted)
    except ValueError as error:
        raise SpecError(f"{name}: {error}; try '{figure.shown_unit or figure.unit}'") from None


def _size(array: LabelledArray) -> str:
    return " by ".join(f"{count} along {name}" for name, count in array.sizes.items())


def frame_of(result: Result, name: str | None = None) -> pandas.DataFrame:
    """The figures, or a table by its name; see `Result.table`."""
    if name is None:
        return _figures(result)
    names = _table_names(result, name)
    if names is None:
        names = _names_along(result, name)
    return _frame(result, names)


def _figures(result: Result) -> pandas.DataFrame:
    import pandas

    rows = [
        (each.name, each.title, units.convert(each.value, each.unit, shown), shown)
        for each in result.figures()
        for shown in (each.shown_unit or each.unit,)
    ]
    return pandas.DataFrame(rows, columns=["name", "quantity", "value", "unit"]).set_index("name")


def _table_names(result: Result, name: str) -> list[str] | None:
    """Columns of a table that the result shows, by its title."""
    titles = {title.lower(): columns for title, columns in result.tables.items()}
    return titles.get(name.lower())


def _names_along(result: Result, name: str) -> list[str]:
    """A quantity by its name, or all that belongs to what is numbered: 'pin' or 'pins'."""
    quantities = {key: each for key, each in result.data.data_vars.items() if each.ndim}
    if name in quantities:
        return [name]
    dimension = _dimension(result, name, quantities)
    ending = {k: each for k, each in quantities.items() if each.dims[-1] == dimension}
    chosen = ending or {k: each for k, each in quantities.items() if dimension in each.dims}
    widest = max((each.dims for each in chosen.values()), key=len)
    return [k for k, each in chosen.items() if set(each.dims) <= set(widest)]


def _dimension(result: Result, name: str, quantities: Iterable[str]) -> str:
    known = sorted({name for key in quantities for name in result.data[key].dims})
    asked = name.strip().lower().replace(" ", "_").replace("-", "_")
    for dimension in known:
        if asked in (dimension, *_plurals(dimension)):
            return dimension
    tables = [title for title in result.tables if title]
    offered = [*tables, *known]
    meant = suggestion(name, [*offered, *quantities])
    raise SpecError(
        f"'{echo(name)}' is no table of {result.analysis}{meant} "
        f"Tables: {', '.join(offered) or 'none'}; or the name of any quantity"
    )


def _plurals(noun: str) -> tuple[str, ...]:
    if noun.endswith("y"):
        return (f"{noun[:-1]}ies",)
    return f"{noun}s", f"{noun}es"


def _frame(result: Result, names: Sequence[str]) -> pandas.DataFrame:
    """A row for every place, its coordinates first, in the units that people read."""
    import pandas

    arrays = [result.data[name] for name in names]
    dimensions = max((array.dims for array in arrays), key=len)
    sizes = {name: count for array in arrays for name, count in array.sizes.items()}
    columns: dict[str, Any] = {}
    for axis, dimension in enumerate(dimensions):
        places = np.indices([sizes[d] for d in dimensions])[axis].ravel()
        if dimension in result.data:
            coordinate = result.data[dimension]
            columns[_heading(coordinate)] = _shown(coordinate)[places]
        else:
            columns[dimension] = places + 1
    for array in arrays:
        spread = [slice(None) if d in array.dims else np.newaxis for d in dimensions]
        order = [array.dims.index(d) for d in dimensions if d in array.dims]
        values = _shown(array).transpose(order)[tuple(spread)]
        columns[_heading(array)] = np.broadcast_to(values, [sizes[d] for d in dimensions]).ravel()
    frame = pandas.DataFrame(columns)
    frame.attrs = {"analysis": result.analysis, "title": result.title}
    return frame


def _heading(array: LabelledArray) -> str:
    unit = array.attrs.get("shown_unit", "")
    return f"{array.name} [{unit}]" if unit else array.name


def _shown(array: LabelledArray) -> AnyArray:
    unit, shown = array.attrs.get("units", ""), array.attrs.get("shown_unit", "")
    if array.values.dtype.kind == "U" or unit == shown:
        return array.values
    return array.values * units.convert(1.0, unit, shown)
