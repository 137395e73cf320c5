"""Readers of catalogue files: the kind of a file (by its header), and its rows, one by one."""
