"""The linear map: figures of a sample from its drawn numbers alone, a matrix in place of a machine.

Its first part are derivatives at the machine itself, by implicit differentiation (`sensitivity`).
Over whole tolerances contacts come and go, and derivatives at one point are not the best line. So
the exact samples of a study have their say: figures Y are fitted by the derivatives' predictions L,
freely, and by all drawn numbers V with a ridge,

    min |Y - L γ - V b|² + λ |b|²,

where λ is chosen by generalised cross-validation: few samples leave derivatives alone (λ large),
many find the line that fits the tolerances. What comes out is a slope for each drawn number.

Samples are fitted in folds: the map that predicts a sample was made without it, so that errors of
its predictions are those of samples that it does not know.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from flank.analyses import sensitivity
from flank.analyses.loop import fit_torques
from flank.analyses.registry import find_analysis
from flank.analyses.result import Result
from flank.arrays import Floats, Integers
from flank.studies.store import Store
from flank.studies.study import Study
from flank.studies.variables import Variable

DIFFERENTIATED = ("torsional_stiffness", "lost_motion", "backlash")
"""Figures of a loop that `sensitivity` differentiates."""

GRADIENTS = "gradients"
"""Attribute of a store that keeps what derivatives tell."""

FOLDS = 5

RIDGES = (*np.logspace(-5, 2, 15).tolist(), math.inf)
"""Sizes of λ that are tried, in squares of the largest singular value of V."""

BAND_SHARE = 0.99
"""Of the samples lie as near to their prediction as the map's band is wide."""


class Gradients(NamedTuple):
    """Derivatives in SI of figures by the drawn numbers (figure, place), zero where unknown."""

    figures: tuple[str, ...]
    slopes: Floats

    def of(self, figure: str, entry: Variable, study: Study) -> Floats:
        """Those of a figure by the places of an entry."""
        places = study.variables.places
        first = places.index(entry.places[0])
        return self.slopes[self.figures.index(figure), first : first + len(entry.places)]


def differentiate(study: Study, store: Store) -> None:
    """Have the machine's derivatives computed, and kept in the store, where it has any: it takes as
    long as some ten to a hundred samples."""
    if GRADIENTS not in store.group.attrs:
        linear = _sensitivity(study)
        kept: dict[str, Any] = {}
        if linear is not None:
            kept = {f"hysteresis.{name}": _slopes(study, linear, name) for name in DIFFERENTIATED}
        store.group.attrs[GRADIENTS] = kept


def gradients(study: Study, store: Store) -> Gradients:
    """Those that the store has; none before `differentiate`."""
    kept = dict(store.group.attrs.get(GRADIENTS, {}))
    slopes = np.reshape(list(kept.values()), (len(kept), len(study.variables.places)))
    return Gradients(tuple(kept), np.asarray(slopes, np.float64))


def differentiable(entry: Variable, study: Study) -> bool:
    """Whether it is of errors, and not of the directions of some."""
    kind = entry.places[0].kind
    return bool(kind) and not study.machine.spec.error_kinds[kind].direction


def _sensitivity(study: Study) -> Result | None:
    """Derivatives at the machine itself, by the settings of the loop that is asked."""
    ask = next((each for each in study.sampler.asks if each.name == "hysteresis"), None)
    kinds = [e.places[0].kind for e in study.variables.entries if differentiable(e, study)]
    analysis = find_analysis("sensitivity")
    if ask is None or not kinds or not analysis.fits(study.machine):
        return None
    if not _has_stiffness(ask.settings, study.machine):
        return None
    asked = ask.settings.to_mapping(units=False)
    settings = {
        key: asked[key] for key in ("torque", "crank_angle", "fit_from", "fit_to") if key in asked
    } | {"points": 8, "kinds": list(dict.fromkeys(kinds))}
    load = {} if getattr(study.machine, "load_torque", 0.0) else {"load_torque": 1.0}
    result = analysis.run(study.machine, analysis.checked_settings(settings | load))
    return result if result.complete else None


def _has_stiffness(loop: Any, machine: Any) -> bool:
    """Whether a loop is large enough for K_T."""
    rated = machine.rated_torque
    peak = rated if loop.torque is None else abs(loop.torque)
    return fit_torques(loop.fit_from, loop.fit_to, peak, rated) is not None


