"""Buy LEGO: auction listings of a charity seller."""
