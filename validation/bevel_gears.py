"""How far to trust bevel gears: blanks, cut flanks, contact without load and under it.

    python validation/bevel_gears.py      writes docs/validation/bevel_gears.md

Every case is also a test.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from bevel_blanks import blank_cases
from bevel_contact import closed_cases, element_cases, law_cases, symmetry_cases
from bevel_flanks import (
    ARC_SECOND,
    conjugate_cases,
    misalignment_cases,
    published_cases,
    published_pair,
    rolling_cases,
    side_cases,
)
from bevel_refusals import refusal_cases
from cases import as_table, finish

from flank.geometry.unloaded_contact import transmission_error

PAGE = Path(__file__).parent.parent / "docs" / "validation" / "bevel_gears.md"

SECTIONS = {
    "published": published_cases,
    "blanks": blank_cases,
    "conjugate": conjugate_cases,
    "rolling": rolling_cases,
    "sides": side_cases,
    "misalignment": misalignment_cases,
    "closed": closed_cases,
    "laws": law_cases,
    "element": element_cases,
    "symmetry": symmetry_cases,
    "refusals": refusal_cases,
}
GROUPS = tuple(SECTIONS.values())

PROSE = """# How far to trust bevel and hypoid gears

Written by `make validation`; every row is also a test. Theory:
[blanks and cut flanks](../theory/bevel_cutting.md), [bevel pairs](../theory/bevel_pair.md). The
paper whose method of load distribution this is comes out of `flank reproduce hypoid`.

## Cut flanks

Corners of four flanks from the machine settings of a published pair of 12/36 teeth.

{published}

## Blanks

All four samples of the standard; tests compare more figures. Allowed is half of the last printed
digit, and more where the standard prints from other steps of its loops.

{blanks}

## Conjugate pairs

The pinion is the envelope of its gear, nothing is taken off. Pairs that touch along lines have no
single point of contact; the error is found by turning the gear out of the way of all points of the
pinion's flank, through a pitch.

{conjugate}

## Rolling without load

The pair of 12/36 teeth with gear blades of 21° 25', for which another code has the curve of one
tooth pair on surfaces that go on beyond their borders. That curve rises to both sides the way the
gear is pushed: it bends the wrong way for a hand-over from tooth to tooth. The gear is where it is
pushed farthest, so neighbouring curves do not relieve each other where they cross, 7.57 seconds of
arc above their middles; each tooth pushes on until its edge ends it. 7.57 seconds would be the
error from peak to peak if the tooth that pushes least held the gear. With edges it is
{span:.2f} seconds, which turning the gear out of the way of all points, without any equation of
contact, confirms.

{rolling}

Which way the gear is pushed is decided twice: by which of both surfaces bends more, as everywhere
in Flank, and by on which side the tooth has its other flank.

{sides}

## Misalignment

{misalignment}

## Closed forms under load

Spur teeth of 24/36 as flanks in space, on bodies that give way only where they are touched.
Sections know no neighbours in the contact itself, so Hertz's ellipse is met the better, the more
slender it is.

{closed}

## Load distribution

The law of sections that touch in part; forces against a solver of another kind; few sections
against many points.

{laws}

## The element between two bodies

At about 350 N m on the pinion.

{element}

## Symmetries

{symmetry}

## What is refused

{refusals}

## What is not validated

- **No measured pair stands behind these figures**: neither patterns nor transmission errors under
  load of a pair with known flanks are published as numbers.
- Load distributions on quick influence numbers are as good as these: tooth and body as coupled
  slices, without the curvature of the tooth's trace.
"""


def main() -> None:
    cases = {section: list(group()) for section, group in SECTIONS.items()}
    tables = {section: as_table(each) for section, each in cases.items()}
    span = transmission_error(published_pair(), 240).peak_to_peak / ARC_SECOND
    text = PROSE.format(**tables, span=span)
    finish(PAGE, text, [case for each in cases.values() for case in each])


if __name__ == "__main__":
    main()
