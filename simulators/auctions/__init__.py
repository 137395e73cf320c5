"""A stand-in for the charity auction site: sixty listings a week, strict about its wire format."""
