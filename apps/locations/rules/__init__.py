"""Pure rules of places: what fits, and which names a pattern means."""
