"""Draws the pictures of parts from the LDraw parts library; `render_pictures` calls it."""
