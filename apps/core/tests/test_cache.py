import pytest

from apps.core.cache import OutageTolerantCache

NOBODY_THERE = "redis://127.0.0.1:9/0"


class TestRedisIsAway:
    def test_finds_and_keeps_nothing(self):
        cache = OutageTolerantCache(NOBODY_THERE, {})

        cache.set("word", 1)

        assert cache.get("word", "none") == "none"
        assert cache.add("word", 1)
        assert not cache.delete("word")

    @pytest.mark.django_db
    def test_home_is_shown(self, api, ann, settings):
        settings.CACHES = {
            "default": {"BACKEND": "apps.core.cache.OutageTolerantCache", "LOCATION": NOBODY_THERE}
        }

        assert api(ann).get("/api/home").status_code == 200
