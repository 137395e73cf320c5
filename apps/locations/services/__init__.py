"""Services of locations: create, edit and delete them, and count their contents."""
