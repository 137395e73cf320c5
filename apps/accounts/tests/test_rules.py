import pytest

from apps.accounts.rules import device_name
from apps.core.clock import is_time_zone

WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"


class TestDeviceName:
    @pytest.mark.parametrize(
        ("user_agent", "name"),
        [
            (f"{WINDOWS} Chrome/140.0.0.0 Safari/537.36", "Chrome on Windows"),
            (f"{WINDOWS} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0", "Edge on Windows"),
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537",
                "Chrome on Android",
            ),
            ("curl/8.5.0", "Unknown device"),
            ("", "Unknown device"),
            ("Linux", "Linux"),
        ],
    )
    def test_names_browser_and_system(self, user_agent, name):
        assert device_name(user_agent) == name


class TestIsTimeZone:
    def test_knows_the_zones(self):
        assert is_time_zone("America/New_York")
        assert not is_time_zone("Mars/Olympus_Mons")
