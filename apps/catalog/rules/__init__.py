"""Pure rules of the catalogue: no Django, no clock, no database."""
