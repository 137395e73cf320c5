"""Django's SQLite backend, with another way to wait for the write lock."""
