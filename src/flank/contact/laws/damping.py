"""Hunt and Crossley's damping of any force law,

    f = F(δ) max(0, 1 + d δ̇),

which gives no force at zero penetration and no tension at separation.
"""

from flank.kernel import kernel


@kernel
def damped(force, stiffness, damping, depth_rate):
    """Force, its derivative by depth and by depth rate."""
    factor = 1.0 + damping * depth_rate
    if factor <= 0.0:
        return 0.0, 0.0, 0.0
    return force * factor, stiffness * factor, force * damping
