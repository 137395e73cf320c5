"""The processes of production, for real: PostgreSQL, Redis, an S3-compatible server over HTTP."""
