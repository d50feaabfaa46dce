"""Machines as drawings and solids for CAD: DXF, STEP, SVG."""
