"""Catalogues elsewhere, fetched over HTTP."""
