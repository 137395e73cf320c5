"""A simulator of BrickLink's store API. `python -m simulators.store` runs it alone.

Nothing here is BrickLink's: items come from the starter catalogue, figures are invented.
"""
