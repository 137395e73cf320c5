"""What of an order follows from what is told: keys of lines, differences, states. Pure."""
