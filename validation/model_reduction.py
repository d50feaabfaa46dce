"""How few coordinates does a gear need? With modal coordinates, and without.

    python validation/model_reduction.py

prints the tables of docs/theory/model_reduction.md; it takes some minutes.
"""

from collections.abc import Iterator
from itertools import chain

import numpy as np

from flank.elasticity.finite_elements.reduction import Agreement, Reduction
from flank.elasticity.finite_elements.sector_mesh import MeshDensity
from flank.reproduce.spur.finite_gear import (
    NODES,
    agreement,
    condensed,
    contact_nodes,
    coordinates,
    craig_bampton,
    full_modes,
    observed,
    whole_gear,
)

TABLE_1 = (1e-5, 0.02, 0.01, 4e-4, 0.03, 0.01, 0.02, 0.05, 0.01, 0.01)
"""Deviations in percent of ten modes as the paper prints them, without their sign."""

COARSE = MeshDensity(tooth=2, flank=3, space=1, layers=2)
"""For condensations on many nodes, whose matrices are dense."""


def line(name: str, size: int, found: Agreement) -> str:
    values = " | ".join(f"{100 * value:.2g}" for value in found.deviations)
    return f"| {name} | {size} | {values} | {found.subspace_assurance.min():.4f} |"


def head() -> Iterator[str]:
    yield "| model | coordinates | " + " | ".join(map(str, range(1, 11))) + " | least MAC |"
    yield "|---" * 13 + "|"
    yield "| Table 1 | 229 | " + " | ".join(f"{value:.2g}" for value in TABLE_1) + " | – |"


def with_modal_coordinates() -> Iterator[str]:
    """The paper's gear with three contact nodes across the face on two teeth."""
    whole = whole_gear()
    full = full_modes(whole, 12)
    contact = contact_nodes(whole, (0, 1))
    yield f"{whole.mass.shape[0]} coordinates, {len(contact)} contact nodes, frequencies in Hz:"
    yield ", ".join(f"{value:.1f}" for value in full.frequencies[:10])
    yield from head()

    def row(name: str, reduction: Reduction) -> str:
        return line(name, reduction.size, agreement(whole, full, reduction))

    yield row(f"Guyan on {NODES} nodes", condensed(whole, full, contact, NODES))
    for modes in (10, 15, 20, 30, 60):
        yield row(f"{modes} modes", craig_bampton(whole, contact, modes))
    most = craig_bampton(whole, contact, 3 * (NODES - len(contact)))
    yield row(f"{len(most.fixed_frequencies)} modes", most)
    nodes = observed(whole, most, contact)
    yield row(f"the same, observed at {NODES - len(contact)} nodes", nodes)
    modal = slice(len(most.masters), None)
    condition = np.linalg.cond(most.basis[nodes.observed][:, modal])
    beside = np.arange(NODES - len(contact)) * (len(whole.places) // (NODES - len(contact)))
    blind = np.linalg.cond(most.basis[coordinates(beside)][:, modal])
    yield f"Condition of Φ_o: {condition:.1e} by the criterion, {blind:.1e} at every n-th node."


def without_modal_coordinates() -> Iterator[str]:
    whole = whole_gear(density=COARSE)
    full = full_modes(whole, 12)
    contact = contact_nodes(whole, (0, 1))
    yield f"Guyan on {whole.mass.shape[0]} coordinates:"
    yield from head()
    for count in (NODES, 150, 300, 600):
        found = agreement(whole, full, condensed(whole, full, contact, count))
        yield line(f"Guyan on {count} nodes", 3 * count + 1, found)


if __name__ == "__main__":
    for text in chain(with_modal_coordinates(), without_modal_coordinates()):
        print(text, flush=True)
