import io

from django.core.management.base import OutputWrapper

from apps.core.management.command import ProgressLine


class Terminal(io.StringIO):
    def isatty(self):
        return True


class TestProgressLine:
    def test_writes_over_itself_on_a_terminal(self):
        out = Terminal()
        tell = ProgressLine(OutputWrapper(out))

        tell(500, 2_000, "Reading")
        tell(1_000, 2_000, "Reading")
        tell.end()

        assert out.getvalue() == (
            "\r\033[K 25 %  500 of 2,000  Reading\r\033[K 50 %  1,000 of 2,000  Reading\r\033[K"
        )

    def test_tells_each_tenth_in_a_log(self):
        out = io.StringIO()
        tell = ProgressLine(OutputWrapper(out))

        for done in range(0, 101, 5):
            tell(done, 100, "Reading")
        tell.end()

        assert len(out.getvalue().splitlines()) == 11

    def test_without_a_total_tells_each_new_message(self):
        out = io.StringIO()
        tell = ProgressLine(OutputWrapper(out))

        for message in ("Reading", "Reading", "Writing"):
            tell(1, None, message)

        assert out.getvalue().splitlines() == ["1  Reading", "1  Writing"]
