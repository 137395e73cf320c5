"""Simulators of external services: separate servers that check the wire format strictly."""
