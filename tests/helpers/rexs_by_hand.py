"""Small REXS files written by hand, in the manner of versions 1.1 and 1.4 of other programs."""

UNIT = {
    "number_of_teeth": "none",
    "normal_module": "mm",
    "face_width": "mm",
    "tip_diameter": "mm",
    "root_diameter": "mm",
    "u_coordinate_on_shaft": "mm",
    "center_distance": "mm",
    "addendum_modification_coefficient": "none",
    "radial_stiffness": "N / m",
    "catalogue_designation": "none",
    "torque_around_u_axis": "N m",
    "rotational_speed": "1 / min",
    "rotational_stiffness": "N mm / rad",
    "elastic_modulus": "N / mm^2",
    "poisson_ratio": "none",
    "density": "kg / dm^3",
    "material_designation": "none",
    "tip_relief_depth": "mm",
    "tip_relief_datum_length": "mm",
    "shape_of_relief": "none",
    "moment_of_inertia_u_axis": "kg m^2",
}


class ByHand:
    """Rows of XML, with degrees as the program writes them."""

    def __init__(self, version="1.4", degree="deg"):
        self.version, self.degree = version, degree
        self.components, self.relations, self.loads = [], [], []

    def part(self, number, kind, name="", **attributes):
        self.components.append(self._component(number, kind, name, attributes))
        return number

    def load(self, number, kind, **attributes):
        self.loads.append(self._component(number, kind, "", attributes))

    def _component(self, number, kind, name, attributes):
        cells = "".join(self._cell(*item) for item in attributes.items())
        return f"<component id='{number}' type='{kind}' name='{name}'>{cells}</component>"

    def _cell(self, name, value):
        if isinstance(value, tuple):
            cells = "".join(f"<c>{each}</c>" for each in value)
            return f"<attribute id='{name}' unit='mm'><array>{cells}</array></attribute>"
        unit = self.degree if "angle" in name else UNIT.get(name, "none")
        return f"<attribute id='{name}' unit='{unit}'>{value}</attribute>"

    def relate(self, kind, **roles):
        refs = "".join(f"<ref id='{part}' role='{role}'/>" for role, part in roles.items())
        number = len(self.relations) + 1
        self.relations.append(f"<relation id='{number}' type='{kind}'>{refs}</relation>")

    def text(self):
        loads = "".join(self.loads)
        spectrum = f"<load_spectrum id='1'><load_case id='1'>{loads}</load_case></load_spectrum>"
        return (
            f"<?xml version='1.0' encoding='UTF-8'?><model version='{self.version}' "
            "applicationId='By hand' applicationVersion='1' date='2024-05-01'>"
            f"<relations>{''.join(self.relations)}</relations>"
            f"<components>{''.join(self.components)}</components>"
            f"{spectrum if loads else ''}</model>"
        )


def industrial(stages=1):
    """Of two stages in a row the first, as one program writes 1.4: loads in a spectrum."""
    file = ByHand()
    file.part(1, "gear_unit", "Unit")
    file.part(2, "gear_casing")
    for k, (teeth, hand) in enumerate(((27, 1), (51, -1))):
        shaft, gear = file.part(10 + k, "shaft", f"Shaft {k}"), 15 + k
        file.part(
            gear, "cylindrical_gear", f"Gear {k}", face_width=50, number_of_teeth=teeth,
            normal_module=4.5, helix_angle_reference_diameter=21 * hand, u_coordinate_on_shaft=70,
        )  # fmt: skip
        file.relate("assembly", assembly=shaft, part=gear)
        for side, number in (("left", 40 + 2 * k), ("right", 41 + 2 * k)):
            file.part(
                number, "cylindrical_gear_flank", side, normal_pressure_angle=20,
                addendum_modification_coefficient=0.231415,
            )  # fmt: skip
        file.relate("flank", gear=gear, left=40 + 2 * k, right=41 + 2 * k)
    file.part(33, "rolling_bearing_with_catalog_geometry", "B", catalogue_designation="33014")
    file.relate("side", assembly=33, inner_part=11, outer_part=2)
    file.part(34, "concept_bearing", "C", radial_stiffness=3e8)
    file.relate("side", assembly=34, inner_part=10, outer_part=2)
    file.part(50, "external_load", "Drive")
    file.relate("assembly", assembly=10, part=50)
    file.part(60, "tip_relief", "T", tip_relief_depth=0.012, tip_relief_datum_length=2.5,
              shape_of_relief="linear")  # fmt: skip
    file.relate("reference", origin=40, referenced=60)
    file.part(61, "lubricant", "Oil", viscosity=100)
    file.load(10, "shaft", rotational_speed=543)
    file.load(50, "external_load", torque_around_u_axis=567)
    for k in range(stages):
        file.part(19 + k, "cylindrical_stage", f"Stage {k + 1}", center_distance=190)
        file.relate("stage", stage=19 + k, gear_1=15, gear_2=16)
    return file


