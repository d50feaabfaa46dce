"""A pair of flanks made ready for loaded contact: sections, tables, influence numbers.

The gear that carries the sections is A, either of the two; its flank is laid anew through points on
spheres about its pitch apex, so that a section is a line of its grid. Then the pair as designed is
rolled at the exact ratio: on each section this gives, over v, where B touches (where searches
begin), the relative curvature κ across the contact line, the depths of both bodies there, and the
line's length l = |dp/dr| Δr within the section. They are kept as tables over v, as they change
little with small misalignments and not at all with the load. Where a section leaves the face of
either gear its length fades out over the part of its thickness that is still on it.

Influence numbers of both gears are asked for at a grid of places of the flank and of v
(`FlankCompliance`), averaged over the thickness of sections and kept as B-splines over v, so that
reading them at any v keeps the matrix symmetric and without negative directions.
"""

import math
from dataclasses import dataclass

import numpy as np

from flank.arrays import Flags, Floats, Integers
from flank.blas import one_blas_thread
from flank.contact.spatial.flank_laws import CURVATURE, DEPTH, LENGTH
from flank.contact.spatial.flank_search import (
    BOW,
    BOW_A,
    BOW_B,
    CLIMB,
    EDGE_RATIO,
    FOLLOW_A,
    FOLLOW_B,
    GROWTH_A,
    GROWTH_B,
    MATE_WIDTH,
    SHIFT,
    TIP_SCALE,
    FlankMesh,
    settle_sections,
)
from flank.elasticity.line_contact import DeepBody, half_width, line_law
from flank.elasticity.material import Material, contact_modulus
from flank.elasticity.tooth_plate import FlankCompliance
from flank.geometry.cubic_through import CubicThrough
from flank.geometry.flank_pair import FlankPair, NoContact
from flank.geometry.mounting import Placement
from flank.geometry.spline_surface import (
    BY_U,
    BY_UU,
    BY_V,
    POINT,
    SplineSurface,
    spline_filter,
    spline_reading,
    spline_weights,
    unit_normals,
)

FEWEST_SECTIONS = 8

LENGTHWISE, PROFILE = 33, 7
"""Places of a flank at which influence numbers are asked for."""

TEETH_AWAY = 2
"""Neighbours that a loaded tooth still moves."""

REACH = 1.6
"""Pitches on either side of the start over which the pair is rolled."""

ANGLES_PER_PITCH = 64

CLEARANCE = 0.4e-3
"""m: what is farther apart as designed, on a section at an angle, is not looked at."""

NEAR_EDGE = 0.85
"""v_B from which on a contact is near B's edge."""

REFERENCE_LOAD, TYPICAL_RADIUS = 100e3, 15e-3
"""N/m and m: a contact of teeth, whose half width is the least over which an edge comes in."""

FLATTEST = 1.0
"""1/m: least relative curvature across a contact line."""

TABLE_NODES, TABLE_END = 41, 1.25
"""Of tables over v, from -TABLE_END to TABLE_END."""


@dataclass(frozen=True, eq=False)
class FlankLoading:
    """Two flanks, what gives way, and how finely it is looked at; SI units.

    `carrier` is 0 or 1, the gear that carries the sections; `apex` the place of its pitch apex on
    its axis, None for planes across the axis. Tips are rounded with `edge_radius`. Where teeth of
    a gear differ, `every_tooth` has the flanks of all of them, turned back to the first.
    """

    pair: FlankPair
    compliances: tuple[FlankCompliance, FlankCompliance]
    materials: tuple[Material, Material]
    sections: int = 40
    carrier: int = 0
    apex: float | None = 0.0
    edge_radius: float = 0.2e-3
    friction: float = 0.0
    friction_velocity: float = 0.01
    every_tooth: tuple[tuple[SplineSurface, ...], tuple[SplineSurface, ...]] = ((), ())

    def __post_init__(self) -> None:
        if self.sections < FEWEST_SECTIONS:
            raise ValueError(
                f"{self.sections} sections do not resolve a contact line; give {FEWEST_SECTIONS} "
                "points per flank or more"
            )
        if not self.edge_radius > 0:
            raise ValueError(
                f"an edge of the radius {self.edge_radius:g} m has no finite pressure; give a "
                "rounding above zero, such as 0.1 mm"
            )


