"""Derives keys of lines, differences and states from orders of the marketplace. Pure."""
