"""Pictures of a joint's turns: the joint, forces, ball motion, torques, axial orders, losses."""

from __future__ import annotations

from flank.analyses.result import Result
from flank.plots.joint_drawing import joint_picture
from flank.plots.joint_forces import forces_picture
from flank.plots.joint_motion import contact_picture, motion_picture
from flank.plots.joint_shafts import axial_picture, energy_picture, torque_picture
from flank.plots.style import Picture, styled


def draw(result: Result) -> dict[str, Picture]:
    """What the result has of: joint, track-forces, ball-motion, rolling-and-sliding,
    secondary-torque, axial-orders, losses."""
    if result.dataset.sizes.get("angle", 0) < 2:
        return {}
    with styled():
        pictures = {"joint": joint_picture(result), "track-forces": forces_picture(result)}
        if "ball_velocity" in result.dataset:
            pictures["ball-motion"] = motion_picture(result)
            pictures["rolling-and-sliding"] = contact_picture(result)
        pictures["secondary-torque"] = torque_picture(result)
        if "order" in result.dataset.dims:
            pictures["axial-orders"] = axial_picture(result)
        if "energy" in result.dataset.dims:
            pictures["losses"] = energy_picture(result)
        return pictures
