"""Readers of catalogue files: what a file is (by its header), and its rows, one by one."""
