"""What holds for all tests of the catalogue."""

import pytest

from apps.catalog.selectors import known_words


@pytest.fixture(autouse=True)
def _knows_no_words_of_another_test():
    """Forget the words, whose number is their version: a test that ends takes its own back."""
    known_words._read.cache_clear()
