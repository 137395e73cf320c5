"""Trains the recogniser of the app: renders of real parts, a network, its figures."""
