"""The crank of a reducer as a stepped shaft."""

from flank.elasticity.shaft import Segment, Shaft
from flank.machines.crank_reducer.rules import Dimensions
from flank.machines.crank_reducer.spec import CrankReducerSpec


def crank_shaft(spec: CrankReducerSpec, size: Dimensions) -> Shaft:
    """Planet (if there is one), journal, eccentrics with webs between, journal.

    A station stands in the middle of each. The web between two eccentrics is the largest round one
    that lies inside both.
    """
    journal = Segment(size.journal_length, size.journal_radius)
    eccentric = Segment(size.eccentric_length, size.pin_radius)
    web = Segment(size.web_length, size.pin_radius - size.eccentricity)
    pieces = [journal]
    if spec.first_stage is not None:
        pieces.insert(0, Segment(size.face_width, size.journal_radius))
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
