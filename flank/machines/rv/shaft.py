"""The crank of an RV reducer as a stepped shaft."""

from flank.elasticity.shaft import Segment, Shaft
from flank.machines.rv.rules import Dimensions
from flank.machines.rv.spec import RvReducerSpec


def crank_shaft(spec: RvReducerSpec, size: Dimensions) -> Shaft:
    """Planet, journal, eccentrics with webs between, journal; a station in the middle of each.

    The web between two eccentrics is the largest round one that lies inside both.
    """
    journal = Segment(size.journal_length, size.journal_radius)
    eccentric = Segment(size.eccentric_length, size.pin_radius)
    web = Segment(size.web_length, size.pin_radius - spec.eccentricity)
    pieces = [Segment(size.face_width, size.journal_radius), journal]
    for j in range(spec.discs.count):
        pieces += [web, eccentric] if j else [eccentric]
    pieces.append(journal)
    stations, place = [], 0.0
    for piece in pieces:
        if piece is not web:
            stations.append(place + 0.5 * piece.length)
        place += piece.length
    material = spec.material(spec.cranks.material).elastic
    return Shaft(tuple(pieces), tuple(stations), material)
