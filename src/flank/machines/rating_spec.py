"""What a spec tells of how gears are made, lubricated and used, for their rating by ISO 6336.

Nothing of it enters a model: only `flank check` reads it. The gears' strength follows from their
material; a steel that names no treatment is rated as case-hardened, which the check says.
"""

from typing import Annotated

from flank.machines.quantities import (
    NonNegativeLength,
    PositiveTime,
    WholeNumber,
    quantity,
)
from flank.machines.spec import Spec, key, optional

AtLeastOne = Annotated[float, quantity("", "", minimum=1.0)]
Roughness = Annotated[float, quantity("m", "um", minimum=0.0)]
Viscosity = Annotated[float, quantity("m^2/s", "mm^2/s", positive=True)]
Grade = Annotated[int, WholeNumber(minimum=1, maximum=11)]


class GearRatingSpec(Spec):
    """Making and use of gears, as ISO 6336 asks for them."""

    application_factor: AtLeastOne | None = optional(
        "the factor K_A on the rated torque for what drives and is driven unevenly; 1 if absent",
        1.25,
    )
    life: PositiveTime = key(
        "how long the gears run at the rated torque and the input speed", "20000 h", default=7.2e7
    )
    tolerance_grade: Grade = key("the grade of the teeth by ISO 1328-1", 6, default=6)
    flank_roughness: Roughness = key("the mean roughness R_z of the flanks", "4 um", default=4e-6)
    root_roughness: Roughness = key("that of the fillets", "10 um", default=10e-6)
    viscosity: Viscosity = key(
        "the kinematic viscosity of the oil at 40 °C", "220 mm^2/s", default=220e-6
    )
    misalignment: NonNegativeLength | None = optional(
        "the misalignment F_βx of the flanks over the face width before running-in; from the "
        "tolerances of the spec, or of the grade, if absent",
        "15 um",
    )
    dynamic_factor: AtLeastOne | None = optional(
        "the factor K_V, where a simulation knows it better; by ISO 6336-1 if absent", 1.1
    )
    face_load_factor: AtLeastOne | None = optional(
        "the factor K_Hβ, where a contact solved for across the face knows it better; by ISO "
        "6336-1 if absent",
        1.2,
    )
    sharing_factor: AtLeastOne | None = optional(
        "the factor K_γ of the most loaded planet; from a static solve with one pin displaced by "
        "its tolerance if absent; of planetary gearboxes",
        1.1,
    )