def planetary():
    """17/22/61 with three planets, as 1.1 has it: degrees by their sign, loads with the parts."""
    file = ByHand("1.1", "°")
    file.part(1, "gear_unit", "Minus gearing")
    file.part(2, "gear_casing")
    file.part(9, "planetary_stage")
    file.part(3, "planet_carrier")
    file.part(4, "shaft", "carrier")
    file.part(34, "shaft", "sun", rotational_speed=1500, defines_speed="true")
    file.part(62, "shaft", "ring")
    file.relate("assembly", assembly=9, part=3)
    file.relate("central_shaft", planetary_stage=9, shaft=34)
    file.relate("central_shaft", planetary_stage=9, shaft=62)
    file.relate("planet_carrier_shaft", planetary_stage=9, shaft=4)
    common = {"face_width": 50, "normal_module": 4, "helix_angle_reference_diameter": 0}
    file.part(53, "cylindrical_gear", "sun", number_of_teeth=17, support_vector=(1, 0, 0), **common)
    file.part(58, "ring_gear", "ring", number_of_teeth=61, support_vector=(1, 0, 0), **common)
    file.relate("assembly", assembly=34, part=53)
    file.relate("assembly", assembly=62, part=58)
    file.part(65, "switchable_coupling", "held", rotational_stiffness=1e20)
    file.relate("side", assembly=65, inner_part=62, outer_part=2)
    file.part(38, "external_load", "drive", torque_around_u_axis=1591.5494309189535)
    file.relate("assembly", assembly=34, part=38)
    places = ((0, 78), (67.54998149518622, -39), (-67.54998149518622, -39))
    for k, (y, z) in enumerate(places):
        shaft, gear = file.part(229 + k, "shaft", f"planet shaft {k}"), 247 + k
        file.part(gear, "cylindrical_gear", f"planet {k}", number_of_teeth=22,
                  support_vector=(1, y, z), **common)  # fmt: skip
        file.relate("assembly", assembly=shaft, part=gear)
        file.relate("planet_shaft", planetary_stage=9, shaft=shaft)
        for base, pair in ((211, (53, gear)), (220, (gear, 58))):
            stage = file.part(base + k, "cylindrical_stage", center_distance=78)
            file.relate("assembly", assembly=9, part=stage)
            file.relate("stage", stage=stage, gear_1=pair[0], gear_2=pair[1])
    for number, gear in ((250, 53), (252, 247), (254, 58)):
        for side in (0, 1):
            file.part(number + side, "flank_geometry", normal_pressure_angle=20)
        file.relate("flank", gear=gear, left=number, right=number + 1)
    file.part(83, "rack_shaped_tool", addendum_coefficient_reference_profile=1.25,
              tip_radius_factor=0.25)  # fmt: skip
    file.relate("ordered_reference", origin=53, referenced=83)
    return file