@dataclass(frozen=True, eq=False)
class _Carrier:
    """A's flank laid through spheres: w from -1 to 1 over the radii, in place of u."""

    surface: SplineSurface
    ends: tuple[float, float]  # least and greatest radius
    radii: Floats  # of sections
    lengthwise: Floats  # u of sections at mid-profile
    face: tuple[Floats, Floats]  # radii of toe and heel over the profile's nodes

    @property
    def thickness(self) -> float:
        return (self.ends[1] - self.ends[0]) / len(self.radii)

    def w(self, radii: Floats) -> Floats:
        return 2 * (radii - self.ends[0]) / (self.ends[1] - self.ends[0]) - 1


def flank_mesh(loading: FlankLoading) -> FlankMesh:
    """What kernels need of a pair. Where teeth differ, what rolling gives is that of the flanks as
    designed, whichever way their teeth stand."""
    carrier, mate = loading.carrier, 1 - loading.carrier
    carried = _carried(loading)
    mesh = _unrolled(loading, carried)
    angles, places = _rolled(loading, carried, mesh)
    _put_edge(loading, carried, mesh, angles, places)
    angles, places = _rolled(loading, carried, mesh)
    across = _filled(places[len(angles) // 2, :, 1])
    mesh.section[:, MATE_WIDTH] = np.abs(np.gradient(across))
    mesh.section[:, CLIMB] = _climb(mesh, places)
    _put_bows(mesh, places)
    values = _values_over_v(loading, carried, angles, places)
    _put_growth(mesh, values[..., CURVATURE], places)
    near, starts = _close(angles, places)
    return mesh._replace(
        curves=_curves(loading, carried),
        mate=_mates(loading),
        starts=starts,
        first_angle=float(near[0]),
        angle_step=float(near[1] - near[0]),
        tables=_tables(carried, values),
        influence_a=_influence(loading.compliances[carrier], carried.lengthwise),
        influence_b=_influence(loading.compliances[mate], across),
    )


def _carried(loading: FlankLoading) -> _Carrier:
    surface = loading.pair.surfaces[loading.carrier]
    profile, lengthwise = surface.grid.shape[:2]
    v = np.linspace(-1, 1, profile)
    toe, heel = (_radius(loading, surface.at(np.full(profile, end), v)) for end in (-1.0, 1.0))
    toe, heel = (toe, heel) if heel.mean() > toe.mean() else (heel, toe)
    ends = float(toe.min()), float(heel.max())
    thickness = (ends[1] - ends[0]) / loading.sections
    middles = np.arange(loading.sections, dtype=float) + 0.5
    radii: Floats = ends[0] + thickness * middles
    nodes = np.linspace(ends[0], ends[1], max(lengthwise, 25), dtype=np.float64)
    grid = _on_spheres(loading, surface, nodes, v)[0]
    middle = _on_spheres(loading, surface, radii, np.zeros(1))[1][0]
    return _Carrier(SplineSurface(grid), ends, radii, middle, (toe, heel))


def _radius(loading: FlankLoading, at: Floats) -> Floats:
    """Coordinate that is constant on a section."""
    points = at[..., POINT, :]
    if loading.apex is None:
        plane: Floats = points[..., 2]
        return plane
    radius: Floats = np.linalg.norm(points - [0.0, 0.0, loading.apex], axis=-1)
    return radius


def _on_spheres(
    loading: FlankLoading, surface: SplineSurface, radii: Floats, v: Floats
) -> tuple[Floats, Floats]:
    """Points (profile, radii, 3) of the flank on spheres, and their u."""
    u = np.zeros((len(v), len(radii)))
    v = np.broadcast_to(v[:, None], u.shape)
    for _ in range(40):
        at = surface.at(u, v)
        away = _radius(loading, at) - radii
        slope = at[..., BY_U, 2]
        if loading.apex is not None:
            arm = at[..., POINT, :] - [0.0, 0.0, loading.apex]
            slope = np.einsum("...c,...c->...", arm, at[..., BY_U, :]) / np.linalg.norm(
                arm, axis=-1
            )
        u = u - np.clip(away / slope, -0.5, 0.5)
        if np.abs(away).max() < 1e-15:
            break
    return surface.points(u, v), u


def _start(loading: FlankLoading) -> Floats:
    """A's angle, v, u_B, v_B and B's angle of a contact near the middles."""
    first, u_1, v_1, u_2, v_2, second = loading.pair.start
    if loading.carrier == 0:
        return np.array([first, v_1, u_2, v_2, second])
    return np.array([second, v_2, u_1, v_1, first])


def _pose_of(loading: FlankLoading, angle: float) -> tuple[Floats, Floats]:
    """A's origin and rotation seen from B at an angle of A, at the exact ratio."""
    pair, start = loading.pair, _start(loading)
    ratio = pair.ratio if loading.carrier == 0 else 1 / pair.ratio
    angles = (angle, start[4] + ratio * (angle - start[0]))
    return seen_from_mate(pair, loading.carrier, angles if loading.carrier == 0 else angles[::-1])


def seen_from_mate(
    pair: FlankPair, carrier: int, angles: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Origin and rotation of one gear in the frame of the other, both turned."""
    origins, turns = zip(*gear_poses(pair, angles), strict=True)
    mate = 1 - carrier
    return turns[mate].T @ (origins[carrier] - origins[mate]), turns[mate].T @ turns[carrier]


def gear_poses(pair: FlankPair, angles: tuple[float, float]) -> tuple[Placement, Placement]:
    """(origin, rotation) of both gears in the fixed frame."""
    return pair.mounting.first(angles[0]), pair.mounting.second(angles[1])


def _unrolled(loading: FlankLoading, carried: _Carrier) -> FlankMesh:
    """The mesh without what rolling it gives."""
    pair, carrier, mate = loading.pair, loading.carrier, 1 - loading.carrier
    surface, start = pair.surfaces[mate], _start(loading)
    tips = carried.surface.at(carried.w(carried.radii), 1.0)
    count = loading.sections
    section = np.ones((count, 12))
    section[:, [BOW, BOW_A, BOW_B]] = 0.0
    section[:, TIP_SCALE] = np.linalg.norm(tips[:, BY_V], axis=-1)
    bodies = [
        DeepBody(compliance.depth, material)
        for compliance, material in zip(loading.compliances, loading.materials, strict=True)
    ]
    law = line_law(bodies[0], bodies[1], 1.0)
    teeth, none = (pair.teeth[carrier], pair.teeth[mate]), np.zeros((1, 1, 1, 1, 1, 1))
    middles = [pair.surfaces[k].points(0.0, 0.0)[2] for k in (carrier, mate)]
    references = _references(pair, carrier, (float(middles[0]), float(middles[1])))
    return FlankMesh(
        curves=_tooth_curves(carried.surface, carried)[None],
        mate=surface.coefficients[None],
        starts=np.zeros((count, 2, 3)),
        tables=np.zeros((count, 4, 3)),
        influence_a=none,
        influence_b=none,
        section=section,
        outward=float(pair.outward[mate]),
        thickness=carried.thickness,
        first_angle=0.0,
        angle_step=1.0,
        table_start=-TABLE_END,
        table_step=2 * TABLE_END / (TABLE_NODES - 1),
        mate_scale=float(np.linalg.norm(surface.at(0.0, 1.0)[BY_V])),
        edge_radius=loading.edge_radius,
        edge_width=0.5 * loading.edge_radius,
        contact_width=half_width(
            REFERENCE_LOAD, 1.0, TYPICAL_RADIUS, contact_modulus(*loading.materials)
        ),
        constant=law.constant,
        slope=law.slope,
        rubbing=np.array([loading.friction, loading.friction_velocity]),
        teeth_a=teeth[0],
        teeth_b=teeth[1],
        sense=pair.sense,
        reference_a=references[0],
        reference_b=references[1],
        middle_a=float(middles[0]),
        middle_b=float(middles[1]),
        phase=float(teeth[1] * start[4] - pair.sense * teeth[0] * start[0]),
    )


def _references(pair: FlankPair, carrier: int, middles: tuple[float, float]) -> tuple[float, float]:
    """Directions in which A sees B's axis, and B sees A's, where neither has turned."""
    origin, turn = seen_from_mate(pair, carrier, (0.0, 0.0))
    of_mate = turn.T @ (np.array([0.0, 0.0, middles[1]]) - origin)
    of_carrier = origin + turn @ [0.0, 0.0, middles[0]]
    return math.atan2(of_mate[1], of_mate[0]), math.atan2(of_carrier[1], of_carrier[0])


def _curves(loading: FlankLoading, carried: _Carrier) -> Floats:
    """Coefficients over v of sections of all teeth that differ, and of their derivatives by the
    radius."""
    every_tooth = loading.every_tooth[loading.carrier]
    if not every_tooth:
        return _tooth_curves(carried.surface, carried)[None]
    profile, lengthwise = carried.surface.grid.shape[:2]
    v = np.linspace(-1, 1, profile)
    nodes = np.linspace(*carried.ends, lengthwise)
    surfaces = (SplineSurface(_on_spheres(loading, each, nodes, v)[0]) for each in every_tooth)
    return np.array([_tooth_curves(surface, carried) for surface in surfaces])


def _mates(loading: FlankLoading) -> Floats:
    """Coefficients of the mate's flank, or of those of all its teeth where they differ."""
    mate = 1 - loading.carrier
    surfaces = loading.every_tooth[mate] or (loading.pair.surfaces[mate],)
    return np.array([surface.coefficients for surface in surfaces])


def _tooth_curves(surface: SplineSurface, carried: _Carrier) -> Floats:
    coefficients = surface.coefficients
    cells = len(coefficients) - 3
    curves = np.empty((len(carried.radii), coefficients.shape[1], 6))
    by_radius = cells / (carried.ends[1] - carried.ends[0])
    for i, w in enumerate(carried.w(carried.radii)):
        cell, values, slopes, _ = spline_weights(0.5 * cells * (w + 1), cells)
        near = coefficients[cell : cell + 4]
        curves[i, :, :3] = np.tensordot(values, near, 1)
        curves[i, :, 3:] = by_radius * np.tensordot(slopes, near, 1)
    return curves


def _rolled(loading: FlankLoading, carried: _Carrier, mesh: FlankMesh) -> tuple[Floats, Floats]:
    """Angles of A, and places and penetrations (angles, sections, 4) of the pair as designed."""
    start, pitch = _start(loading), 2 * math.pi / mesh.teeth_a
    half = round(REACH * ANGLES_PER_PITCH)
    angles = start[0] + pitch / ANGLES_PER_PITCH * np.arange(-half, half + 1)
    places = np.full((len(angles), loading.sections, 4), math.nan)
    own = np.array([[*start[1:4], 0.0]] * loading.sections)
    flank = loading.pair.surfaces[loading.carrier]
    lengthwise = loading.pair.start[1 if loading.carrier == 0 else 3]
    radius = float(_radius(loading, flank.at(lengthwise, start[1])))
    own[np.argsort(np.abs(carried.radii - radius))[1:]] = math.nan
    places[half] = _settled(loading, mesh, angles[half], own)
    if np.isnan(places[half, :, 3]).all():
        raise NoContact(
            "no section of these flanks touches at the start; look at the mounting (shaft angle, "
            "offset, E, P, G) and at the place of the pitch apex"
        )
    for way in (1, -1):
        for k in range(half + way, half + way * (half + 1), way):
            places[k] = _settled(loading, mesh, angles[k], places[k - way])
    return angles, places


def _settled(loading: FlankLoading, mesh: FlankMesh, angle: float, near: Floats) -> Floats:
    """Places at an angle, from those of the angle before, or of the nearest section with one."""
    origin, turn = _pose_of(loading, angle)
    best = np.full_like(near, math.nan)
    scratch = np.empty((5, 3)), np.empty((6, 3)), np.empty((3, 4))
    for _ in range(len(near)):
        known = np.flatnonzero(~np.isnan(near[:, 3]))
        if not len(known):
            break
        nearest = np.abs(np.arange(len(near))[:, None] - known).argmin(axis=1)
        trial = near[known[nearest]].copy()
        settle_sections(mesh, origin, np.ascontiguousarray(turn), trial, *scratch)
        more = np.isnan(best[:, 3]) & ~np.isnan(trial[:, 3])
        best[more] = trial[more]
        if not more.any() or not np.isnan(best[:, 3]).any():
            break
        near = best.copy()
    return best


def _put_edge(
    loading: FlankLoading, carried: _Carrier, mesh: FlankMesh, angles: Floats, places: Floats
) -> None:
    """How v_B changes with v and across a section, the pose fixed: feet on B follow tangents of A;
    and relative curvatures along sections. In the mean over where an edge comes, or wherever there
    is a contact."""
    inside = (np.abs(places[..., 0] + 0.1) < 1.05) & (np.abs(places[..., 2]) < 1)
    slopes = np.full((*inside.shape, 3), math.nan)
    for k in np.flatnonzero(inside.any(axis=1)):
        rows = np.flatnonzero(inside[k])
        slopes[k, rows] = _followed(loading, carried, angles[k], rows, places[k])
    ratio, shift, bent = _near(inside, places[..., 2], slopes).T
    mesh.section[:, EDGE_RATIO] = -ratio
    mesh.section[:, SHIFT] = 2 / (carried.ends[1] - carried.ends[0]) * carried.thickness * shift
    stretch = mesh.section[:, TIP_SCALE] / (np.abs(ratio) * mesh.mate_scale)
    mesh.section[:, FOLLOW_B] = np.maximum(bent * stretch**2, FLATTEST)
    mesh.section[:, FOLLOW_A] = np.maximum(_near(inside, places[..., 0], slopes)[:, 2], FLATTEST)


def _followed(
    loading: FlankLoading, carried: _Carrier, angle: float, rows: Integers, places: Floats
) -> Floats:
    """(sections, 3): v_B by v and by w, and the relative curvature along p_v."""
    turn = _pose_of(loading, angle)[1]
    own = carried.surface.at(carried.w(carried.radii[rows]), places[rows, 0]) @ turn.T
    other = loading.pair.surfaces[1 - loading.carrier].at(places[rows, 1], places[rows, 2])
    tangents = other[:, BY_U : BY_V + 1]
    metric = np.einsum("kac,kbc->kab", tangents, tangents)
    along = np.einsum("kac,kbc->kab", tangents, own[:, [BY_V, BY_U]])
    normal = loading.pair.outward[1 - loading.carrier] * unit_normals(other)
    way = own[:, BY_V] / np.linalg.norm(own[:, BY_V], axis=-1, keepdims=True)
    bent = _bending(own, normal, way) - _bending(other, normal, way)
    return np.column_stack((np.linalg.solve(metric, along)[:, 1], bent))


def _near(inside: Flags, v: Floats, values: Floats) -> Floats:
    """Means (sections, ...) of values over angles where v comes to its edge, or of all inside."""
    near = inside & (v > NEAR_EDGE)
    chosen = np.where(near.any(axis=0), near, inside)
    count = chosen.sum(axis=0)
    sums = np.where(chosen[..., None], values, 0.0).sum(axis=0)
    means = sums / np.where(count > 0, count, math.nan)[:, None]
    return np.column_stack([_filled(column) for column in means.T])


def _climb(mesh: FlankMesh, places: Floats) -> Floats:
    """What a contact line climbs within a section, in the mean over where neither edge touches."""
    v, v_b = places[..., 0], places[..., 2]
    inside = np.where((np.abs(v) < 1) & (np.abs(v_b) < 1), 1.0, math.nan)
    climb = np.abs(_mean_change(v * inside)) * mesh.section[:, TIP_SCALE]
    return np.maximum(climb, 1e-2 * mesh.contact_width)


def _put_bows(mesh: FlankMesh, places: Floats) -> None:
    """-d'' Δr²/24 along contact lines: what a parabola is less in the mean over a section than in
    its middle. Where neither edge touches, and what it is more where three sections in a row have
    theirs past one."""
    v, v_b, depth = places[..., 0], places[..., 2], places[..., 3]
    mesh.section[:, BOW] = _filled(_mean_bow((np.abs(v) < 1) & (np.abs(v_b) < 1), depth))
    near = depth > -CLEARANCE
    for column, edge in ((BOW_A, (v > 1) & (v_b < 1)), (BOW_B, (v_b > 1) & (v < 1))):
        along = _filled(_mean_bow(edge & near, depth))
        mesh.section[:, column] = np.maximum(along - mesh.section[:, BOW], 0.0)


def _mean_bow(chosen: Flags, depth: Floats) -> Floats:
    """Of sections, over angles; not a number where there is none."""
    bend = np.full_like(depth, math.nan)
    bend[:, 1:-1] = np.diff(np.where(chosen, depth, math.nan), 2, axis=1)
    known = np.isfinite(bend).sum(axis=0)
    mean: Floats = -np.nansum(bend, axis=0) / np.where(known > 0, known, math.nan) / 24
    return mean


def _put_growth(mesh: FlankMesh, curvature: Floats, places: Floats) -> None:
    """ln(1 + 1/ρκ) of sections with κ at A's edge, and where B's comes in as designed, or else at
    A's root."""
    v = np.linspace(-TABLE_END, TABLE_END, TABLE_NODES)
    edge = np.abs(places[..., 2] - 1) < 1 - NEAR_EDGE
    count = edge.sum(axis=0)
    there = np.where(edge, places[..., 0], 0.0).sum(axis=0) / np.where(count > 0, count, math.nan)
    there = np.clip(np.where(count > 0, there, -1.0), -1, 1)
    for i, row in enumerate(curvature):
        sharper = mesh.edge_radius * np.exp(np.interp([1.0, there[i]], v, row))
        mesh.section[i, [GROWTH_A, GROWTH_B]] = np.log1p(1 / sharper)


def _mean_change(values: Floats) -> Floats:
    """Change from section to section, in the mean over angles."""
    change = np.gradient(values, axis=1)
    known = np.isfinite(change).sum(axis=0)
    return _filled(np.nansum(change, axis=0) / np.where(known > 0, known, math.nan))


def _filled(values: Floats) -> Floats:
    """Gaps by the nearest values there are."""
    known = np.flatnonzero(np.isfinite(values))
    if not len(known):
        return np.zeros(len(values))
    filled: Floats = np.interp(np.arange(len(values)), known, values[known])
    return filled


def _close(angles: Floats, places: Floats) -> tuple[Floats, Floats]:
    """Angles at which something comes close, and starts there (sections, angles, 3)."""
    near = places[..., 3] > -CLEARANCE
    rows = np.flatnonzero(near.any(axis=1))
    rows = np.arange(max(rows[0] - 1, 0), min(rows[-1] + 2, len(angles)))
    starts = np.where(near[rows, :, None], places[rows, :, :3], math.nan)
    return angles[rows], np.ascontiguousarray(np.swapaxes(starts, 0, 1))


def _values_over_v(
    loading: FlankLoading, carried: _Carrier, angles: Floats, places: Floats
) -> Floats:
    """(sections, nodes, 3): ln κ, what depths add to it, and length of sections over v."""
    v = np.linspace(-TABLE_END, TABLE_END, TABLE_NODES)
    inside = (np.abs(places[..., 0]) < 1) & (np.abs(places[..., 2]) < 1)
    known = np.full((*inside.shape, 3), math.nan)
    for k, angle in enumerate(angles):
        rows = np.flatnonzero(inside[k])
        if len(rows) > 1:
            curvature, length = _line(loading, carried, angle, rows, places[k])
            known[k, rows, CURVATURE] = np.log(curvature)
            known[k, rows, LENGTH] = carried.thickness * length
    known[inside, DEPTH] = _depth_part(loading, carried, inside, places)
    values = np.full((loading.sections, TABLE_NODES, 3), math.nan)
    for table in range(3):
        for i in range(loading.sections):
            here = np.flatnonzero(np.isfinite(known[:, i, table]))
            if len(here) > 3:
                order = here[np.argsort(places[here, i, 0])]
                values[i, :, table] = _read_on(v, places[order, i, 0], known[order, i, table])
        for node in range(TABLE_NODES):
            values[:, node, table] = _filled(values[:, node, table])
    return values


def _depth_part(loading: FlankLoading, carried: _Carrier, inside: Flags, places: Floats) -> Floats:
    """2 Σ c_i ln(d_i/d_i middle)/Q: what depths at places add to the law's P/Q."""
    section = np.nonzero(inside)[1]
    lengthwise = carried.lengthwise[section]
    of_a = lengthwise, places[inside][:, 0]
    of_b = places[inside][:, 1], places[inside][:, 2]
    by_gear = (of_a, of_b) if loading.carrier == 0 else (of_b, of_a)
    shares = [material.line_compliance for material in loading.materials]
    parts = [
        share * np.log(np.asarray(compliance.depth_at(u, v)) / compliance.depth)
        for share, compliance, (u, v) in zip(shares, loading.compliances, by_gear, strict=True)
    ]
    added: Floats = 2 * (parts[0] + parts[1]) / sum(shares)
    return added


def _tables(carried: _Carrier, values: Floats) -> Floats:
    """Coefficients of splines over v, level at both ends. What a section has on the face is a
    factor of those of its length, so that it stays above zero."""
    v = np.linspace(-TABLE_END, TABLE_END, TABLE_NODES)
    coefficients = np.einsum("pn,int->ipt", spline_filter(TABLE_NODES), values)
    shares = np.stack([_share_on_face(carried, place) for place in v], axis=1)
    coefficients[:, :, LENGTH] *= np.pad(shares, ((0, 0), (1, 1)), mode="edge")
    coefficients[:, :3] = coefficients[:, 3:4]
    coefficients[:, -3:] = coefficients[:, -4:-3]
    return np.asarray(coefficients, dtype=float)


def _read_on(v: Floats, known: Floats, values: Floats) -> Floats:
    """A cubic spline through values, straight beyond them."""
    keep = np.concatenate(([True], np.diff(known) > 1e-6))
    ends = np.clip(v, known[keep][0], known[keep][-1])
    value, slope = CubicThrough(known[keep], values[keep]).at(ends)
    return value + (v - ends) * slope


def _line(
    loading: FlankLoading, carried: _Carrier, angle: float, rows: Integers, places: Floats
) -> tuple[Floats, Floats]:
    """Relative curvature across the contact line, and the line's length for a step of the radius,
    on sections `rows` at an angle."""
    origin, turn = _pose_of(loading, angle)
    own = carried.surface.at(carried.w(carried.radii[rows]), places[rows, 0]) @ turn.T
    other = loading.pair.surfaces[1 - loading.carrier].at(places[rows, 1], places[rows, 2])
    points = own[:, POINT] + origin
    normal = loading.pair.outward[1 - loading.carrier] * unit_normals(other)
    line = np.gradient(points, carried.radii[rows], axis=0)
    line -= normal * np.einsum("kc,kc->k", line, normal)[:, None]
    length = np.linalg.norm(line, axis=-1)
    across = np.cross(normal, line / length[:, None])
    bent = _bending(own, normal, across) - _bending(other, normal, across)
    return np.maximum(bent, FLATTEST), length


def _bending(at: Floats, normal: Floats, direction: Floats) -> Floats:
    """Curvature of a surface towards the normal along a direction."""
    tangents = at[:, BY_U : BY_V + 1]
    metric = np.einsum("kac,kbc->kab", tangents, tangents)
    along = np.einsum("kac,kc->ka", tangents, direction)
    share = np.linalg.solve(metric, along[..., None])[..., 0]
    bending = np.einsum("kjc,kc->kj", at[:, BY_UU:], normal)
    first, both, second = share[:, 0] ** 2, 2 * share[:, 0] * share[:, 1], share[:, 1] ** 2
    bent: Floats = first * bending[:, 0] + both * bending[:, 1] + second * bending[:, 2]
    return bent


def _share_on_face(carried: _Carrier, v: float) -> Floats:
    """Of the thickness of each section, between toe and heel at v."""
    nodes = np.linspace(-1, 1, len(carried.face[0]))
    toe, heel = (np.interp(v, nodes, border) for border in carried.face)
    low = np.maximum(carried.radii - 0.5 * carried.thickness, toe)
    high = np.minimum(carried.radii + 0.5 * carried.thickness, heel)
    share: Floats = np.maximum((high - low) / carried.thickness, 1e-6)
    return share


def _influence(compliance: FlankCompliance, lengthwise: Floats) -> Floats:
    """Influence numbers between sections over v (teeth, teeth away, sections, nodes, sections,
    nodes): of each tooth until they repeat, under loads on it."""
    u, v = np.meshgrid(np.linspace(-1, 1, LENGTHWISE), np.linspace(-1, 1, PROFILE), indexing="ij")
    width = np.gradient(lengthwise)
    across = (np.arange(5) - 2) / 5
    samples = np.clip(lengthwise[:, None] + width[:, None] * across, -1, 1)
    places = 0.5 * (LENGTHWISE - 1) * (samples.ravel() + 1)
    rows = spline_reading(places, LENGTHWISE).reshape((*samples.shape, -1)).mean(axis=1)
    profile = spline_filter(PROFILE)
    size = len(lengthwise), PROFILE + 2
    tables = np.empty((compliance.period, TEETH_AWAY + 1, *size, *size))
    for tooth, offset in np.ndindex(tables.shape[:2]):
        numbers = compliance.influence(u.ravel(), v.ravel(), offset, tooth)
        numbers = numbers.reshape((LENGTHWISE, PROFILE) * 2)
        with one_blas_thread():
            for weights in (rows, profile, rows, profile):  # an axis goes to the end each time
                numbers = np.tensordot(numbers, weights, axes=(0, 1))
        tables[tooth, offset] = numbers
    return tables
