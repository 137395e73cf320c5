"""The verbs of places: make, edit and delete them, and count what is in them."""
