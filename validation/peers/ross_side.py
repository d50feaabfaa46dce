"""ROSS's stiffness of a mesh of two equal gears; run in its own environment, JSON in and out."""

import json
import sys

import numpy as np
import ross
from ross.units import Q_

question = json.load(sys.stdin)
steel = ross.Material("steel", rho=7850, E=question["modulus"], Poisson=question["poisson"])


def gear(teeth: int, bore: float):
    return ross.GearElementTVMS(
        n=0,
        material=steel,
        module=Q_(question["module"], "m"),
        width=Q_(question["width"], "m"),
        n_teeth=teeth,
        bore_diameter=Q_(2 * bore, "m"),
        pr_angle=Q_(20, "deg"),
    )


pair = [gear(teeth, bore) for teeth, bore in zip(question["teeth"], question["bores"], strict=True)]
mesh = ross.Mesh(*pair)
pitch = 2 * np.pi / question["teeth"][0]
angles = np.linspace(0, pitch, question["positions"], endpoint=False)
values = np.array([mesh.get_variable_equivalent_stiffness(a, mesh.contact_ratio) for a in angles])
print(
    json.dumps(
        {
            "contact_ratio": float(mesh.contact_ratio),
            "largest": float(values.max()),
            "least": float(values.min()),
            "mean": float(values.mean()),
        }
    )
)
