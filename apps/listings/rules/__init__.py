"""What can be listed, how a row comes to be for sale, and how stock and store differ. Pure."""
