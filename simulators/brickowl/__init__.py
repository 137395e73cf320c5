"""A simulator of BrickOwl's API. It runs with the others: `python -m simulators`.

Nothing here is BrickOwl's: ids of items and colours, lots and their numbers are invented.
What the public documentation leaves open is marked *assumed*.
"""
