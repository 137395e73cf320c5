import pytest

from apps.accounts.rules import device_name, plain_name, why_not_a_name
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


class TestNames:
    @pytest.mark.parametrize(
        "name",
        ["Ann", "J. R. Smith", "St.John", "Ünïcode & Co.", "Bricks 4 u", "C. O'Neil-Wu", "蓮"],
    )
    def test_that_people_have_are_taken(self, name):
        assert why_not_a_name(name) == ""
        assert plain_name(name) == name

    @pytest.mark.parametrize(
        ("name", "why", "plain"),
        [
            ("Ann\nwon a prize", "Use one line of text.", "Ann won a prize"),
            ("Ann\u2028x", "Use one line of text.", "Ann x"),
            ("Ann\u202egnp", "Use one line of text.", "Ann gnp"),
            ("Ann https://evil.example/x", "Use a name without addresses and links.", "Ann"),
            ("see evil.example", "Use a name without addresses and links.", "see"),
            ("WWW.EVIL.EXAMPLE now", "Use a name without addresses and links.", "now"),
            ("Win at EVIL.COM", "Use a name without addresses and links.", "Win at"),
            ("Visit Evil.Com/prize", "Use a name without addresses and links.", "Visit"),
            ("claim bit.LY/x", "Use a name without addresses and links.", "claim"),
            ("bo@example.org", "Use a name without addresses and links.", ""),
        ],
    )
    def test_that_carry_a_message_are_refused(self, name, why, plain):
        assert why_not_a_name(name) == why
        assert plain_name(name) == plain
