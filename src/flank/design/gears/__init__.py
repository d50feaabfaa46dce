"""What machines with involute gears share: figures of meshes and gears, and rules about them."""
