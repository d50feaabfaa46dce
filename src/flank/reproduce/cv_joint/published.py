"""What the paper says in words; its figures are pictures without tables, so this is all there is.

Marter, P., Daniel, C., Duvigneau, F., Woschke, E.: Numerical Analysis Based on a Multi-Body
Simulation for a Plunging Type Constant Velocity Joint, 2020.
"""

TORQUE = 2000.0
"""N·m of the load case."""

DEFLECTION = 2.0
"""Degrees of the load case."""

FRICTION = 0.03
"""μ_r that the paper settles on."""

SECONDARY_SHARE = 0.03
"""Secondary torque over the load torque at this friction, 'approximately'."""

BALL_STROKE = 1.0
"""mm, 'oscillation amplitude of displacement of approximately 1 mm' along the track."""

AXIAL_MOTION = 58.0
"""µm, 'approximately', of the inner race along its axis; amplitude or range is not said."""

AXIAL_ORDERS = (4, 12, 20, 28)
FORBIDDEN_ORDERS = (1, 2, 8, 16, 24)
"""Orders of the axial motion that the paper names, and some that the symmetry rules out."""

LOW_FRICTIONS = 0.05
"""Up to here the paper fits a parabola of its own to the secondary torque."""

DROP_ANGLE = -70.0
"""Degrees of the inner race where the force of the loaded flank begins to drop, no friction."""
