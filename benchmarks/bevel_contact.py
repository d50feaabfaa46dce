"""What one position of bevel gears under load costs, by method and number of points.

python benchmarks/bevel_contact.py

Search for contact points, influence numbers, load distribution and forces, warm; beside it the
search alone, with flanks just apart.
"""

from page import shown

from flank.reproduce.hypoid.computing import PAIRS, costs

LAG = 8e-4
"""rad of the gear behind contact without load: about 350 N·m on the pinion."""

CASES = ("old/40", "old/200", "new/40")
"""old: points that pull are deleted; new: sections touch in part."""

TITLE = "Bevel gears under load, one position, two or three pairs of teeth in mesh"

HEADER = ["pair", "method/points", "points in question", "ms", "of it the search", "against new/40"]


def positions() -> list[list]:
    rows = []
    for pair in PAIRS:
        found = costs(pair, CASES, LAG)
        for case, time in found.time.items():
            search = found.search[int(case.partition("/")[2])]
            rows.append([pair, case, found.points[case], time, search, time / found.time["new/40"]])
    return rows


if __name__ == "__main__":
    print(shown(TITLE, HEADER, positions()).as_markdown())
