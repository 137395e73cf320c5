"""A simulator of Brickognize with a strict wire format. It compares the pictures themselves."""
