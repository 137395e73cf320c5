"""Readers and writers of the sellers' files. Pure: streams in and out, no Django, no database."""
