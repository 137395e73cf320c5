"""What draws: labels as PDF."""
