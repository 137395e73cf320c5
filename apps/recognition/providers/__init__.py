"""Recognisers: one interface, one module per service."""
