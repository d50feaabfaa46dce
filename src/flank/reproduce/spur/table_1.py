"""Table 1 and Fig. 3: frequencies of one gear, and how well few coordinates give them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from flank.arrays import Floats
from flank.elasticity.finite_elements.cyclic import (
    Centre,
    CyclicGear,
    cyclic_gear,
    harmonic_modes,
)
from flank.elasticity.finite_elements.reduction import Agreement, Modes, Reduction
from flank.elasticity.finite_elements.sector_mesh import MeshDensity, sector_mesh
from flank.reproduce.spur.finite_gear import (
    BODY,
    DENSITY,
    GEAR,
    MATERIAL,
    NODES,
    WholeGear,
    agreement,
    condensed,
    contact_nodes,
    craig_bampton,
    full_modes,
    observed,
    whole_gear,
)
from flank.reproduce.study import Numbers, read_paper

PAPER = read_paper(__package__)
PUBLISHED = PAPER.published
PRINTED = np.array(PUBLISHED["frequencies"])
FEW = 20
"""Modal coordinates that give errors of the size of Table 1."""

PAIRS = np.array([0, 3])
"""Modes of Table 1 that are met far better than their partners."""


class Fineness(NamedTuple):
    """Elements of the sector, for frequencies, and of all teeth, for reductions."""

    sector: MeshDensity
    whole: MeshDensity


FINE = Fineness(MeshDensity(), DENSITY)
COARSE_MESH = MeshDensity(tooth=2, flank=4, space=1, layers=2, growth=0.6, element="hexahedron-8")
COARSE = Fineness(COARSE_MESH, COARSE_MESH)


@dataclass(frozen=True)
class Model:
    """A reduced model: errors in % and MAC in clusters."""

    name: str
    size: int
    found: Agreement

    @property
    def errors(self) -> Floats:
        return np.asarray(100 * self.found.deviations)

    @property
    def largest(self) -> float:
        return float(self.errors.max())

    @property
    def least(self) -> float:
        return float(self.errors.min())

    @property
    def assurance(self) -> float:
        return float(self.found.subspace_assurance.min())


@dataclass(frozen=True)
class Table1:
    """Ten frequencies of the gear with its bore locked, those of one that turns freely of modes
    alike on all teeth, and models; a number of contact nodes."""

    frequencies: Floats
    free: Floats
    contact_nodes: int
    few: Model
    modal: Model
    observed: Model
    guyan: Model
    complete: bool = True

    @property
    def models(self) -> tuple[Model, ...]:
        return self.guyan, self.few, self.modal, self.observed


def table_1(fineness: Fineness) -> Table1:
    elastic = cyclic_gear(sector_mesh(GEAR, BODY, fineness.sector), MATERIAL)
    whole = whole_gear(density=fineness.whole)
    full = full_modes(whole, 12)
    contact = contact_nodes(whole, (0, 1))
    model = partial(_model, whole, full)
    most = craig_bampton(whole, contact, 3 * (NODES - len(contact)))
    return Table1(
        frequencies=sector_frequencies(elastic),
        free=harmonic_modes(elastic, 0, 4, Centre(rotation=True)).frequencies[1:],
        contact_nodes=len(contact),
        few=model(f"{FEW} modes", craig_bampton(whole, contact, FEW)),
        modal=model(f"{len(most.fixed_frequencies)} modes", most),
        observed=model(
            f"the same, observed at {NODES - len(contact)} nodes", observed(whole, most, contact)
        ),
        guyan=model(f"Guyan on {NODES} nodes", condensed(whole, full, contact, NODES)),
    )


def _model(whole: WholeGear, full: Modes, name: str, reduction: Reduction) -> Model:
    return Model(name, reduction.size, agreement(whole, full, reduction))


def sector_frequencies(elastic: CyclicGear) -> Floats:
    """The ten lowest of all harmonics, by cyclic symmetry; those of 0 < n < z/2 come twice."""
    each = [harmonic_modes(elastic, n, 3).frequencies for n in range(5)]
    return np.sort(np.concatenate((each[0], *(np.repeat(pairs, 2) for pairs in each[1:]))))[:10]


def frequency_rows(table: Table1) -> list[Numbers]:
    ratios, ours = PRINTED / PRINTED[0], table.frequencies / table.frequencies[0]
    columns = zip(PUBLISHED["shapes"], PRINTED, table.frequencies, ratios, ours, strict=True)
    names = ("shape", "paper", "here", "paper_ratio", "here_ratio")
    return [
        {"mode": k, **dict(zip(names, row, strict=True))} for k, row in enumerate(columns, start=1)
    ]


def reduction_rows(table: Table1) -> list[Numbers]:
    paper = {"model": "Table 1", "size": PUBLISHED["coordinates"], "errors": PUBLISHED["errors"]}
    rows: list[Numbers] = [{**paper, "assurance": PUBLISHED["least_assurance"]}]
    for each in table.models:
        rows.append(
            {"model": each.name, "size": each.size, "errors": each.errors}
            | {"assurance": each.assurance}
        )
    return rows


def numbers(table: Table1) -> dict[str, Any]:
    """What the findings compare."""
    ours, printed = table.frequencies / table.frequencies[0], PRINTED / PRINTED[0]
    torsion = PUBLISHED["torsion"] / PRINTED[0]
    free = table.free / table.frequencies[0]
    errors, listed = table.few.errors, np.array(PUBLISHED["errors"])
    splits = listed[PAIRS] / listed[PAIRS + 1]
    return {
        "largest_ratio_error": 100 * float(abs(ours / printed - 1).max()),
        "first_frequency": float(table.frequencies[0]),
        "size": table.modal.size,
        "modes": 3 * (NODES - table.contact_nodes),
        "auxiliary": NODES - table.contact_nodes,
        "few": FEW,
        "few_errors": ", ".join(f"{error:.2g}" for error in errors),
        "splits": errors[PAIRS] / errors[PAIRS + 1],
        "printed_splits": ", ".join(f"{share:.2g}" for share in splits),
        "modal": table.modal,
        "observed": table.observed,
        "guyan": table.guyan,
        "free_torsion": 100 * float(abs(free / torsion - 1).min()),
    }
