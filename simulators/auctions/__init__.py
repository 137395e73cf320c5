"""A simulator of the charity auction site: sixty listings a week, with a strict wire format."""
