"""A simulator of BrickOwl's API. It runs with the others: `python -m simulators`.

Nothing here is BrickOwl's: ids of items and colours, lots and their numbers are invented.
Rules that the public documentation does not state are marked *assumed*.
"""
