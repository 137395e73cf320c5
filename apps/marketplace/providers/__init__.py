"""Marketplaces: one protocol, and a client for each. No other room speaks HTTP."""
