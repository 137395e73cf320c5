"""`make bench`: each module prints one JSON line and compares with its own baseline."""
