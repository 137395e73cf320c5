"""Stand-ins for outside services: servers of their own, strict about the wire format."""
