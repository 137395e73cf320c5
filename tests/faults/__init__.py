"""Processes of the real app, killed, stopped and starved."""
