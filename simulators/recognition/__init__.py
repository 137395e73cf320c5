"""A stand-in for Brickognize: strict on the wire, and it really looks at the pictures."""
