"""The words of names: what "did you mean" offers, and what holds a part of a word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from apps.catalog.models import SearchWord, VocabularyChange
from apps.catalog.rules.search_words import nearest_words


@dataclass(frozen=True, slots=True)
class KnownWords:
    """All words of names, and which begin with a letter and are so long."""

    # Each has a blank before and after it: looking through one text is the fastest.
    text: str
    of_shape: Mapping[tuple[str, int], Sequence[str]]

    def __contains__(self, word: str) -> bool:
        return f" {word} " in self.text

    def that_hold(self, part: str, most: int) -> list[str]:
        """Return the shortest words that hold the part, but not at their beginning."""
        words = []
        at = self.text.find(part)
        while at >= 0:
            end = self.text.index(" ", at)
            word = self.text[self.text.rindex(" ", 0, at) + 1 : end]
            if not word.startswith(part):
                words.append(word)
            at = self.text.find(part, end)
        return sorted(words, key=lambda word: (len(word), word))[:most]

    def nearest_to(self, word: str, most: int) -> list[str]:
        """Return the words nearest to a mistyped one."""
        at_most = 1 if len(word) < 6 else 2
        candidates = [
            candidate
            for initial in {word[0], word[1]}
            for length in range(len(word) - at_most, len(word) + at_most + 1)
            for candidate in self.of_shape.get((initial, length), ())
        ]
        ranked = nearest_words(word, candidates, at_most=at_most)
        return [candidate for _, candidate in ranked[:most]]


def known_words() -> KnownWords:
    """Return the words, which this process keeps until some are added."""
    return _read(VocabularyChange.objects.count())


@lru_cache(maxsize=1)
def _read(_version: int) -> KnownWords:
    words = list(SearchWord.objects.values_list("word", flat=True))
    of_shape: dict[tuple[str, int], list[str]] = {}
    for word in words:
        of_shape.setdefault((word[0], len(word)), []).append(word)
    return KnownWords(f" {' '.join(words)} ", of_shape)
