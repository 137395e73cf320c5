"""What can be done with a marketplace."""
