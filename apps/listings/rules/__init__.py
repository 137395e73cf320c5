"""Rules of listing: valid lots, the steps to list a row, differences of stock and store. Pure."""