def _slopes(study: Study, linear: Result, figure: str) -> list[float]:
    """Derivative of a figure by every place."""
    known = {
        f"errors.{name}": float(effect) / sensitivity.SHOWN_STEPS[str(unit)]
        for name, unit, effect in zip(
            linear.data["parameter"].values,
            linear.data["parameter_unit"].values,
            linear.data[f"{figure}_per_step"].values,
            strict=True,
        )
    }
    return [known.get(place.name, 0.0) for place in study.variables.places]


@dataclass(frozen=True)
class LinearMap:
    """Offsets (fold, figure), slopes (fold, figure, place), and by how much predictions of samples
    that it was made without are wrong at most, but for one in a hundred (fold, figure)."""

    offsets: Floats
    slopes: Floats
    bands: Floats

    def predict(self, values: Floats) -> Floats:
        """Figures (fold, figure, sample) of drawn numbers (sample, place)."""
        return np.asarray(self.offsets[:, :, None] + self.slopes @ values.T)


def folds_of(numbers: Integers) -> Integers:
    """The fold of every sample, by its number."""
    return np.asarray(numbers % FOLDS)


def fit_map(values: Floats, figures: Floats, derivatives: Floats, folds: Integers) -> LinearMap:
    """The map of exact samples: drawn numbers (sample, place), figures (sample, figure),
    derivatives (figure, place)."""
    scale = values.std(axis=0)
    scale = np.where(scale > 0.0, scale, 1.0)
    parts = []
    for fold in range(FOLDS):
        others = folds != fold
        parts.append(_fit(values[others] / scale, figures[others], derivatives * scale))
    offsets, slopes, bands = (np.array(each) for each in zip(*parts, strict=True))
    return LinearMap(offsets, slopes / scale, bands)


def _fit(values: Floats, figures: Floats, derivatives: Floats) -> tuple[Floats, Floats, Floats]:
    """Offsets, slopes and bands of one fold; drawn numbers have the same spread."""
    count = len(values)
    middle, mean = values.mean(axis=0), figures.mean(axis=0)
    drawn, wanted = values - middle, figures - mean
    linear = drawn @ derivatives.T
    lengths = np.linalg.norm(linear, axis=0)
    used = lengths > 0.0
    linear, derivatives = linear[:, used] / lengths[used], derivatives[used] / lengths[used, None]
    basis = _basis(linear)
    drawn_rest = drawn - basis @ (basis.T @ drawn)
    wanted_rest = wanted - basis @ (basis.T @ wanted)
    left, sizes, right = np.linalg.svd(drawn_rest, full_matrices=False)
    along = left.T @ wanted_rest
    outside = (wanted_rest**2).sum(axis=0) - (along**2).sum(axis=0)
    freedom = count - 1 - basis.shape[1]
    shrinks, scores = [], []
    for ridge in RIDGES:
        shrink = sizes**2 / (sizes**2 + ridge * sizes[0] ** 2) if sizes[0] > 0.0 else 0.0 * sizes
        left_over = outside + ((1.0 - shrink[:, None]) ** 2 * along**2).sum(axis=0)
        free = freedom - shrink.sum()
        scores.append(left_over * count / free**2 if free > 0.1 * count else left_over + math.inf)
        shrinks.append(shrink)
    best = np.argmin(scores, axis=0)
    inverse = np.where(sizes > 0.0, 1.0 / np.where(sizes > 0.0, sizes, 1.0), 0.0)
    chosen = np.array(shrinks)[best].T * inverse[:, None]
    slopes = right.T @ (chosen * along)
    slopes += derivatives.T @ np.linalg.lstsq(linear, wanted - drawn @ slopes, rcond=None)[0]
    errors = wanted - drawn @ slopes
    # Samples that the map was made of lie nearer to it than others; by how much the score knows.
    rms = np.sqrt((errors**2).mean(axis=0))
    wider = np.sqrt(np.min(scores, axis=0)) / np.where(rms > 0.0, rms, 1.0)
    bands = np.quantile(np.abs(errors), BAND_SHARE, axis=0) * np.maximum(wider, 1.0)
    return mean - middle @ slopes, slopes.T, bands


def _basis(columns: Floats) -> Floats:
    """Orthonormal columns that span the same; none where columns are."""
    left, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    return left[:, sizes > 1e-9 * sizes.max(initial=0.0)]
