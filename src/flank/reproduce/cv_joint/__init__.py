"""The plunging ball joint of Marter, Daniel, Duvigneau and Woschke 2020, computed anew."""
