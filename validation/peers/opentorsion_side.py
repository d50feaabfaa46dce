"""openTorsion's frequencies of a geared train; run in its own environment, JSON in and out."""

import json
import sys

import numpy as np
from opentorsion.assembly import Assembly
from opentorsion.elements.disk_element import Disk
from opentorsion.elements.elastic_gear_element import ElasticGear

question = json.load(sys.stdin)
gears = []
for node, (inertia, radius, stiffness, parent) in enumerate(question["gears"]):
    options = {} if parent is None else {"k": stiffness, "parent": gears[parent]}
    gears.append(ElasticGear(node, inertia, radius, c=0.0, **options))
disks = [Disk(node, 0.0) for node in range(len(gears))]  # its count of nodes asks no elastic gears
assembly = Assembly([], disks, elastic_gear_elements=gears)
mass, spring = assembly.M, assembly.K
held = question.get("held", [])
left = np.setdiff1d(np.arange(len(mass)), held)
values = np.linalg.eigvals(np.linalg.solve(mass, spring)[np.ix_(left, left)]).real
frequencies = np.sqrt(np.abs(np.sort(values))) / (2 * np.pi)
print(json.dumps({"frequencies": frequencies.tolist()}))
